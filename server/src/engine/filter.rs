//! Filters on entries in memory.

use super::body::decode_body;
use super::doc::Doc;
use super::record::StoredBody;
use crate::domain::EntryFilter;

/// Whether an entry passes a filter; the cheap conditions first. Metadata of an entry whose body isn't in
/// memory is asked of `read_metadata`.
pub(super) fn admits(
    filter: &EntryFilter,
    doc: &Doc,
    read_metadata: &dyn Fn(&Doc) -> Option<String>,
) -> bool {
    let record = &doc.record;
    let session = record.session_id.as_ref().map(crate::domain::SessionId::as_str);
    if !filter.admits_time(record.timestamp)
        || !filter.admits_author(record.author.as_str())
        || !filter.admits_session(session)
    {
        return false;
    }
    if filter.metadata.is_empty() {
        return true;
    }
    let metadata = match &record.body {
        StoredBody::Inline(bytes) => {
            decode_body(bytes.clone()).ok().and_then(|body| body.metadata_json)
        }
        StoredBody::Chunked { .. } => read_metadata(doc),
    };
    filter.admits_metadata(metadata.as_deref())
}
