//! What a commit does to a tenant's memory, as told from the write path to the read path.

use super::record::{Record, Tombstone};
use crate::recall::vector::Vector;
use crate::store::{EntryDigest, ScopeDigest, UserKey};

/// The changes of one commit to one tenant. Applying them twice does no more than once.
#[derive(Debug, Clone)]
pub(crate) struct TenantChange {
    pub(crate) user: UserKey,
    pub(crate) changes: Vec<Change>,
}

/// One change.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// An entry is new or has another content.
    Upsert { scope: ScopeDigest, digest: EntryDigest, record: Box<Record>, text: String },
    /// The version of an entry that has this fingerprint has been given its vector.
    Vector {
        scope: ScopeDigest,
        digest: EntryDigest,
        fingerprint: [u8; 32],
        vector: Option<Vector>,
    },
    /// An entry is deleted and stays so.
    Bury { scope: ScopeDigest, digest: EntryDigest, tombstone: Tombstone },
    /// Entries, or marks of deleted ones, are gone.
    Remove { scope: ScopeDigest, digests: Vec<EntryDigest> },
    /// A whole scope is gone.
    DropScope { scope: ScopeDigest },
    /// Everything is gone.
    DropAll,
}
