//! The log of entries: rows under sealed values, atomic durable commits, and the keys that make forgetting final.
//!
//! Knows nothing of ranking, of the wire or of what a record says. Everything here blocks; async callers use a pool
//! of blocking threads for reads and keys, and await the answer of [`Store::submit`].

mod commit_number;
mod committer;
mod digest;
mod durable_file;
mod group;
mod handle;
mod installation;
mod key;
mod key_file;
mod key_range;
mod key_ring;
mod key_slot;
mod keyspace;
mod layout;
mod limits;
mod memory;
mod proposal;
mod queue;
mod seal;
mod sled;
mod slow_opening;

#[cfg(test)]
pub(crate) mod tests;

use std::any::Any;

pub use self::sled::{SledKeyspace, SledOpenError};
pub use commit_number::CommitNumberError;
pub use committer::{CommitListener, Committer, FatalHook};
pub use digest::{AppDigest, Digester, EntryDigest, ScopeDigest, UserKey};
pub use handle::{Engine, OpenError, Store, StoreOptions};
pub use installation::{Installation, InstallationError};
pub use key::{ExpiryTime, KeyParts, Kind, StorageKey, UnknownKey};
pub use key_file::KeyFileError;
pub use key_range::KeyRange;
pub use key_ring::{KeyRing, KeyRingError};
pub use keyspace::{ApplyError, Durability, Keyspace, KeyspaceLimits, Mutation, ReadError, Row};
pub use layout::{DataDirectory, FORMAT_VERSION, LayoutError};
pub use limits::{
    MAX_BATCH_BYTES, MAX_GROUP_BYTES, MAX_GROUP_PROPOSALS, MAX_QUEUED_BYTES, MAX_VALUE_BYTES,
    RELAXED_FLUSH_INTERVAL, STALLED_AFTER,
};
pub use memory::MemoryKeyspace;
pub use proposal::{
    CommitError, CommitFailure, Committed, Condition, LimitKind, Operation, Proposal,
};
pub use seal::{
    DamagedRecord, DataKey, OpenedRecord, RecordHeader, RecordType, SEAL_OVERHEAD_BYTES, SealError,
    SealedValue, open, read_header, seal,
};

/// What a panic said.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "a panic without a message".to_owned()
    }
}
