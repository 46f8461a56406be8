//! Entries as rows of the store: sealing them, reading them back, and which rows go when one goes.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::change::TenantChange;
use super::error::{Damage, ReadError, WriteError};
use super::record::{Record, StoredBody, Tombstone, decode_body};
use crate::domain::{EntryBody, Timestamp};
use crate::store::{
    DataKey, EntryDigest, ExpiryTime, KeyRange, Operation, RecordType, ScopeDigest, StorageKey,
    Store, UserKey, open, seal,
};

/// Room in a head row for everything but an inline body: four ids and an author at their longest, with
/// what protobuf adds, and the times.
const HEAD_RESERVE_BYTES: usize = 3_200;

/// Rows read at a time.
pub(super) const PAGE_ROWS: usize = 1_000;

/// The place of a user's entries in the store, with the key to read them.
#[derive(Clone)]
pub(super) struct UserRows {
    pub(super) store: Store<TenantChange>,
    pub(super) user: UserKey,
    pub(super) data_key: Arc<DataKey>,
}

/// What stands at an entry's key.
pub(super) enum Standing {
    /// An entry.
    Entry(Box<Record>),
    /// The mark of a deleted one.
    Buried(Tombstone),
    /// Something that can't be read.
    Damaged(Damage),
}

impl UserRows {
    /// What is at an entry's key, with the stored bytes and the commit that wrote them.
    pub(super) fn read(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
    ) -> Result<Option<(Standing, Vec<u8>)>, ReadError> {
        let key = StorageKey::entry(&self.user, scope, entry);
        let Some(stored) = self.store.get(&key)? else { return Ok(None) };
        let standing = self.parse(key.as_bytes(), &stored);
        Ok(Some((standing, stored)))
    }

    /// What a stored row of an entry holds.
    pub(super) fn parse(&self, key: &[u8], stored: &[u8]) -> Standing {
        let opened = match open(&self.data_key, key, stored) {
            Ok(opened) => opened,
            Err(damage) => return Standing::Damaged(damage.into()),
        };
        let decoded = match opened.header.record_type {
            RecordType::Entry => {
                Record::decode(opened.content).map(|record| Standing::Entry(Box::new(record)))
            }
            RecordType::Tombstone => Tombstone::decode(&opened.content).map(Standing::Buried),
            RecordType::Chunk | RecordType::Expiry => {
                return Standing::Damaged(Damage::Incomplete);
            }
        };
        decoded.unwrap_or_else(|error| Standing::Damaged(error.into()))
    }

    /// Whether a body must be cut into chunks: it doesn't fit beside the longest possible ids.
    fn fits_inline(&self, body: &Bytes, record: &Record) -> bool {
        let ids = record.id.as_str().len()
            + record.session_id.as_ref().map_or(0, |id| id.as_str().len())
            + record.project_id.as_ref().map_or(0, |id| id.as_str().len())
            + record.author.as_str().len();
        // Tags, lengths, times and the fingerprint take less than 128 bytes.
        debug_assert!(ids + 128 <= HEAD_RESERVE_BYTES);
        body.len() + ids + 128 <= self.store.max_record_bytes()
    }

    /// Seals an entry with its body. Sets where the body is.
    pub(super) fn put(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        record: &mut Record,
        body: Bytes,
        text: &str,
        operations: &mut Vec<Operation>,
    ) -> Result<(), WriteError> {
        if self.fits_inline(&body, record) {
            record.body = StoredBody::Inline(body);
        } else {
            let chunk_bytes = self.store.max_record_bytes();
            let revision = random_revision()?;
            let mut count = 0;
            for part in body.chunks(chunk_bytes) {
                let key = StorageKey::chunk(&self.user, scope, entry, revision, count);
                let sealed = seal(&self.data_key, &key, RecordType::Chunk, part)?;
                operations.push(Operation::Put { key, sealed });
                count += 1;
            }
            record.body = StoredBody::Chunked {
                revision,
                count,
                bytes: body.len() as u64,
                text: StoredBody::head_text(text),
            };
        }
        let key = StorageKey::entry(&self.user, scope, entry);
        let sealed = seal(&self.data_key, &key, RecordType::Entry, &record.encode())?;
        operations.push(Operation::Put { key, sealed });
        if let Some(expiry) = record.expire_time {
            let key = StorageKey::expiry(&self.user, expiry_time(expiry), scope, entry);
            let sealed = seal(&self.data_key, &key, RecordType::Expiry, &[])?;
            operations.push(Operation::Put { key, sealed });
        }
        Ok(())
    }

