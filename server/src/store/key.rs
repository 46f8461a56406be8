//! Keys of rows: of fixed width for each kind, so that none is a prefix of another and byte order is meaning.
//!
//! ```text
//! entry    app 8 | user 16 | kind 1 | scope 16 | entry 16
//! chunk    app 8 | user 16 | kind 1 | scope 16 | entry 16 | revision 8 | index 4
//! expiry   app 8 | user 16 | kind 1 | seconds 8 | nanoseconds 4 | scope 16 | entry 16
//! index    app 8 | user 16 | kind 1 | scope 16 | entry 16
//! ```
//!
//! Integers are big-endian, signed ones with the top bit flipped. The first key of a user's expiry rows is the entry
//! that expires next.

use super::digest::{EntryDigest, ScopeDigest, UserKey, first_bytes};

const USER_KEY_BYTES: usize = 24;
const DIGEST_BYTES: usize = 16;
const KIND_AT: usize = USER_KEY_BYTES;
const REST_AT: usize = KIND_AT + 1;
const ENTRY_KEY_BYTES: usize = REST_AT + 2 * DIGEST_BYTES;
/// Length of the longest key.
pub(super) const CHUNK_KEY_BYTES: usize = ENTRY_KEY_BYTES + 8 + 4;
const TIME_BYTES: usize = 8 + 4;
const EXPIRY_KEY_BYTES: usize = REST_AT + TIME_BYTES + 2 * DIGEST_BYTES;

/// Keys of the store itself are shorter than an app's digest: they lie in no app's range and equal no user's key.
pub(super) const COMMIT_NUMBER_KEY: &[u8] = &[0];

/// What a row is, as the byte after the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// The record of an entry, or the mark that it was deleted.
    Entry = 1,
    /// A part of an entry that is too large for one value.
    Chunk = 2,
    /// When an entry expires.
    Expiry = 3,
    /// What search keeps of an entry: its terms and its vector, made from the entry's record.
    Index = 4,
}

/// A point in time as expiry rows are ordered by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpiryTime {
    /// Seconds since 1970-01-01T00:00:00Z, negative before.
    pub seconds: i64,
    /// Nanoseconds after the second, 0 to 999,999,999.
    pub nanoseconds: u32,
}

/// The key of a row of some user. It can't be built from bytes without being one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StorageKey(Vec<u8>);

/// What a key says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyParts {
    /// The record of an entry.
    Entry {
        /// Whose.
        user: UserKey,
        /// In which scope.
        scope: ScopeDigest,
        /// Which.
        entry: EntryDigest,
    },
    /// A part of an entry.
    Chunk {
        /// Whose.
        user: UserKey,
        /// In which scope.
        scope: ScopeDigest,
        /// Of which entry.
        entry: EntryDigest,
        /// Of which version of the entry.
        revision: u64,
        /// Position among the parts, from 0.
        index: u32,
    },
    /// When an entry expires.
    Expiry {
        /// Whose.
        user: UserKey,
        /// When.
        time: ExpiryTime,
        /// In which scope.
        scope: ScopeDigest,
        /// Which.
        entry: EntryDigest,
    },
    /// What search keeps of an entry.
    Index {
        /// Whose.
        user: UserKey,
        /// In which scope.
        scope: ScopeDigest,
        /// Of which entry.
        entry: EntryDigest,
    },
}

/// A stored key that is of no known kind or width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a stored key of {bytes} bytes is of no known kind")]
pub struct UnknownKey {
    /// Length of the key.
    pub bytes: usize,
}

impl StorageKey {
    /// Key of an entry's record.
    pub fn entry(user: &UserKey, scope: &ScopeDigest, entry: &EntryDigest) -> Self {
        Self(join(&[&user.0, &[Kind::Entry as u8], &scope.0, &entry.0]))
    }

    /// Key of part `index` of version `revision` of an entry.
    pub fn chunk(
        user: &UserKey,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        revision: u64,
        index: u32,
    ) -> Self {
        Self(join(&[
            &user.0,
            &[Kind::Chunk as u8],
            &scope.0,
            &entry.0,
            &revision.to_be_bytes(),
            &index.to_be_bytes(),
        ]))
    }

