//! The entries of one scope of one tenant, in memory: by id, by time, by session, by word.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::doc::Doc;
use super::record::Record;
use crate::domain::{EntryId, SessionId, Timestamp};
use crate::recall::analysis::EntryTerms;
use crate::recall::index::{IndexedEntry, ScopeIndex};
use crate::recall::vector::Vector;
use crate::store::EntryDigest;

/// From this many changes on, lists are sorted or swept as a whole instead of changed in place.
const BULK: usize = 32;

/// From this many removals on, every posting is looked at once instead of analysing each text again.
const BULK_WORDS: usize = 512;

/// Entries before an added one that are looked at for the same author and session: those who talk in
/// turns, and what is added in between.
const SHARED_WITH: usize = 8;

/// Bytes of the mark of a deleted entry.
const TOMBSTONE_BYTES: usize = 96;

/// One scope of one tenant.
#[derive(Debug, Default)]
pub(super) struct ScopeMemory {
    /// Every entry by its number in the postings. A number is never used again.
    docs: Vec<Option<Arc<Doc>>>,
    /// Numbers by the digest of the entry's id.
    numbers: HashMap<EntryDigest, u32>,
    /// What ranking knows of the entries.
    index: ScopeIndex,
    /// Numbers in the order of listing, last first: event time, then id backwards.
    timeline: Vec<u32>,
    /// The sessions that have entries.
    sessions: HashMap<SessionId, Session>,
    /// How many sessions there have been: each gets a number of its own for the index.
    sessions_so_far: u32,
    /// Marks of deleted entries, with their session.
    tombstones: HashMap<EntryDigest, Option<SessionId>>,
    /// Entries with an expiry, soonest first.
    expiring: BTreeSet<(Timestamp, u32)>,
    /// Sum of [`Doc::approximate_bytes`].
    doc_bytes: usize,
}

/// The entries of one session.
#[derive(Debug)]
struct Session {
    /// Its number in the index.
    number: u32,
    /// Numbers of its entries in the order in which it was said.
    docs: Vec<u32>,
}

/// An entry to be added, with what it is indexed by.
pub(super) struct Addition {
    doc: Doc,
    terms: EntryTerms,
    /// `None`: there is none, or none yet.
    vector: Option<Vector>,
}

impl Addition {
    pub(super) fn new(
        record: Record,
        digest: EntryDigest,
        terms: EntryTerms,
        vector: Option<Vector>,
    ) -> Self {
        Self { doc: Doc::new(record, digest, &terms), terms, vector }
    }
}

/// A place in the order of listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ListPosition {
    pub(super) timestamp: Timestamp,
    pub(super) id: EntryId,
}

impl ListPosition {
    pub(super) fn of(doc: &Doc) -> Self {
        Self { timestamp: doc.record.timestamp, id: doc.record.id.clone() }
    }

    /// Newest first, then by id.
    pub(super) fn compare(&self, other: &Doc) -> Ordering {
        let Self { timestamp, id } = self;
        other.record.timestamp.cmp(timestamp).then_with(|| id.cmp(&other.record.id))
    }
}

/// The order of listing: newest first, then by id.
pub(super) fn listing_order(left: &Doc, right: &Doc) -> Ordering {
    let (left, right) = (&left.record, &right.record);
    right.timestamp.cmp(&left.timestamp).then_with(|| left.id.cmp(&right.id))
}

/// The order within a session: as it was said, then as it came.
fn session_order(left: &Doc, right: &Doc) -> Ordering {
    let key = |doc: &Doc| (doc.record.timestamp, doc.record.create_time, doc.record.ordinal);
    key(left).cmp(&key(right)).then_with(|| left.record.id.cmp(&right.record.id))
}

impl ScopeMemory {
    /// Adds or replaces entries.
    pub(super) fn upsert(&mut self, entries: Vec<Addition>, terms_of: TermsOf<'_>) {
        let digests: Vec<_> = entries.iter().map(|addition| addition.doc.digest).collect();
        let before: HashMap<_, _> =
            self.take_out(&digests, terms_of).into_iter().map(|doc| (doc.digest, doc)).collect();
        let mut added = Vec::with_capacity(entries.len());
        for mut addition in entries {
            // The same entry twice in one batch: the later one stands.
            let digest = addition.doc.digest;
            let earlier = self.take_out(&[digest], terms_of).pop();
            if let Some(earlier) = earlier.as_ref().or_else(|| before.get(&digest)) {
                addition.doc.succeed(earlier);
            }
            added.extend(self.enter(addition));
        }
        added.retain(|number| self.doc(*number).is_some());
        self.place(&added);
    }

