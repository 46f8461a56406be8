//! Listings and single reads of the wire.

use memoryd_proto::v1 as pb;

use super::filter::filter;
use super::finish;
use super::scope::scope;
use crate::domain::{EntryId, Limits, ListEntries, Scope, Violations};

/// The listing that a request asks for, and whether to leave blobs out.
pub(in crate::grpc) fn list_entries(
    request: pb::ListEntriesRequest,
) -> Result<(ListEntries, bool), Violations> {
    let pb::ListEntriesRequest {
        app_name,
        user_id,
        project_id,
        filter: wire_filter,
        page_size,
        page_token,
        omit_blobs,
    } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    let filter = filter(wire_filter, &mut violations);
    if page_size > Limits::PAGE_SIZE {
        violations
            .add("page_size", format!("must be at most {}, is {page_size}", Limits::PAGE_SIZE));
    }
    let page_size = if page_size == 0 { Limits::DEFAULT_PAGE_SIZE } else { page_size };
    let request = scope.map(|scope| ListEntries {
        scope,
        filter,
        page_size: usize::try_from(page_size).unwrap_or(usize::MAX),
        page_token,
    });
    finish(request, violations).map(|request| (request, omit_blobs))
}

/// The entry that a request asks for, and whether to leave blobs out.
pub(in crate::grpc) fn get_entry(
    request: pb::GetEntryRequest,
) -> Result<(Scope, EntryId, bool), Violations> {
    let pb::GetEntryRequest { app_name, user_id, project_id, entry_id, omit_blobs } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    let id = violations.check("entry_id", EntryId::new(entry_id));
    finish(scope.zip(id), violations).map(|(scope, id)| (scope, id, omit_blobs))
}
