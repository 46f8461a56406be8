//! What a commit does to a tenant's memory, as told from the write path to the read path.

use super::record::{Record, Tombstone};
use crate::recall::analysis::EntryTerms;
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
    Upsert { scope: ScopeDigest, digest: EntryDigest, record: Box<Record>, source: IndexSource },
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

/// What an entry is indexed by.
#[derive(Debug, Clone)]
pub(crate) struct IndexSource {
    pub(crate) terms: TermSource,
    /// `None`: there is none, or none yet.
    pub(crate) vector: Option<Vector>,
}

/// Where an entry's terms come from.
#[derive(Debug, Clone)]
pub(crate) enum TermSource {
    /// Its searchable text, still to be analysed.
    Text(String),
    /// They were kept.
    Terms(EntryTerms),
}

impl IndexSource {
    /// What an entry is indexed by that was added just now.
    pub(crate) fn of_text(text: String) -> Self {
        Self { terms: TermSource::Text(text), vector: None }
    }
}

impl TermSource {
    /// The terms.
    pub(crate) fn into_terms(self) -> EntryTerms {
        match self {
            Self::Text(text) => EntryTerms::of(&text),
            Self::Terms(terms) => terms,
        }
    }
}