    /// Gives an entry its vector, if it is still the version that the vector was made of.
    pub(super) fn set_vector(
        &mut self,
        digest: &EntryDigest,
        fingerprint: &[u8; 32],
        vector: Option<&Vector>,
    ) {
        let Some(number) = self.numbers.get(digest).copied() else { return };
        let Some(doc) = self.doc(number).cloned() else { return };
        if doc.record.fingerprint == *fingerprint {
            self.set_vector_of(number, vector);
        }
    }

    fn set_vector_of(&mut self, number: u32, vector: Option<&Vector>) {
        let Some(vector) = vector else { return };
        if !self.index.set_vector(number, vector) {
            // Another model behind the same name: what the earlier one made can't be compared.
            self.index.clear_vectors();
            self.index.set_vector(number, vector);
        }
    }

    /// Takes in an entry of a scope that is being loaded, where it can't be yet; its place among the
    /// others is found by [`ScopeMemory::finish_loading`].
    pub(super) fn load(&mut self, addition: Addition) {
        self.enter(addition);
    }

    /// Puts what was loaded in order.
    pub(super) fn finish_loading(&mut self) {
        let all: Vec<u32> = self.numbers.values().copied().collect();
        self.place(&all);
    }

    /// Gives an entry its number, and the index what it goes by.
    fn enter(&mut self, addition: Addition) -> Option<u32> {
        let Addition { mut doc, terms, vector } = addition;
        let Ok(number) = u32::try_from(self.docs.len()) else {
            tracing::error!("a scope has had more than 2^32 entries, an entry is left out");
            return None;
        };
        let author = doc.record.author.as_str();
        let day = doc.record.timestamp.day();
        self.index.insert(number, IndexedEntry { terms: &terms, author, day });
        self.set_vector_of(number, vector.as_ref());
        self.numbers.insert(doc.digest, number);
        if let Some(expiry) = doc.record.expire_time {
            self.expiring.insert((expiry, number));
        }
        for other in self.docs.iter().rev().take(SHARED_WITH).flatten() {
            doc.share_ids(other);
        }
        self.doc_bytes += doc.approximate_bytes();
        make_room(&mut self.docs);
        self.docs.push(Some(Arc::new(doc)));
        Some(number)
    }

    /// Deletes entries, and marks of deleted ones.
    pub(super) fn remove(&mut self, digests: &[EntryDigest], terms_of: TermsOf<'_>) {
        for doc in self.take_out(digests, terms_of) {
            doc.mark_gone();
        }
    }

    /// Takes entries out of every list, and marks of deleted ones.
    fn take_out(&mut self, digests: &[EntryDigest], terms_of: TermsOf<'_>) -> Vec<Arc<Doc>> {
        let mut gone: Vec<(u32, Arc<Doc>)> = Vec::new();
        for digest in digests {
            self.tombstones.remove(digest);
            if let Some(number) = self.numbers.remove(digest)
                && let Some(doc) = self.doc(number).cloned()
            {
                gone.push((number, doc));
            }
        }
        if gone.is_empty() {
            return Vec::new();
        }
        self.unplace(&gone);
        if gone.len() < BULK_WORDS {
            for (number, doc) in &gone {
                self.index.remove(*number, &terms_of(doc));
            }
        } else {
            let numbers: Vec<u32> = gone.iter().map(|(number, _)| *number).collect();
            self.index.remove_many(&numbers);
        }
        for (number, doc) in &gone {
            if let Some(expiry) = doc.record.expire_time {
                self.expiring.remove(&(expiry, *number));
            }
            self.doc_bytes -= doc.approximate_bytes();
            if let Some(slot) = self.docs.get_mut(*number as usize) {
                *slot = None;
            }
        }
        gone.into_iter().map(|(_, doc)| doc).collect()
    }

    /// Notes that an entry is deleted and stays so.
    pub(super) fn bury(&mut self, digest: EntryDigest, session: Option<SessionId>) {
        self.tombstones.insert(digest, session);
    }

