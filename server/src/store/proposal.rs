//! What is asked of the committer, and what it answers.

use super::key::StorageKey;
use super::key_ring::KeyRingError;
use super::keyspace::{ApplyError, ReadError};
use super::seal::SealedValue;

/// Changes that become visible and durable together, or not at all.
#[derive(Debug)]
pub struct Proposal<T> {
    /// All must hold at the moment of the commit.
    pub conditions: Vec<Condition>,
    /// What to change; of several changes to one key the last counts.
    pub operations: Vec<Operation>,
    /// Handed to the listener with the commit number, once the changes are durable.
    pub payload: T,
}

/// What must be true of the store for a proposal to be accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// There is no such row.
    Absent(StorageKey),
    /// There is such a row.
    Exists(StorageKey),
    /// The row's stored value, header included, has this SHA-256: nobody wrote it since it was read.
    ValueIs(StorageKey, [u8; 32]),
}

impl Condition {
    /// The row it is about.
    pub fn key(&self) -> &StorageKey {
        match self {
            Self::Absent(key) | Self::Exists(key) | Self::ValueIs(key, _) => key,
        }
    }
}

/// One change to one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Writes the row, whether or not it was there.
    Put {
        /// Where; the same key that the value was sealed for.
        key: StorageKey,
        /// What.
        sealed: SealedValue,
    },
    /// Removes the row; removing what isn't there is no error.
    Delete {
        /// Where.
        key: StorageKey,
    },
}

impl Operation {
    /// Bytes this change counts against the engine's batch limit.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Put { key, sealed } => key.as_bytes().len() + sealed.stored_bytes(),
            Self::Delete { key } => key.as_bytes().len(),
        }
    }
}

/// An accepted proposal; it is durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// Its place in the order of all commits of this store, from 1, without gaps.
    pub commit: u64,
}

/// Why a proposal wasn't accepted. But for [`Unavailable`](Self::Unavailable), nothing of it was applied.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// A condition doesn't hold; read again and propose anew.
    #[error("another write came first")]
    Conflict {
        /// Position of the condition in the proposal.
        condition: usize,
    },
    /// The proposal is over one of the engine's limits.
    #[error("{bytes} bytes are over the store's limit of {limit} for a {what}")]
    TooLarge {
        /// Which limit.
        what: LimitKind,
        /// Size in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// Too much waits for the disk already; try again in a moment.
    #[error("too many writes are waiting")]
    Overloaded,
    /// A condition couldn't be checked, since its row couldn't be read.
    #[error("a condition could not be checked: {0}")]
    Unreadable(ReadError),
    /// The store is stopping or has failed. Whether a proposal that was being written survives is unknown until the
    /// store is opened again; it does so whole or not at all.
    #[error("the store takes no writes any more")]
    Unavailable,
}

/// What a limit is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// One stored value.
    Value,
    /// All of a proposal's keys and values.
    Proposal,
}

impl std::fmt::Display for LimitKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Value => "value",
            Self::Proposal => "proposal",
        })
    }
}

/// Why the store failed for good.
#[derive(Debug, thiserror::Error)]
pub enum CommitFailure {
    /// The engine didn't take a batch.
    #[error(transparent)]
    Apply(ApplyError),
    /// The keys of new users couldn't be made durable.
    #[error(transparent)]
    KeyRing(KeyRingError),
    /// Something panicked while committing or while the listener was told.
    #[error("the committer panicked: {0}")]
    Panic(String),
}