    /// Key of the row that says when an entry expires.
    pub fn expiry(
        user: &UserKey,
        time: ExpiryTime,
        scope: &ScopeDigest,
        entry: &EntryDigest,
    ) -> Self {
        Self(join(&[&user.0, &[Kind::Expiry as u8], &time.to_bytes(), &scope.0, &entry.0]))
    }

    /// Key of what search keeps of an entry.
    pub fn index(user: &UserKey, scope: &ScopeDigest, entry: &EntryDigest) -> Self {
        Self(join(&[&user.0, &[Kind::Index as u8], &scope.0, &entry.0]))
    }

    /// The key that a scan gave back, if it is one of a user.
    pub fn from_stored(bytes: Vec<u8>) -> Result<Self, UnknownKey> {
        KeyParts::parse(&bytes)?;
        Ok(Self(bytes))
    }

    /// The key that a scan gave back, if it is one of `user`, of a known kind or not: for erasing also the rows of
    /// kinds that a later version wrote.
    pub fn of_user(bytes: Vec<u8>, user: &UserKey) -> Option<Self> {
        bytes.starts_with(&user.0).then_some(Self(bytes))
    }

    /// The bytes as stored.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes as stored.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl KeyParts {
    /// Takes a stored key apart.
    pub fn parse(key: &[u8]) -> Result<Self, UnknownKey> {
        let unknown = UnknownKey { bytes: key.len() };
        let Some((user, [kind, rest @ ..])) = key.split_at_checked(USER_KEY_BYTES) else {
            return Err(unknown);
        };
        let user = UserKey(first_bytes(user));
        if *kind == Kind::Entry as u8 && key.len() == ENTRY_KEY_BYTES {
            let (scope, entry) = rest.split_at(DIGEST_BYTES);
            Ok(Self::Entry {
                user,
                scope: ScopeDigest(first_bytes(scope)),
                entry: EntryDigest(first_bytes(entry)),
            })
        } else if *kind == Kind::Chunk as u8 && key.len() == CHUNK_KEY_BYTES {
            let (scope, rest) = rest.split_at(DIGEST_BYTES);
            let (entry, rest) = rest.split_at(DIGEST_BYTES);
            let (revision, index) = rest.split_at(8);
            Ok(Self::Chunk {
                user,
                scope: ScopeDigest(first_bytes(scope)),
                entry: EntryDigest(first_bytes(entry)),
                revision: u64::from_be_bytes(first_bytes(revision)),
                index: u32::from_be_bytes(first_bytes(index)),
            })
        } else if *kind == Kind::Expiry as u8 && key.len() == EXPIRY_KEY_BYTES {
            let (time, rest) = rest.split_at(TIME_BYTES);
            let (scope, entry) = rest.split_at(DIGEST_BYTES);
            Ok(Self::Expiry {
                user,
                time: ExpiryTime::from_bytes(first_bytes(time)),
                scope: ScopeDigest(first_bytes(scope)),
                entry: EntryDigest(first_bytes(entry)),
            })
        } else if *kind == Kind::Index as u8 && key.len() == ENTRY_KEY_BYTES {
            let (scope, entry) = rest.split_at(DIGEST_BYTES);
            Ok(Self::Index {
                user,
                scope: ScopeDigest(first_bytes(scope)),
                entry: EntryDigest(first_bytes(entry)),
            })
        } else {
            Err(unknown)
        }
    }
}

impl ExpiryTime {
    /// Bytes whose order is time order: the top bit is flipped so that times before 1970 come first.
    pub(super) fn to_bytes(self) -> [u8; TIME_BYTES] {
        let Self { seconds, nanoseconds } = self;
        let mut bytes = [0; TIME_BYTES];
        bytes[..8].copy_from_slice(&(seconds ^ i64::MIN).to_be_bytes());
        bytes[8..].copy_from_slice(&nanoseconds.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; TIME_BYTES]) -> Self {
        Self {
            seconds: i64::from_be_bytes(first_bytes(&bytes)) ^ i64::MIN,
            nanoseconds: u32::from_be_bytes(first_bytes(&bytes[8..])),
        }
    }
}

/// The parts one after another.
pub(super) fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}
