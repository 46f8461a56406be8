//! Reading a tenant from the store into memory.

use std::sync::mpsc;

use super::error::{Damage, ReadError};
use super::index_row::IndexRow;
use super::index_rows::{SealedIndexRow, SealedIndexRows};
use super::read::is_replaced;
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

/// What stands at an entry's key, read but for what search keeps of it.
enum ReadRow {
    Entry {
        digest: EntryDigest,
        /// The commit that wrote the record.
        commit: u64,
        record: Box<Record>,
        kept: Option<SealedIndexRow>,
    },
    Mark(EntryDigest, Tombstone),
}

type ReadPage = Vec<(ScopeDigest, ReadRow)>;

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
        watermark: rows.store.watermark(),
        rest: Some(KeyRange::kind(&rows.user, Kind::Entry)),
        met_writes: false,
    };
    let mut unpacker = Unpacker { rows, embedder, met_writes: false };
    if let Some(page) = reader.next_page()? {
        take(unpacker.unpack(page)?);
    }
    if reader.rest.is_none() {
        return Ok(reader.met_writes || unpacker.met_writes);
    }
    // More than a page: reading goes on while what was read is unpacked and indexed, each half of the
    // work.
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
            take(unpacker.unpack(page)?);
        }
        let ended = reading.join();
        let met_writes =
            ended.unwrap_or_else(|_| Err(ReadError::Internal("loading panicked".to_owned())))?;
        Ok(met_writes || unpacker.met_writes)
    })
}

/// Reads a user's rows in the order of their keys.
struct Reader<'a> {
    rows: &'a UserRows,
    /// Commits above it may not be acknowledged yet.
    watermark: u64,
    /// What is still to be read; `None` at the end.
    rest: Option<KeyRange>,
    met_writes: bool,
}

impl Reader<'_> {
    fn next_page(&mut self) -> Result<Option<ReadPage>, ReadError> {
        let Some(rest) = self.rest.take() else { return Ok(None) };
        let page = self.rows.store.scan(&rest, PAGE_ROWS)?;
        if let Some((last, _)) = page.last().filter(|_| page.len() == PAGE_ROWS) {
            self.rest = Some(rest.after(last));
        }
        let mut kept = self.rows.index_rows_beside(&page)?;
        let mut read = Vec::with_capacity(page.len());
        for row in &page {
            let Ok(KeyParts::Entry { scope, entry, .. }) = KeyParts::parse(&row.0) else {
                continue;
            };
            if let Some(row) = self.read_row(&scope, entry, row, &mut kept)? {
                read.push((scope, row));
            }
        }
        Ok(Some(read))
    }

    fn read_row(
        &mut self,
        scope: &ScopeDigest,
        digest: EntryDigest,
        (key, stored): &Row,
        kept: &mut SealedIndexRows,
    ) -> Result<Option<ReadRow>, ReadError> {
        let commit = read_header(key, stored).map_or(0, |header| header.commit);
        if commit > self.watermark {
            self.met_writes = true;
            return Ok(None);
        }
        match self.rows.parse(key, stored) {
            Standing::Entry(record) => {
                let kept = kept.take(scope, &digest);
                Ok(Some(ReadRow::Entry { digest, commit, record, kept }))
            }
            Standing::Buried(tombstone) => Ok(Some(ReadRow::Mark(digest, tombstone))),
            Standing::Damaged(damage) => {
                report(&damaged(&digest, damage));
                Ok(None)
            }
        }
    }
}

/// Makes what was read ready for memory.
struct Unpacker<'a> {
    rows: &'a UserRows,
    embedder: Option<&'a EmbedderIdentity>,
    met_writes: bool,
}

impl Unpacker<'_> {
    fn unpack(&mut self, page: ReadPage) -> Result<LoadedPage, ReadError> {
        let mut loaded = Vec::with_capacity(page.len());
        for (scope, row) in page {
            let (digest, commit, record, kept) = match row {
                ReadRow::Entry { digest, commit, record, kept } => (digest, commit, record, kept),
                ReadRow::Mark(digest, tombstone) => {
                    loaded.push((scope, LoadedRow::Mark(digest, tombstone)));
                    continue;
                }
            };
            let index = kept
                .and_then(|row| self.rows.open_index(&row))
                .filter(|row| row.entry_commit == commit);
            let terms = match index.as_ref().and_then(IndexRow::terms) {
                Some(terms) => Some(terms),
                None => self.analyse(&scope, &digest, &record)?,
            };
            let of_embedder = |row: &IndexRow| self.embedder.is_some_and(|made| row.is_of(made));
            let vector = index.filter(of_embedder).and_then(IndexRow::into_vector);
            if let Some(terms) = terms {
                let addition = Addition::new(*record, digest, terms, vector);
                loaded.push((scope, LoadedRow::Entry(Box::new(addition))));
            }
        }
        Ok(loaded)
    }

    /// The terms of an entry of which none are kept. `None`: its text can't be read.
    fn analyse(
        &mut self,
        scope: &ScopeDigest,
        digest: &EntryDigest,
        record: &Record,
    ) -> Result<Option<EntryTerms>, ReadError> {
        if let StoredBody::Chunked { text: Some(text), .. } = &record.body {
            return Ok(Some(EntryTerms::of(text)));
        }
        let error = match self.rows.front(scope, digest, record) {
            Ok(Some(front)) => return Ok(Some(EntryTerms::of(&front.text))),
            Ok(None) => damaged(digest, Damage::Incomplete),
            Err(error @ ReadError::Damaged { .. }) => error,
            Err(error) => return Err(error),
        };
        // Rewritten or deleted while it was read: what became of it comes through the inbox.
        if is_replaced(self.rows, scope, digest, record)? {
            self.met_writes = true;
        } else {
            report(&error);
        }
        Ok(None)
    }
}

fn report(error: &ReadError) {
    tracing::error!(%error, "entry left out of the index");
}

/// Names an entry by its digest, where its id can't be read.
pub(super) fn damaged(digest: &EntryDigest, damage: Damage) -> ReadError {
    let name = format!("#{}", data_encoding::HEXLOWER.encode(&digest.0));
    ReadError::Damaged { name, damage }
}
