//! Giving entries their terms and vectors to keep, in rows of their own beside the records.

use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

use super::Engine;
use super::backlog::EntryPlace;
use super::change::{Change, TenantChange};
use super::error::{ReadError, WriteError};
use super::index_row::{IndexRow, PackedTerms};
use super::rows::{PAGE_ROWS, Standing, UserRows};
use crate::domain::Timestamp;
use crate::embed::{self, EmbedError, Embedder, Purpose};
use crate::recall::analysis::EntryTerms;
use crate::recall::vector::Vector;
use crate::store::{
    CommitError, Condition, KeyParts, KeyRange, Kind, Proposal, RecordType, StorageKey, UserKey,
    read_header,
};

/// What an embedder is given of a text, in bytes: more than any of them looks at, and so little that a
/// batch of long texts takes no memory worth speaking of.
const MOST_EMBEDDED_BYTES: usize = 32 * 1024;

/// Why entries couldn't be indexed.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexError {
    #[error(transparent)]
    Embed(#[from] EmbedError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The server is stopping.
    #[error("the indexer is stopping")]
    Closed,
    /// A bug; the place is in the log.
    #[error("indexing panicked")]
    Panicked,
}

/// An entry that has no vector yet, or one of another embedder.
struct Unindexed {
    place: EntryPlace,
    rows: UserRows,
    entry_commit: u64,
    fingerprint: [u8; 32],
    /// That the record is still the one that was read.
    as_read: Condition,
    terms: PackedTerms,
    /// What of the text the embedder may look at.
    text: String,
}

/// An entry whose row can be written.
struct Indexed {
    place: EntryPlace,
    as_read: Condition,
    fingerprint: [u8; 32],
    vector: Option<Vector>,
    row: IndexRow,
}

impl Engine {
    /// Indexes entries, resting while calls are being answered; answers which of them the embedder
    /// refuses. Blocks.
    pub(super) fn index_in_background(
        &self,
        places: &[EntryPlace],
    ) -> Result<Vec<EntryPlace>, IndexError> {
        self.index(places, Purpose::Entry, &|worked| self.rest_after(worked))
    }

    /// Indexes entries that an addition waits for; answers which of them the embedder refuses. Waits for
    /// an endpoint no longer than a query does. Blocks.
    pub(super) fn index_now(&self, places: &[EntryPlace]) -> Result<Vec<EntryPlace>, IndexError> {
        self.index(places, Purpose::Query, &|_| Ok(()))
    }

    /// Rests after having worked, while calls are being answered.
    fn rest_after(&self, worked: Duration) -> Result<(), IndexError> {
        let rest = self.parts.pace.rest_after(worked);
        let closed = if rest.is_zero() {
            self.parts.backlog.is_closed()
        } else {
            self.parts.backlog.sleep(rest)
        };
        if closed { Err(IndexError::Closed) } else { Ok(()) }
    }

    fn index(
        &self,
        places: &[EntryPlace],
        purpose: Purpose,
        rest: &dyn Fn(Duration) -> Result<(), IndexError>,
    ) -> Result<Vec<EntryPlace>, IndexError> {
        let Some(embedder) = self.embedder() else { return Ok(Vec::new()) };
        let knew_dims = embedder.identity().dims().is_some();
        let mut unindexed = Vec::with_capacity(places.len());
        for place in places {
            if let Some(rows) = self.rows(place.user)?
                && let Some(entry) = self.unindexed(rows, *place, embedder)?
            {
                unindexed.push(entry);
            }
        }
        let mut vectors: Vec<Embedded> = Vec::with_capacity(unindexed.len());
        for batch in unindexed.chunks(embedder.batch_size().max(1)) {
            let begun = Instant::now();
            vectors.extend(embed(embedder, batch, purpose)?);
            if embedder.work() == embed::Work::Processor {
                rest(begun.elapsed())?;
            }
        }
        if !knew_dims && embedder.identity().dims().is_some() {
            // Now that the length is known, rows of another one are told from its own.
            self.cache().forget_idle();
            self.parts.backlog.look_through();
        }
        let room = self.store().max_record_bytes();
        let name = embedder.identity().name();
        let mut refused = Vec::new();
        let mut indexed: Vec<(UserRows, Vec<Indexed>)> = Vec::new();
        for (entry, vector) in unindexed.into_iter().zip(vectors) {
            let Unindexed { place, rows, entry_commit, fingerprint, as_read, terms, text: _ } =
                entry;
            let vector = match vector {
                Embedded::Vector(vector) => Vector::quantise(&vector),
                Embedded::Nothing => None,
                Embedded::Refused => {
                    refused.push(place);
                    continue;
                }
            };
            let Some(row) = IndexRow::new(entry_commit, name, vector.clone(), terms, room) else {
                tracing::error!(embedder = name, "a vector is too long to be kept");
                refused.push(place);
                continue;
            };
            let entry = Indexed { place, as_read, fingerprint, vector, row };
            match indexed.last_mut() {
                Some((before, of_user)) if before.user == rows.user => of_user.push(entry),
                _ => indexed.push((rows, vec![entry])),
            }
        }
        for (rows, of_user) in indexed {
            self.put_index_rows(&rows, of_user)?;
        }
        Ok(refused)
    }

