//! What the server tells about itself.

use memoryd_proto::v1 as pb;

use crate::domain::Limits;
use crate::recall::constants::ANALYZER;

/// Names of what this server can do beyond the methods of its service. They stay as they are.
const FEATURES: [&str; 4] =
    ["search.lexical", "search.context", "search.explain", "delete.dry_run"];

/// The answer of GetServerInfo.
pub(super) fn server_info(limits: &Limits, store: &str) -> pb::GetServerInfoResponse {
    let Limits { request_bytes } = limits;
    pb::GetServerInfoResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        limits: Some(pb::Limits {
            max_request_bytes: *request_bytes as u64,
            max_blob_bytes: Limits::BLOB_BYTES as u64,
            max_id_bytes: number(Limits::ID_BYTES),
            max_project_id_chars: number(Limits::PROJECT_ID_CHARS),
            max_author_bytes: number(Limits::AUTHOR_BYTES),
            max_metadata_bytes: number(Limits::METADATA_BYTES),
            max_page_size: Limits::PAGE_SIZE,
            max_context: Limits::CONTEXT,
            max_query_bytes: number(Limits::QUERY_BYTES),
            max_deletion_query_bytes: number(Limits::DELETION_QUERY_BYTES),
            max_entries: number(Limits::ENTRIES),
            max_parts: number(Limits::PARTS),
            max_entry_ids: number(Limits::DELETED_IDS),
            max_filter_values: number(Limits::FILTER_VALUES),
        }),
        features: FEATURES.map(str::to_owned).to_vec(),
        store: store.to_owned(),
        analyzer: ANALYZER.to_owned(),
        embedder: "none".to_owned(),
        pending_vectors: 0,
    }
}

fn number(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