    /// Takes out the entries whose time is over.
    pub(super) fn expire(&mut self, now: Timestamp, terms_of: TermsOf<'_>) {
        let due: Vec<EntryDigest> = self
            .expiring
            .iter()
            .take_while(|(expiry, _)| *expiry <= now)
            .filter_map(|(_, number)| self.doc(*number).map(|doc| doc.digest))
            .collect();
        self.remove(&due, terms_of);
    }

    /// Whether [`ScopeMemory::expire`] would take anything out.
    pub(super) fn has_expired(&self, now: Timestamp) -> bool {
        self.expiring.first().is_some_and(|(expiry, _)| *expiry <= now)
    }

    pub(super) fn mark_all_gone(&self) {
        for doc in self.docs.iter().flatten() {
            doc.mark_gone();
        }
    }

    pub(super) fn index(&self) -> &ScopeIndex {
        &self.index
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The entry of a number in the postings.
    pub(super) fn doc(&self, number: u32) -> Option<&Arc<Doc>> {
        self.docs.get(number as usize)?.as_ref()
    }

    /// All entries in the order of listing, from behind a place on.
    pub(super) fn listing<'a>(
        &'a self,
        after: Option<&ListPosition>,
    ) -> impl Iterator<Item = &'a Arc<Doc>> + use<'a> {
        let end = match after {
            None => self.timeline.len(),
            Some(position) => self.timeline.partition_point(|number| {
                self.doc(*number).is_some_and(|doc| position.compare(doc) == Ordering::Less)
            }),
        };
        self.timeline[..end].iter().rev().filter_map(|number| self.doc(*number))
    }

