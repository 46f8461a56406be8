//! What the server tells about itself.

use memoryd_proto::v1 as pb;

use crate::domain::Limits;
use crate::engine::Engine;
use crate::recall::constants::ANALYZER;

/// Names of what this server can do beyond the methods of its service. They stay as they are.
const FEATURES: [&str; 5] =
    ["search.lexical", "search.context", "search.explain", "search.time", "delete.dry_run"];

/// What a server with an embedder can do beyond that.
const SEMANTIC: &str = "search.semantic";

/// The answer of GetServerInfo.
pub(super) fn server_info(
    limits: &Limits,
    store: &str,
    engine: &Engine,
) -> pb::GetServerInfoResponse {
    let Limits { request_bytes } = limits;
    let embedder = engine.embedder_name();
    let semantic = embedder.map(|_| SEMANTIC);
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
        features: FEATURES.into_iter().chain(semantic).map(str::to_owned).collect(),
        store: store.to_owned(),
        analyzer: ANALYZER.to_owned(),
        embedder: embedder.unwrap_or("none").to_owned(),
        pending_vectors: engine.pending_vectors(),
    }
}

fn number(limit: usize) -> u32 {
    u32::try_from(limit).unwrap_or(u32::MAX)
}
