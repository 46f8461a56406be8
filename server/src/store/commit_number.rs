//! The record of how far the store has committed; it is part of every batch.
//!
//! ```text
//! format 1 | commit number 8 | CRC-32 of these 4
//! ```

use super::digest::first_bytes;
use super::key::COMMIT_NUMBER_KEY;
use super::key_range::KeyRange;
use super::keyspace::{Keyspace, Mutation, ReadError};

const FORMAT: u8 = 1;
const CHECKSUM_AT: usize = 1 + 8;
const VALUE_BYTES: usize = CHECKSUM_AT + 4;
/// Bytes of the record, key included.
pub(super) const RECORD_BYTES: usize = COMMIT_NUMBER_KEY.len() + VALUE_BYTES;

/// Why it isn't known how far the store has committed.
#[derive(Debug, thiserror::Error)]
pub enum CommitNumberError {
    /// The record isn't whole or of an unknown format.
    #[error("the record of the last commit is damaged")]
    Damaged,
    /// There are rows but no record.
    #[error("the record of the last commit is missing though there are rows")]
    Missing,
    /// The engine answered an error.
    #[error(transparent)]
    Read(ReadError),
}

/// The change that says: everything up to `commit` is in.
pub(super) fn record(commit: u64) -> Mutation {
    let mut value = Vec::with_capacity(VALUE_BYTES);
    value.push(FORMAT);
    value.extend_from_slice(&commit.to_be_bytes());
    let checksum = crc32fast::hash(&value);
    value.extend_from_slice(&checksum.to_be_bytes());
    Mutation::Put { key: COMMIT_NUMBER_KEY.to_vec(), value }
}

/// The number of the last commit, 0 for an empty store.
pub(super) fn read(keyspace: &dyn Keyspace) -> Result<u64, CommitNumberError> {
    let stored = keyspace.get(COMMIT_NUMBER_KEY).map_err(CommitNumberError::Read)?;
    let Some(value) = stored else {
        let KeyRange { from, until } = KeyRange::everything();
        let rows = keyspace.scan_keys(&from, &until, 1).map_err(CommitNumberError::Read)?;
        return if rows.is_empty() { Ok(0) } else { Err(CommitNumberError::Missing) };
    };
    if value.len() != VALUE_BYTES || value[0] != FORMAT {
        return Err(CommitNumberError::Damaged);
    }
    let (stamped, checksum) = value.split_at(CHECKSUM_AT);
    if crc32fast::hash(stamped).to_be_bytes() != *checksum {
        return Err(CommitNumberError::Damaged);
    }
    Ok(u64::from_be_bytes(first_bytes(&stamped[1..])))
}
