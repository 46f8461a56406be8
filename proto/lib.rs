//! The wire of memoryd: types, client and server code generated from `proto/`, and its descriptor set.
//!
//! The meaning of every message and field stands in `proto/memoryd/v1/memory.proto`.

/// The package `memoryd.v1`.
pub mod v1 {
    #![allow(
        missing_docs,
        unreachable_pub,
        clippy::doc_markdown,
        reason = "generated code; its documentation is the proto file's"
    )]
    tonic::include_proto!("memoryd.v1");
}

/// The encoded `google.protobuf.FileDescriptorSet` of the package and its imports, with comments.
pub const FILE_DESCRIPTOR_SET: &[u8] =
    tonic::include_file_descriptor_set!("memoryd.v1.descriptors");

/// The domain of every `google.rpc.ErrorInfo` that the server sends.
pub const ERROR_DOMAIN: &str = "memoryd";

/// Names of the trailing metadata that end a search, each a decimal number.
pub mod trailers {
    /// Entries that the scope and the filter let the search look at.
    pub const CONSIDERED: &str = "memoryd-considered";
    /// Entries that matched the query, before `min_score` and `limit`.
    pub const MATCHED: &str = "memoryd-matched";
    /// Matches left out because they scored below `min_score`.
    pub const CUT_BY_SCORE: &str = "memoryd-cut-by-score";
    /// Matches left out because `limit` was reached.
    pub const CUT_BY_LIMIT: &str = "memoryd-cut-by-limit";
}
