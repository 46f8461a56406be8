//! Reading a tenant from the store into memory.

use super::change::{Change, IndexSource, TermSource};
use super::error::{Damage, ReadError};
use super::index_row::IndexRow;
use super::record::{Record, StoredBody};
use super::rows::{PAGE_ROWS, Standing, UserRows};
use crate::recall::analysis::EntryTerms;
use crate::recall::vector::Vector;
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
/// record is reported and left out, the others are served. Vectors of other embedders than the one in
/// use are left out: the indexer makes new ones.
pub(super) fn load(rows: &UserRows, embedder: Option<&str>) -> Result<Loaded, ReadError> {
    let watermark = rows.store.watermark();
    let mut changes = Vec::new();
    let mut met_writes = false;
    let mut rest = KeyRange::kind(&rows.user, Kind::Entry);
    loop {
        let page = rows.store.scan(&rest, PAGE_ROWS)?;
        let mut kept = rows.index_rows_beside(&page)?;
        for (key, stored) in &page {
            let Ok(KeyParts::Entry { scope, entry, .. }) = KeyParts::parse(key) else { continue };
            let commit = read_header(key, stored).map_or(0, |header| header.commit);
            if commit > watermark {
                met_writes = true;
                continue;
            }
            let change = match rows.parse(key, stored) {
                Standing::Entry(record) => {
                    let row = kept.take(&scope, &entry).filter(|row| row.entry_commit == commit);
                    let kept_vector = row
                        .as_ref()
                        .is_some_and(|row| embedder.is_some_and(|name| row.is_of(name)));
                    let kept_terms = row.as_ref().and_then(IndexRow::terms);
                    let vector = row.filter(|_| kept_vector).and_then(IndexRow::into_vector);
                    upsert(rows, scope, entry, record, kept_terms, vector)
                }
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
    kept_terms: Option<EntryTerms>,
    vector: Option<Vector>,
) -> Result<Change, ReadError> {
    let terms = match kept_terms {
        Some(terms) => TermSource::Terms(terms),
        None => TermSource::Text(text(rows, &scope, &digest, &record)?),
    };
    Ok(Change::Upsert { scope, digest, record, source: IndexSource { terms, vector } })
}

/// The searchable text of an entry.
fn text(
    rows: &UserRows,
    scope: &ScopeDigest,
    digest: &EntryDigest,
    record: &Record,
) -> Result<String, ReadError> {
    if let StoredBody::Chunked { text: Some(text), .. } = &record.body {
        return Ok(text.clone());
    }
    match rows.front(scope, digest, record)? {
        Some(front) => Ok(front.text),
        None => Err(damaged(digest, Damage::Incomplete)),
    }
}

/// Names an entry by its digest, where its id can't be read.
pub(super) fn damaged(digest: &EntryDigest, damage: Damage) -> ReadError {
    let name = format!("#{}", data_encoding::HEXLOWER.encode(&digest.0));
    ReadError::Damaged { name, damage }
}
