//! Ranges of keys: everything of an app, of a user, of a kind, of a scope, of an entry.

use super::digest::{AppDigest, EntryDigest, ScopeDigest, UserKey};
use super::key::{CHUNK_KEY_BYTES, ExpiryTime, Kind, join};

/// Every key of a user is longer; keys of the store itself are shorter and lie before.
const APP_BYTES: usize = 8;
/// Longer than any key, so that a run of 0xFF of this length is above all of them.
const ABOVE_ALL_KEYS_BYTES: usize = CHUNK_KEY_BYTES + 1;

/// A half-open range of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// The first key that is in it.
    pub from: Vec<u8>,
    /// The first key above it.
    pub until: Vec<u8>,
}

impl KeyRange {
    /// Every row of every user.
    pub fn everything() -> Self {
        Self { from: vec![0; APP_BYTES], until: vec![0xFF; ABOVE_ALL_KEYS_BYTES] }
    }

    /// Every row of an app.
    pub fn app(app: &AppDigest) -> Self {
        Self::of_prefix(app.0.to_vec())
    }

    /// Every row of a user.
    pub fn user(user: &UserKey) -> Self {
        Self::of_prefix(user.0.to_vec())
    }

    /// Every row of one kind of a user.
    pub fn kind(user: &UserKey, kind: Kind) -> Self {
        Self::of_prefix(join(&[&user.0, &[kind as u8]]))
    }

    /// The records of a scope.
    pub fn entries_of_scope(user: &UserKey, scope: &ScopeDigest) -> Self {
        Self::of_prefix(join(&[&user.0, &[Kind::Entry as u8], &scope.0]))
    }

    /// The chunks of a scope.
    pub fn chunks_of_scope(user: &UserKey, scope: &ScopeDigest) -> Self {
        Self::of_prefix(join(&[&user.0, &[Kind::Chunk as u8], &scope.0]))
    }

    /// What search keeps of a scope's entries.
    pub fn indexes_of_scope(user: &UserKey, scope: &ScopeDigest) -> Self {
        Self::of_prefix(join(&[&user.0, &[Kind::Index as u8], &scope.0]))
    }

    /// What search keeps of the entries from one on, through another.
    pub fn indexes_between(
        user: &UserKey,
        first: (ScopeDigest, EntryDigest),
        last: (ScopeDigest, EntryDigest),
    ) -> Self {
        let key = |(scope, entry): (ScopeDigest, EntryDigest)| {
            join(&[&user.0, &[Kind::Index as u8], &scope.0, &entry.0])
        };
        Self { from: key(first), until: after_prefix(key(last)) }
    }

    /// The chunks of an entry, of all its versions.
    pub fn chunks_of_entry(user: &UserKey, scope: &ScopeDigest, entry: &EntryDigest) -> Self {
        Self::of_prefix(join(&[&user.0, &[Kind::Chunk as u8], &scope.0, &entry.0]))
    }

    /// The chunks of one version of an entry, in the order of their index.
    pub fn chunks_of_revision(
        user: &UserKey,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        revision: u64,
    ) -> Self {
        Self::of_prefix(join(&[
            &user.0,
            &[Kind::Chunk as u8],
            &scope.0,
            &entry.0,
            &revision.to_be_bytes(),
        ]))
    }

    /// The expiry rows of a user whose time is at or before `time`, soonest first.
    pub fn expired_at(user: &UserKey, time: ExpiryTime) -> Self {
        let kind = join(&[&user.0, &[Kind::Expiry as u8]]);
        let through = join(&[&kind, &time.to_bytes()]);
        Self { from: kind, until: after_prefix(through) }
    }

    /// The rest of this range after `last`, which is the last key of the page before.
    pub fn after(&self, last: &[u8]) -> Self {
        let mut from = last.to_vec();
        from.push(0);
        Self { from, until: self.until.clone() }
    }

    fn of_prefix(prefix: Vec<u8>) -> Self {
        Self { from: prefix.clone(), until: after_prefix(prefix) }
    }
}

/// The smallest key above all that start with `prefix`.
fn after_prefix(mut prefix: Vec<u8>) -> Vec<u8> {
    while let Some(last) = prefix.pop() {
        if let Some(next) = last.checked_add(1) {
            prefix.push(next);
            return prefix;
        }
    }
    vec![0xFF; ABOVE_ALL_KEYS_BYTES]
}
