//! End to end: the real server on port 0, the real store in a temporary folder, real gRPC.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail there"
)]

mod harness;

mod smoke;
mod search_context;
mod search_explain;
mod search_filters;
mod search_limits;
mod search_order;
mod search_text;
mod words;
mod words_hostile;
mod names_and_limits;
mod violations;
mod scopes;
mod isolation;
mod isolation_property;
mod dropped_calls;
mod encodings;
mod message_size;
mod streaming;
mod undecodable;
mod lossless;
mod blobs;
mod timestamps;
mod searchable_text;
mod deadlines;
mod upsert;
mod sessions_sent_again;
mod suppressed;
