//! Large bodies in rows of their own, and what can be read of them without their blobs.

use bytes::{Bytes, BytesMut};

use super::body::{body_text, decode_body, decode_front, encode_chunked};
use super::error::{Damage, ReadError, WriteError};
use super::record::{Record, StoredBody};
use super::rows::{PAGE_ROWS, UserRows};
use crate::domain::{Content, EntryBody};
use crate::store::{
    EntryDigest, KeyRange, Operation, RecordType, ScopeDigest, StorageKey, open, seal,
};

impl UserRows {
    /// Seals a large body in rows of its own.
    pub(super) fn put_chunks(
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

fn random_revision() -> Result<u64, WriteError> {
    getrandom::u64().map_err(|error| {
        WriteError::Read(ReadError::Internal(format!("the system gave no random numbers: {error}")))
    })
}
