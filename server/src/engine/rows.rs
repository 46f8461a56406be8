//! Entries as rows of the store: sealing them, reading them back, and which rows go when one goes.

use std::sync::Arc;

use bytes::Bytes;

use super::body::encode_inline;
use super::change::TenantChange;
use super::error::{Damage, ReadError, WriteError};
use super::record::{Record, StoredBody, Tombstone};
use crate::domain::{Content, EntryId, Timestamp};
use crate::store::{
    DataKey, EntryDigest, ExpiryTime, KeyRange, Operation, RecordType, ScopeDigest, StorageKey,
    Store, UserKey, open, read_header, seal,
};

/// What protobuf puts before an inline body: a tag and a length, which an empty body has shorter.
const LENGTH_PREFIX_BYTES: usize = 4;

/// Rows read at a time.
pub(super) const PAGE_ROWS: usize = 1_000;

/// Changes after which a deletion goes on in another commit: large entries have thousands of rows, and a
/// commit has a limit.
const PAGE_OPERATIONS: usize = 8_192;

/// Whether a deletion had better commit what it has.
pub(super) fn is_full_page(operations: &[Operation]) -> bool {
    operations.len() >= PAGE_OPERATIONS
}

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
    /// The name of an entry in storage keys.
    pub(super) fn entry_digest(&self, scope: &ScopeDigest, id: &EntryId) -> EntryDigest {
        self.store.digester().entry(&self.user, scope, id.as_str())
    }

    /// What is at an entry's key, with the stored bytes.
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
            RecordType::Chunk | RecordType::Expiry | RecordType::Index => {
                return Standing::Damaged(Damage::Incomplete);
            }
        };
        decoded.unwrap_or_else(|error| Standing::Damaged(error.into()))
    }

    /// Seals an entry. Sets where its body is: in the head if it fits there.
    pub(super) fn put(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        record: &mut Record,
        content: &Content,
        metadata_json: Option<&str>,
        operations: &mut Vec<Operation>,
    ) -> Result<(), WriteError> {
        let room = self.store.max_record_bytes();
        record.body = StoredBody::Inline(Bytes::new());
        let head_bytes = record.encode().len() + LENGTH_PREFIX_BYTES;
        // The content alone tells of a large one that it won't fit.
        let inline = (content.encoded().len() < room)
            .then(|| encode_inline(content, metadata_json))
            .filter(|body| head_bytes + body.len() <= room);
        record.body = match inline {
            Some(body) => StoredBody::Inline(body),
            None => self.put_chunks(scope, entry, content, metadata_json, operations)?,
        };
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

    /// Removes the rows that belong to an entry's record: chunks, expiry and what search keeps, not the
    /// record itself.
    pub(super) fn drop_attachments(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        standing: &Standing,
        operations: &mut Vec<Operation>,
    ) -> Result<(), ReadError> {
        if !matches!(standing, Standing::Buried(_)) {
            operations.push(Operation::Delete { key: StorageKey::index(&self.user, scope, entry) });
        }
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

    /// Whether what stands at an entry's key may not be on disk yet.
    pub(super) fn is_unsynced(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        found: Option<&(Standing, Vec<u8>)>,
    ) -> bool {
        let key = StorageKey::entry(&self.user, scope, entry);
        found.is_some_and(|(_, stored)| {
            read_header(key.as_bytes(), stored)
                .is_ok_and(|header| header.commit > self.store.watermark())
        })
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
}

/// A time as expiry rows are ordered by it.
pub(super) fn expiry_time(timestamp: Timestamp) -> ExpiryTime {
    ExpiryTime { seconds: timestamp.seconds(), nanoseconds: timestamp.nanos() }
}
