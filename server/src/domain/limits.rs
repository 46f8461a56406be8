//! The limits of the contract, section 1, as values of one struct.

/// How large the parts of a request may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// One request on the wire, in bytes.
    pub request_bytes: usize,
}

impl Limits {
    /// `app_name`, `user_id`, `session_id` and `entry_id`, in bytes: the rule of `adk_core::identity`.
    pub const ID_BYTES: usize = 512;
    /// `project_id`, in Unicode scalar values, as adk documents it.
    pub const PROJECT_ID_CHARS: usize = 256;
    /// `author` and `role`, in bytes.
    pub const AUTHOR_BYTES: usize = 256;
    /// One blob, in bytes: `adk_core::MAX_INLINE_DATA_SIZE`.
    pub const BLOB_BYTES: usize = 10 * 1024 * 1024;
    /// `metadata_json` of one entry, in bytes.
    pub const METADATA_BYTES: usize = 64 * 1024;
    /// A query, in bytes: taking it apart costs about 0.1 µs a byte and can't be interrupted.
    pub const QUERY_BYTES: usize = 1024 * 1024;
    /// A query that deletes, in bytes: its words are compared with those of every candidate.
    pub const DELETION_QUERY_BYTES: usize = 16 * 1024;
    /// Entries of one addition.
    pub const ENTRIES: usize = 10_000;
    /// Parts of one content.
    pub const PARTS: usize = 1_000;
    /// Ids of one deletion.
    pub const DELETED_IDS: usize = 100_000;
    /// Sessions, authors, metadata conditions and values of one condition in a filter.
    pub const FILTER_VALUES: usize = 1_000;
    /// Name of an opaque part's kind and key of a metadata condition, in bytes.
    pub const NAME_BYTES: usize = 256;
    /// Entries of one page of a listing.
    pub const PAGE_SIZE: u32 = 1_000;
    /// Entries of one page of a listing when the request doesn't say.
    pub const DEFAULT_PAGE_SIZE: u32 = 100;
    /// Encoded size at which a page of a listing ends, in bytes: below the 4 MiB that clients accept.
    pub const PAGE_BYTES: usize = 3 * 1024 * 1024;
    /// Neighbours on each side of a hit.
    pub const CONTEXT: u32 = 5;
    /// Hits of a search when the request doesn't say.
    pub const DEFAULT_HITS: u32 = 10;
    /// One request on the wire when the configuration doesn't say, in bytes.
    pub const DEFAULT_REQUEST_BYTES: usize = 32 * 1024 * 1024;
}

impl Default for Limits {
    fn default() -> Self {
        Self { request_bytes: Self::DEFAULT_REQUEST_BYTES }
    }
}
