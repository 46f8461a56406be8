//! End to end: the real server on port 0, the real store in a temporary folder, real gRPC.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail there"
)]

mod harness;

mod at_once;
mod blobs;
mod bounds;
mod bulk_deletes;
mod cut_lines;
mod dates;
mod deadlines;
mod delete_entries;
mod delete_scopes;
mod delete_while_searching;
mod drain;
mod dropped_calls;
mod embedders;
mod encodings;
mod errors;
mod eviction;
mod expiry;
mod fuzz;
mod isolation;
mod isolation_property;
mod late_writes;
mod lossless;
mod meaning;
mod message_size;
mod model;
mod names_and_limits;
mod paging;
mod reflection;
mod replace;
mod scopes;
mod search_context;
mod search_explain;
mod search_filters;
mod search_limits;
mod search_order;
mod search_text;
mod searchable_text;
mod sessions_sent_again;
mod smoke;
mod streaming;
mod suppressed;
mod telling;
mod timestamps;
mod undecodable;
mod upsert;
mod violations;
mod words;
mod words_hostile;
