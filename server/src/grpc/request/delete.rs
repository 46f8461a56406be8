//! Deletions of the wire. Nothing is ever deleted because a field was left empty.

use memoryd_proto::v1 as pb;

use super::scope::{scope, session, tenant};
use super::search::check_query;
use super::{finish, may_hold};
use crate::domain::{
    DeleteEntries, DeleteTarget, EntryId, Limits, Match, Scope, SessionId, Tenant, Violations,
};

/// The deletion of entries that a request asks for.
pub(in crate::grpc) fn delete_entries(
    request: pb::DeleteEntriesRequest,
) -> Result<DeleteEntries, Violations> {
    let pb::DeleteEntriesRequest {
        app_name,
        user_id,
        project_id,
        entry_ids,
        query,
        r#match,
        dry_run,
    } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    let matching = matching(r#match, &mut violations);
    let query_text = query.as_deref().unwrap_or_default();
    check_query(query_text, Limits::DELETION_QUERY_BYTES, &mut violations);
    let target = match (entry_ids.is_empty(), query) {
        (true, None) => {
            violations.add("query", "must be set, unless entry_ids are given");
            None
        }
        (false, Some(_)) => {
            violations.add("query", "must be unset when entry_ids are given");
            None
        }
        (true, Some(text)) if text.trim().is_empty() => {
            violations.add("query", "must not be empty");
            None
        }
        (true, Some(text)) => Some(DeleteTarget::Words { text, matching }),
        (false, None) => Some(DeleteTarget::Ids(ids(entry_ids, &mut violations))),
    };
    let request = scope.zip(target).map(|(scope, target)| DeleteEntries { scope, target, dry_run });
    finish(request, violations)
}

fn ids(wire: Vec<String>, violations: &mut Violations) -> Vec<EntryId> {
    if !may_hold(wire.len(), Limits::DELETED_IDS, "entry_ids", violations) {
        return Vec::new();
    }
    wire.into_iter()
        .enumerate()
        .filter_map(|(position, id)| {
            violations.check(&format!("entry_ids[{position}]"), EntryId::new(id))
        })
        .collect()
}

fn matching(wire: i32, violations: &mut Violations) -> Match {
    match pb::Match::try_from(wire) {
        Ok(pb::Match::Unspecified | pb::Match::All) => Match::All,
        Ok(pb::Match::Any) => Match::Any,
        Err(_) => {
            violations.add("match", format!("has no value {wire}"));
            Match::All
        }
    }
}

/// The session that a request deletes.
pub(in crate::grpc) fn delete_session(
    request: pb::DeleteSessionRequest,
) -> Result<(Scope, SessionId), Violations> {
    let pb::DeleteSessionRequest { app_name, user_id, project_id, session_id } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    let session = session(session_id, &mut violations);
    finish(scope.zip(session), violations)
}

/// The project that a request deletes.
pub(in crate::grpc) fn delete_project(
    request: pb::DeleteProjectRequest,
) -> Result<Scope, Violations> {
    let pb::DeleteProjectRequest { app_name, user_id, project_id } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, Some(project_id), &mut violations);
    finish(scope, violations)
}

/// The user that a request erases.
pub(in crate::grpc) fn delete_user(request: pb::DeleteUserRequest) -> Result<Tenant, Violations> {
    let pb::DeleteUserRequest { app_name, user_id } = request;
    let mut violations = Violations::default();
    let tenant = tenant(app_name, user_id, &mut violations);
    finish(tenant, violations)
}
