//! Reading a tenant from the store into memory.

use super::change::Change;
use super::error::{Damage, ReadError};
use super::record::{Record, StoredBody, body_text};
use super::rows::{PAGE_ROWS, Standing, UserRows};
use crate::store::{EntryDigest, KeyParts, KeyRange, Kind, ScopeDigest, read_header};

/// Every entry and mark of a user, as the changes that lead to them.
///
/// Rows of commits that aren't acknowledged yet are left out: they come through the inbox. A damaged
/// record is reported and left out, the others are served.
pub(super) fn load(rows: &UserRows) -> Result<Vec<Change>, ReadError> {
    let watermark = rows.store.watermark();
    let mut changes = Vec::new();
    let mut rest = KeyRange::kind(&rows.user, Kind::Entry);
    loop {
        let page = rows.store.scan(&rest, PAGE_ROWS)?;
        for (key, stored) in &page {
            let Ok(KeyParts::Entry { scope, entry, .. }) = KeyParts::parse(key) else { continue };
            if read_header(key, stored).is_ok_and(|header| header.commit > watermark) {
                continue;
            }
            let change = match rows.parse(key, stored) {
                Standing::Entry(record) => upsert(rows, scope, entry, record),
                Standing::Buried(tombstone) => Ok(Change::Bury { scope, digest: entry, tombstone }),
                Standing::Damaged(damage) => Err(damaged(&entry, damage)),
            };
            match change {
                Ok(change) => changes.push(change),
                Err(error @ ReadError::Damaged { .. }) => {
                    tracing::error!(%error, "entry left out of the index");
                }
                Err(error) => return Err(error),
            }
        }
        match page.last() {
            Some((last, _)) if page.len() == PAGE_ROWS => rest = rest.after(last),
            _ => return Ok(changes),
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
            match rows.body(&scope, &digest, &record)? {
                Some(body) => body_text(&body).map_err(|error| damaged(&digest, error.into()))?,
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
