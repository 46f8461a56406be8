//! Entries as rows of the store: sealing them, reading them back, and which rows go when one goes.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

use super::change::TenantChange;
use super::error::{Damage, ReadError, WriteError};
use super::record::{
    Record, StoredBody, Tombstone, body_text, decode_body, decode_front, encode_chunked,
    encode_inline,
};
use crate::domain::{Content, EntryBody, EntryId, Timestamp};
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
            RecordType::Chunk | RecordType::Expiry => {
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

    /// Seals a large body in rows of its own.
    fn put_chunks(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        content: &Content,
        metadata_json: Option<&str>,
        operations: &mut Vec<Operation>,
    ) -> Result<StoredBody, WriteError> {
        let (body, front_bytes) = encode_chunked(content, metadata_json);
        let row_bytes = self.store.max_record_bytes();
        let revision = random_revision()?;
        let mut count = 0;
        for part in body.chunks(row_bytes) {
            let key = StorageKey::chunk(&self.user, scope, entry, revision, count);
            let sealed = seal(&self.data_key, &key, RecordType::Chunk, part)?;
            operations.push(Operation::Put { key, sealed });
            count += 1;
        }
        Ok(StoredBody::Chunked {
            revision,
            count,
            bytes: body.len() as u64,
            row_bytes: u32::try_from(row_bytes).unwrap_or(u32::MAX),
            front_bytes,
            text: StoredBody::head_text(content.text()),
        })
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

    /// Whether an entry's row is another one than it was when it was read.
    pub(super) fn is_rewritten(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        as_read: &[u8],
    ) -> Result<bool, ReadError> {
        let stored = self.store.get(&StorageKey::entry(&self.user, scope, entry))?;
        Ok(stored.as_deref() != Some(as_read))
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
        let bytes = match &record.body {
            StoredBody::Inline(bytes) => Some(bytes.clone()),
            StoredBody::Chunked { revision, count, bytes, .. } => self
                .chunks(scope, entry, *revision, *count, *bytes)
                .map_err(damaged_or(&damaged))?,
        };
        let body = bytes.map(decode_body).transpose();
        body.map_err(|error| damaged(error.into()))
    }

    /// Metadata and searchable text of an entry, without its blobs. `None`: it was deleted meanwhile.
    pub(super) fn front(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        record: &Record,
    ) -> Result<Option<Front>, ReadError> {
        let damaged = |damage: Damage| ReadError::Damaged { name: record.id.to_string(), damage };
        let (revision, row_bytes, front_bytes, head_text) = match &record.body {
            StoredBody::Inline(bytes) => {
                let body = decode_body(bytes.clone()).map_err(|error| damaged(error.into()))?;
                let text = body_text(&body).map_err(|error| damaged(error.into()))?;
                return Ok(Some(Front { metadata_json: body.metadata_json, text }));
            }
            StoredBody::Chunked { revision, row_bytes, front_bytes, text, .. } => {
                (*revision, u64::from(*row_bytes).max(1), *front_bytes, text)
            }
        };
        let rows = u32::try_from(front_bytes.div_ceil(row_bytes)).unwrap_or(u32::MAX);
        // The last of these rows usually goes on with the content.
        let at_least = self.chunks_at_least(scope, entry, revision, rows, front_bytes);
        let Some(bytes) = at_least.map_err(damaged_or(&damaged))? else { return Ok(None) };
        let front =
            bytes.slice(..usize::try_from(front_bytes).unwrap_or(usize::MAX).min(bytes.len()));
        let (metadata_json, text) = decode_front(front).map_err(|error| damaged(error.into()))?;
        let text = text.or_else(|| head_text.clone()).unwrap_or_default();
        Ok(Some(Front { metadata_json, text }))
    }

    /// All rows of a chunked body, which must be `length` bytes long; `None` if none is there.
    fn chunks(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        revision: u64,
        count: u32,
        length: u64,
    ) -> Result<Option<Bytes>, ChunkError> {
        let bytes = self.chunks_at_least(scope, entry, revision, count, length)?;
        match bytes {
            Some(bytes) if bytes.len() as u64 != length => Err(Damage::Incomplete.into()),
            bytes => Ok(bytes),
        }
    }

    /// The first rows of a chunked body, which must be at least `length` bytes long; `None` if none is
    /// there.
    fn chunks_at_least(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        revision: u64,
        count: u32,
        length: u64,
    ) -> Result<Option<Bytes>, ChunkError> {
        let mut left = usize::try_from(count).unwrap_or(usize::MAX);
        let mut bytes = BytesMut::with_capacity(usize::try_from(length).unwrap_or_default());
        let mut rest = KeyRange::chunks_of_revision(&self.user, scope, entry, revision);
        while left > 0 {
            let page = self.store.scan(&rest, left.min(PAGE_ROWS))?;
            let Some((last, _)) = page.last() else { break };
            rest = rest.after(last);
            left -= page.len();
            for (key, stored) in &page {
                let part = open(&self.data_key, key, stored).map_err(Damage::from)?;
                bytes.extend_from_slice(&part.content);
            }
        }
        if bytes.is_empty() && count > 0 {
            return Ok(None);
        }
        if (bytes.len() as u64) < length {
            return Err(Damage::Incomplete.into());
        }
        Ok(Some(bytes.freeze()))
    }
}

/// What loading and filtering need of an entry.
pub(super) struct Front {
    pub(super) metadata_json: Option<String>,
    /// What is searched.
    pub(super) text: String,
}

/// Why chunks couldn't be read.
#[derive(Debug, thiserror::Error)]
enum ChunkError {
    #[error(transparent)]
    Damage(#[from] Damage),
    #[error(transparent)]
    Store(#[from] crate::store::ReadError),
}

/// Gives damage the name of its entry.
fn damaged_or(damaged: &impl Fn(Damage) -> ReadError) -> impl Fn(ChunkError) -> ReadError {
    move |error| match error {
        ChunkError::Damage(damage) => damaged(damage),
        ChunkError::Store(error) => error.into(),
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