    /// Puts the mark of a deleted entry where the entry was.
    pub(super) fn bury(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        tombstone: &Tombstone,
        operations: &mut Vec<Operation>,
    ) -> Result<(), WriteError> {
        let key = StorageKey::entry(&self.user, scope, entry);
        let sealed = seal(&self.data_key, &key, RecordType::Tombstone, &tombstone.encode())?;
        operations.push(Operation::Put { key, sealed });
        Ok(())
    }

    /// Removes the rows that belong to an entry's record: chunks and expiry, not the record itself.
    pub(super) fn drop_attachments(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        standing: &Standing,
        operations: &mut Vec<Operation>,
    ) -> Result<(), ReadError> {
        match standing {
            Standing::Buried(_) => {}
            Standing::Entry(record) => {
                if let StoredBody::Chunked { revision, count, .. } = record.body {
                    operations.extend((0..count).map(|index| Operation::Delete {
                        key: StorageKey::chunk(&self.user, scope, entry, revision, index),
                    }));
                }
                if let Some(expiry) = record.expire_time {
                    operations.push(Operation::Delete {
                        key: StorageKey::expiry(&self.user, expiry_time(expiry), scope, entry),
                    });
                }
            }
            // Which chunks it had can't be read; all of them are looked for.
            Standing::Damaged(_) => {
                let range = KeyRange::chunks_of_entry(&self.user, scope, entry);
                for key in self.all_keys(&range)? {
                    operations.push(Operation::Delete { key });
                }
            }
        }
        Ok(())
    }

    /// Every key of a range.
    pub(super) fn all_keys(&self, range: &KeyRange) -> Result<Vec<StorageKey>, ReadError> {
        let mut keys = Vec::new();
        let mut rest = range.clone();
        loop {
            let page = self.store.scan_keys(&rest, PAGE_ROWS)?;
            let full = page.len() == PAGE_ROWS;
            if let Some(last) = page.last() {
                rest = rest.after(last);
            }
            for key in page {
                match StorageKey::from_stored(key) {
                    Ok(key) => keys.push(key),
                    Err(error) => tracing::error!(%error, "a row is left alone"),
                }
            }
            if !full {
                return Ok(keys);
            }
        }
    }

    /// The body of an entry, read from its chunks if need be. `None`: it was deleted meanwhile.
    pub(super) fn body(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        record: &Record,
    ) -> Result<Option<EntryBody>, ReadError> {
        let damaged = |damage: Damage| ReadError::Damaged { name: record.id.to_string(), damage };
        let (revision, count, length) = match &record.body {
            StoredBody::Inline(bytes) => {
                return decode_body(bytes.clone()).map(Some).map_err(|error| damaged(error.into()));
            }
            StoredBody::Chunked { revision, count, bytes, text: _ } => (*revision, *count, *bytes),
        };
        let mut body = BytesMut::with_capacity(usize::try_from(length).unwrap_or_default());
        let mut rest = KeyRange::chunks_of_revision(&self.user, scope, entry, revision);
        loop {
            let page = self.store.scan(&rest, PAGE_ROWS)?;
            for (key, stored) in &page {
                let part =
                    open(&self.data_key, key, stored).map_err(|error| damaged(error.into()))?;
                body.extend_from_slice(&part.content);
            }
            match page.last() {
                Some((last, _)) if page.len() == PAGE_ROWS => rest = rest.after(last),
                _ => break,
            }
        }
        if body.is_empty() && count > 0 {
            return Ok(None);
        }
        if body.len() as u64 != length {
            return Err(damaged(Damage::Incomplete));
        }
        decode_body(body.freeze()).map(Some).map_err(|error| damaged(error.into()))
    }
}

/// A time as expiry rows are ordered by it.
pub(super) fn expiry_time(timestamp: Timestamp) -> ExpiryTime {
    ExpiryTime { seconds: timestamp.seconds(), nanoseconds: timestamp.nanos() }
}

fn random_revision() -> Result<u64, WriteError> {
    getrandom::u64().map_err(|error| {
        WriteError::Read(ReadError::Internal(format!("the system gave no random numbers: {error}")))
    })
}
