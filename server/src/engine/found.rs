//! What reads hand out before the whole entry is read.

use std::sync::Arc;

use super::body::decode_body;
use super::doc::Doc;
use super::record::{RecordError, StoredBody};
use super::tenant::Tenant;
use crate::domain::{EntryBody, Timestamp};
use crate::store::{ScopeDigest, UserKey};

/// An entry that a read found, with what it takes to read the rest of it. While it is held the tenant
/// stays in memory, so that a delete can be seen.
#[derive(Debug, Clone)]
pub struct Found {
    pub(super) user: UserKey,
    pub(super) scope: ScopeDigest,
    pub(super) doc: Arc<Doc>,
    /// Held, not read.
    pub(super) _tenant: Arc<Tenant>,
}

impl Found {
    /// Whether the entry was deleted since it was found, or its time is over.
    pub(super) fn is_gone(&self, now: Timestamp) -> bool {
        self.doc.is_gone() || self.doc.record.is_expired(now)
    }

    /// The body, if it need not be read from the store.
    pub(super) fn inline_body(&self) -> Option<Result<EntryBody, RecordError>> {
        match &self.doc.record.body {
            StoredBody::Inline(bytes) => Some(decode_body(bytes.clone())),
            StoredBody::Chunked { .. } => None,
        }
    }

    /// Bytes of the entry's body.
    pub(super) fn body_bytes(&self) -> usize {
        match &self.doc.record.body {
            StoredBody::Inline(bytes) => bytes.len(),
            StoredBody::Chunked { bytes, .. } => usize::try_from(*bytes).unwrap_or(usize::MAX),
        }
    }
}
