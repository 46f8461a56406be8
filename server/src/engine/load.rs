//! Reading a tenant from the store into memory.

use super::change::Change;
use super::error::{Damage, ReadError};
use super::record::{Record, StoredBody};
use super::rows::{PAGE_ROWS, Standing, UserRows};
use crate::store::{EntryDigest, KeyParts, KeyRange, Kind, ScopeDigest, read_header};

/// What was read of a tenant.
pub(super) struct Loaded {
    /// Every entry and mark.
    pub(super) changes: Vec<Change>,
    /// Whether rows were being written meanwhile; what they replaced is not among the changes, so the
    /// tenant is whole only when these commits have come through the inbox.
    pub(super) met_writes: bool,
}

/// Every entry and mark of a user, as the changes that lead to them.
///
/// Rows of commits that aren't acknowledged yet are left out: they come through the inbox. A damaged
/// record is reported and left out, the others are served.
pub(super) fn load(rows: &UserRows) -> Result<Loaded, ReadError> {
    let watermark = rows.store.watermark();
    let mut changes = Vec::new();
    let mut met_writes = false;
    let mut rest = KeyRange::kind(&rows.user, Kind::Entry);
    loop {
        let page = rows.store.scan(&rest, PAGE_ROWS)?;
        for (key, stored) in &page {
            let Ok(KeyParts::Entry { scope, entry, .. }) = KeyParts::parse(key) else { continue };
            if read_header(key, stored).is_ok_and(|header| header.commit > watermark) {
                met_writes = true;
                continue;
            }
            let change = match rows.parse(key, stored) {
                Standing::Entry(record) => upsert(rows, scope, entry, record),
                Standing::Buried(tombstone) => Ok(Change::Bury { scope, digest: entry, tombstone }),
                Standing::Damaged(damage) => Err(damaged(&entry, damage)),
            };
            match change {
                Ok(change) => changes.push(change),
                // Rewritten or deleted while it was read: what became of it comes through the inbox.
                Err(ReadError::Damaged { .. }) if rows.is_rewritten(&scope, &entry, stored)? => {
                    met_writes = true;
                }
                Err(error @ ReadError::Damaged { .. }) => {
                    tracing::error!(%error, "entry left out of the index");
                }
                Err(error) => return Err(error),
            }
        }
        match page.last() {
            Some((last, _)) if page.len() == PAGE_ROWS => rest = rest.after(last),
            _ => return Ok(Loaded { changes, met_writes }),
        }
    }
}

fn upsert(
    rows: &UserRows,
    scope: ScopeDigest,
    digest: EntryDigest,
    record: Box<Record>,
) -> Result<Change, ReadError> {
    let text = match &record.body {
        StoredBody::Chunked { text: Some(text), .. } => text.clone(),
        StoredBody::Chunked { text: None, .. } | StoredBody::Inline(_) => {
            match rows.front(&scope, &digest, &record)? {
                Some(front) => front.text,
                None => return Err(damaged(&digest, Damage::Incomplete)),
            }
        }
    };
    Ok(Change::Upsert { scope, digest, record, text })
}

/// Names an entry by its digest, where its id can't be read.
pub(super) fn damaged(digest: &EntryDigest, damage: Damage) -> ReadError {
    let name = format!("#{}", data_encoding::HEXLOWER.encode(&digest.0));
    ReadError::Damaged { name, damage }
}