    /// All entries in the order of listing, from a place on, an entry at that very place included.
    pub(super) fn listing_from<'a>(
        &'a self,
        first: &ListPosition,
    ) -> impl Iterator<Item = &'a Arc<Doc>> + use<'a> {
        let end = self.timeline.partition_point(|number| {
            self.doc(*number).is_some_and(|doc| first.compare(doc) != Ordering::Greater)
        });
        self.timeline[..end].iter().rev().filter_map(|number| self.doc(*number))
    }

    /// Everything known of a session: its entries and the marks of deleted ones.
    pub(super) fn session_digests(&self, session: &SessionId) -> Vec<EntryDigest> {
        let marks = self.tombstones.iter().filter(|(_, of)| of.as_ref() == Some(session));
        let entries = self.sessions.get(session).into_iter().flat_map(|session| &session.docs);
        entries
            .filter_map(|number| self.doc(*number).map(|doc| doc.digest))
            .chain(marks.map(|(digest, _)| *digest))
            .collect()
    }

    /// Up to `reach` entries before and after one in its session.
    pub(super) fn neighbours(&self, doc: &Doc, reach: usize) -> (Vec<Arc<Doc>>, Vec<Arc<Doc>>) {
        let session = doc.record.session_id.as_ref().and_then(|id| self.sessions.get(id));
        let Some(numbers) = session.filter(|_| reach > 0).map(|session| &session.docs) else {
            return (vec![], vec![]);
        };
        let at = numbers.partition_point(|number| self.session_before(*number, doc));
        let take = |range: &[u32]| -> Vec<Arc<Doc>> {
            range.iter().filter_map(|number| self.doc(*number).cloned()).collect()
        };
        let behind = (at + 1).min(numbers.len());
        let end = (behind + reach).min(numbers.len());
        (take(&numbers[at.saturating_sub(reach)..at]), take(&numbers[behind..end]))
    }

    /// About how many bytes of memory the scope takes.
    pub(super) fn approximate_bytes(&self) -> usize {
        self.index.approximate_bytes()
            + self.doc_bytes
            + self.docs.capacity() * size_of::<Option<Arc<Doc>>>()
            + self.tombstones.len() * TOMBSTONE_BYTES
    }

    /// Whether so many numbers are used up that the scope had better be loaded anew.
    pub(super) fn is_worn_out(&self) -> bool {
        self.docs.len() > 10_000 && self.docs.len() > self.numbers.len() * 8
    }

    fn listing_before(&self, number: u32, doc: &Doc) -> bool {
        self.doc(number).is_some_and(|other| listing_order(other, doc) == Ordering::Greater)
    }

    fn session_before(&self, number: u32, doc: &Doc) -> bool {
        self.doc(number).is_some_and(|other| session_order(other, doc) == Ordering::Less)
    }

    /// Puts numbers into the timeline and the sessions.
    fn place(&mut self, added: &[u32]) {
        let mut touched: HashMap<SessionId, Vec<u32>> = HashMap::new();
        for number in added {
            let session = self.doc(*number).and_then(|doc| doc.record.session_id.clone());
            if let Some(session) = session {
                touched.entry(session).or_default().push(*number);
            }
        }
        let mut timeline = std::mem::take(&mut self.timeline);
        self.merge(&mut timeline, added, |memory, number, doc| memory.listing_before(number, doc));
        self.timeline = timeline;
        for (session, numbers) in touched {
            let mut held = self.sessions.remove(&session).unwrap_or_else(|| {
                self.sessions_so_far += 1;
                Session { number: self.sessions_so_far, docs: Vec::new() }
            });
            self.merge(&mut held.docs, &numbers, |memory, number, doc| {
                memory.session_before(number, doc)
            });
            self.link(&held, &numbers);
            self.sessions.insert(session, held);
        }
    }

    /// Tells the index between which entries of a session the added ones stand.
    fn link(&mut self, session: &Session, added: &[u32]) {
        let Session { number, docs } = session;
        if added.len() >= BULK {
            self.index.order_session(*number, docs);
            return;
        }
        // In the order of the session, so that each finds the one before it in place.
        let mut at: Vec<usize> =
            added.iter().filter_map(|added| docs.iter().rposition(|doc| doc == added)).collect();
        at.sort_unstable();
        let mut waiting: std::collections::HashSet<u32> = added.iter().copied().collect();
        for at in at {
            let doc = docs[at];
            waiting.remove(&doc);
            let previous = at.checked_sub(1).map(|before| docs[before]);
            let next = docs[at + 1..].iter().find(|doc| !waiting.contains(doc)).copied();
            self.index.place(doc, *number, previous, next);
        }
    }

    /// Puts numbers into a list whose order `before` tells.
    fn merge(&self, list: &mut Vec<u32>, added: &[u32], before: fn(&Self, u32, &Doc) -> bool) {
        if added.len() < BULK {
            for number in added {
                let Some(doc) = self.doc(*number) else { continue };
                let at = list.partition_point(|other| before(self, *other, doc));
                make_room(list);
                list.insert(at, *number);
            }
            return;
        }
        list.extend_from_slice(added);
        // Stable and adaptive: what is in order already costs one comparison each.
        list.sort_by(|left, right| match (self.doc(*left), self.doc(*right)) {
            (Some(_), Some(right_doc)) if before(self, *left, right_doc) => Ordering::Less,
            (Some(left_doc), Some(_)) if before(self, *right, left_doc) => Ordering::Greater,
            _ => Ordering::Equal,
        });
    }

    /// Takes numbers out of the timeline and the sessions, while their entries are still there.
    fn unplace(&mut self, gone: &[(u32, Arc<Doc>)]) {
        if gone.len() < BULK {
            for (number, doc) in gone {
                let at = self.timeline.partition_point(|other| self.listing_before(*other, doc));
                if self.timeline.get(at) == Some(number) {
                    self.timeline.remove(at);
                }
            }
        } else {
            let numbers: std::collections::HashSet<u32> =
                gone.iter().map(|(number, _)| *number).collect();
            self.timeline.retain(|number| !numbers.contains(number));
        }
        let mut by_session: HashMap<&SessionId, Vec<u32>> = HashMap::new();
        for (number, doc) in gone {
            if let Some(session) = &doc.record.session_id {
                by_session.entry(session).or_default().push(*number);
            }
        }
        for (session, mut numbers) in by_session {
            numbers.sort_unstable();
            if let Some(held) = self.sessions.get_mut(session) {
                held.docs.retain(|number| numbers.binary_search(number).is_err());
                if held.docs.is_empty() {
                    self.sessions.remove(session);
                }
            }
        }
    }
}

/// Makes room for one more. Grows by an eighth: doubling would leave up to half of it unused.
fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 8).max(8));
    }
}

/// Finds the terms that an entry was indexed by.
pub(super) type TermsOf<'a> = &'a dyn Fn(&Doc) -> EntryTerms;
