//! Reading a tenant from the store into memory.

use std::sync::mpsc;

use super::error::{Damage, ReadError};
use super::index_row::IndexRow;
use super::index_rows::IndexRows;
use super::record::{Record, StoredBody, Tombstone};
use super::rows::{PAGE_ROWS, Standing, UserRows};
use super::scope_memory::Addition;
use crate::embed::EmbedderIdentity;
use crate::recall::analysis::EntryTerms;
use crate::store::{EntryDigest, KeyParts, KeyRange, Kind, Row, ScopeDigest, read_header};

/// Pages that wait for being taken in: while one is indexed, the next is read.
const PAGES_AHEAD: usize = 2;

/// What stands at an entry's key, ready to be taken into memory.
pub(super) enum LoadedRow {
    /// An entry.
    Entry(Box<Addition>),
    /// The mark of a deleted one.
    Mark(EntryDigest, Tombstone),
}

/// A page of rows with the scopes they are in.
pub(super) type LoadedPage = Vec<(ScopeDigest, LoadedRow)>;

/// Reads every entry and mark of a user and hands them over page by page; answers whether rows were
/// being written meanwhile. What those replaced is not handed over, so the tenant is whole only when
/// these commits have come through the inbox.
///
/// Rows of commits that aren't acknowledged yet are left out: they come through the inbox. A damaged
/// record is reported and left out, the others are served. Vectors of other embedders than the one in
/// use are left out: the indexer makes new ones.
pub(super) fn load(
    rows: &UserRows,
    embedder: Option<&EmbedderIdentity>,
    take: &mut dyn FnMut(LoadedPage),
) -> Result<bool, ReadError> {
    let mut reader = Reader {
        rows,
        embedder,
        watermark: rows.store.watermark(),
        rest: Some(KeyRange::kind(&rows.user, Kind::Entry)),
        met_writes: false,
    };
    if let Some(page) = reader.next_page()? {
        take(page);
    }
    if reader.rest.is_none() {
        return Ok(reader.met_writes);
    }
    // More than a page: reading and indexing go side by side.
    let (sender, receiver) = mpsc::sync_channel(PAGES_AHEAD);
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || {
            while let Some(page) = reader.next_page()? {
                if sender.send(page).is_err() {
                    break;
                }
            }
            Ok(reader.met_writes)
        });
        for page in receiver {
            take(page);
        }
        let ended = reading.join();
        ended.unwrap_or_else(|_| Err(ReadError::Internal("loading panicked".to_owned())))
    })
}

/// Reads a user's rows in the order of their keys.
struct Reader<'a> {
    rows: &'a UserRows,
    embedder: Option<&'a EmbedderIdentity>,
    /// Commits above it may not be acknowledged yet.
    watermark: u64,
    /// What is still to be read; `None` at the end.
    rest: Option<KeyRange>,
    met_writes: bool,
}

impl Reader<'_> {
    fn next_page(&mut self) -> Result<Option<LoadedPage>, ReadError> {
        let Some(rest) = self.rest.take() else { return Ok(None) };
        let page = self.rows.store.scan(&rest, PAGE_ROWS)?;
        if let Some((last, _)) = page.last().filter(|_| page.len() == PAGE_ROWS) {
            self.rest = Some(rest.after(last));
        }
        let mut kept = self.rows.index_rows_beside(&page)?;
        let mut loaded = Vec::with_capacity(page.len());
        for row in &page {
            let Ok(KeyParts::Entry { scope, entry, .. }) = KeyParts::parse(&row.0) else {
                continue;
            };
            if let Some(row) = self.load_row(scope, entry, row, &mut kept)? {
                loaded.push((scope, row));
            }
        }
        Ok(Some(loaded))
    }

    fn load_row(
        &mut self,
        scope: ScopeDigest,
        entry: EntryDigest,
        (key, stored): &Row,
        kept: &mut IndexRows,
    ) -> Result<Option<LoadedRow>, ReadError> {
        let commit = read_header(key, stored).map_or(0, |header| header.commit);
        if commit > self.watermark {
            self.met_writes = true;
            return Ok(None);
        }
        let loaded = match self.rows.parse(key, stored) {
            Standing::Entry(record) => {
                let index = kept.take(&scope, &entry).filter(|row| row.entry_commit == commit);
                self.addition(&scope, entry, record, index).map(LoadedRow::Entry)
            }
            Standing::Buried(tombstone) => Ok(LoadedRow::Mark(entry, tombstone)),
            Standing::Damaged(damage) => Err(damaged(&entry, damage)),
        };
        match loaded {
            Ok(row) => Ok(Some(row)),
            // Rewritten or deleted while it was read: what became of it comes through the inbox.
            Err(ReadError::Damaged { .. }) if self.rows.is_rewritten(&scope, &entry, stored)? => {
                self.met_writes = true;
                Ok(None)
            }
            Err(error @ ReadError::Damaged { .. }) => {
                tracing::error!(%error, "entry left out of the index");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// An entry with what was kept of its analysis and its meaning.
    fn addition(
        &self,
        scope: &ScopeDigest,
        digest: EntryDigest,
        record: Box<Record>,
        index: Option<IndexRow>,
    ) -> Result<Box<Addition>, ReadError> {
        let terms = match index.as_ref().and_then(IndexRow::terms) {
            Some(terms) => terms,
            None => EntryTerms::of(&self.text(scope, &digest, &record)?),
        };
        let of_embedder = |row: &IndexRow| self.embedder.is_some_and(|made| row.is_of(made));
        let vector = index.filter(of_embedder).and_then(IndexRow::into_vector);
        Ok(Box::new(Addition::new(*record, digest, terms, vector)))
    }

    /// The searchable text of an entry.
    fn text(
        &self,
        scope: &ScopeDigest,
        digest: &EntryDigest,
        record: &Record,
    ) -> Result<String, ReadError> {
        if let StoredBody::Chunked { text: Some(text), .. } = &record.body {
            return Ok(text.clone());
        }
        match self.rows.front(scope, digest, record)? {
            Some(front) => Ok(front.text),
            None => Err(damaged(digest, Damage::Incomplete)),
        }
    }
}

/// Names an entry by its digest, where its id can't be read.
pub(super) fn damaged(digest: &EntryDigest, damage: Damage) -> ReadError {
    let name = format!("#{}", data_encoding::HEXLOWER.encode(&digest.0));
    ReadError::Damaged { name, damage }
}