    /// What there is to do about an entry; `None`: nothing, it is indexed, or gone.
    fn unindexed(
        &self,
        rows: UserRows,
        place: EntryPlace,
        embedder: &dyn Embedder,
    ) -> Result<Option<Unindexed>, ReadError> {
        let EntryPlace { user, scope, entry } = place;
        let Some((standing, stored)) = rows.read(&scope, &entry)? else { return Ok(None) };
        let Standing::Entry(record) = standing else { return Ok(None) };
        if record.is_expired(Timestamp::now()) {
            return Ok(None);
        }
        let key = StorageKey::entry(&user, &scope, &entry);
        let Ok(header) = read_header(key.as_bytes(), &stored) else { return Ok(None) };
        let kept = rows.read_index(&scope, &entry)?;
        if kept.is_some_and(|row| is_current(&row, header.commit, embedder)) {
            return Ok(None);
        }
        let text = match rows.front(&scope, &entry, &record) {
            Ok(Some(front)) => front.text,
            // Rewritten or deleted while it was read, or damaged, which readers report.
            Ok(None) | Err(ReadError::Damaged { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Unindexed {
            place,
            rows,
            entry_commit: header.commit,
            fingerprint: record.fingerprint,
            as_read: Condition::ValueIs(key, Sha256::digest(&stored).into()),
            terms: PackedTerms::of(&EntryTerms::of(&text)),
            text: text[..text.floor_char_boundary(MOST_EMBEDDED_BYTES)].to_owned(),
        }))
    }

    /// Writes the rows of one user's entries, but for those that changed meanwhile.
    fn put_index_rows(&self, rows: &UserRows, mut entries: Vec<Indexed>) -> Result<(), IndexError> {
        while !entries.is_empty() {
            let mut operations = Vec::with_capacity(entries.len());
            for entry in &entries {
                let EntryPlace { user: _, scope, entry: digest } = &entry.place;
                rows.put_index(scope, digest, &entry.row, &mut operations)?;
            }
            let proposal = Proposal {
                conditions: entries.iter().map(|entry| entry.as_read.clone()).collect(),
                operations,
                payload: TenantChange { user: rows.user, changes: vector_changes(&entries) },
            };
            match self.store().submit(proposal).blocking_recv() {
                Ok(Ok(_)) => {
                    self.catch_up_now(rows.user);
                    return Ok(());
                }
                Ok(Err(CommitError::Conflict { condition })) if condition < entries.len() => {
                    entries.remove(condition);
                }
                Ok(Err(error)) => return Err(WriteError::from(error).into()),
                Err(_) => return Err(IndexError::Closed),
            }
        }
        Ok(())
    }

    /// Finds every entry that isn't indexed by the embedder in use. Blocks.
    pub(super) fn look_through(&self) -> Result<(), IndexError> {
        for user in self.store().key_ring().users() {
            // A user whose key is damaged is reported by its own calls.
            if let Ok(Some(rows)) = self.rows(user) {
                self.look_through_user(&rows)?;
            }
        }
        Ok(())
    }

    fn look_through_user(&self, rows: &UserRows) -> Result<(), IndexError> {
        let Some(embedder) = self.embedder() else { return Ok(()) };
        let watermark = self.store().watermark();
        let mut rest = KeyRange::kind(&rows.user, Kind::Entry);
        loop {
            let begun = Instant::now();
            let page = self.store().scan(&rest, PAGE_ROWS).map_err(ReadError::from)?;
            let mut kept = rows.index_rows_beside(&page)?;
            let missing = page.iter().filter_map(|(key, stored)| {
                let Ok(KeyParts::Entry { user, scope, entry }) = KeyParts::parse(key) else {
                    return None;
                };
                let header = read_header(key, stored).ok()?;
                // What isn't acknowledged yet comes by itself.
                if header.record_type != RecordType::Entry || header.commit > watermark {
                    return None;
                }
                let row = kept.take(&scope, &entry).and_then(|row| rows.open_index(&row));
                let current = row.is_some_and(|row| is_current(&row, header.commit, embedder));
                (!current).then_some(EntryPlace { user, scope, entry })
            });
            self.parts.backlog.add(missing);
            self.rest_after(begun.elapsed())?;
            match page.last() {
                Some((last, _)) if page.len() == PAGE_ROWS => rest = rest.after(last),
                _ => return Ok(()),
            }
        }
    }
}

/// What became of one text.
enum Embedded {
    Vector(Vec<f32>),
    /// It holds nothing to embed.
    Nothing,
    /// The embedder refuses this one; it is offered again later.
    Refused,
}

/// Embeds a batch. If it is refused as a whole, its texts are offered one by one: one that the embedder
/// can't take must not hold up the others.
fn embed(
    embedder: &dyn Embedder,
    batch: &[Unindexed],
    purpose: Purpose,
) -> Result<Vec<Embedded>, EmbedError> {
    let texts: Vec<&str> = batch.iter().map(|entry| entry.text.as_str()).collect();
    let embedded = |vector: Option<Vec<f32>>| vector.map_or(Embedded::Nothing, Embedded::Vector);
    let refusal = match embedder.embed(&texts, purpose) {
        Ok(vectors) => return Ok(vectors.into_iter().map(embedded).collect()),
        Err(error) if error.is_transient() || texts.len() == 1 => return Err(error),
        Err(error) => error,
    };
    let mut each = Vec::with_capacity(batch.len());
    for (text, entry) in texts.iter().zip(batch) {
        match embedder.embed(&[text], purpose) {
            Ok(vectors) => each.extend(vectors.into_iter().map(embedded)),
            Err(error) if error.is_transient() => return Err(error),
            Err(error) => {
                let entry = data_encoding::HEXLOWER.encode(&entry.place.entry.0);
                tracing::warn!(%error, entry, "an entry can't be embedded");
                each.push(Embedded::Refused);
            }
        }
    }
    // Not one was taken: the fault may well not be the texts'.
    let any_taken = each.iter().any(|outcome| matches!(outcome, Embedded::Vector(_)));
    if any_taken { Ok(each) } else { Err(refusal) }
}

/// Whether a row was made of this version of its entry, by this analyzer and embedder.
fn is_current(row: &IndexRow, entry_commit: u64, embedder: &dyn Embedder) -> bool {
    row.entry_commit == entry_commit && row.is_of(embedder.identity()) && row.is_of_analyzer()
}

fn vector_changes(entries: &[Indexed]) -> Vec<Change> {
    entries
        .iter()
        .map(|Indexed { place, as_read: _, fingerprint, vector, row: _ }| Change::Vector {
            scope: place.scope,
            digest: place.entry,
            fingerprint: *fingerprint,
            vector: vector.clone(),
        })
        .collect()
}

/// The entries that changes add, as what is to be indexed.
pub(super) fn added_places(user: UserKey, changes: &[Change]) -> Vec<EntryPlace> {
    changes
        .iter()
        .filter_map(|change| match change {
            Change::Upsert { scope, digest, .. } => {
                Some(EntryPlace { user, scope: *scope, entry: *digest })
            }
            Change::Vector { .. }
            | Change::Bury { .. }
            | Change::Remove { .. }
            | Change::DropScope { .. }
            | Change::DropAll => None,
        })
        .collect()
}
