//! The index of one scope of one tenant.

use super::authors::Authors;
use super::days::{Days, NO_ENTRY};
use super::grow::make_room;
use super::postings::Posting;
use super::sessions::{NO_DOC, Place, Sessions};
use super::terms::Terms;
use super::vectors::Vectors;
use crate::recall::analysis::EntryTerms;
use crate::recall::vector::Vector;

/// What the index takes in of an entry.
#[derive(Clone, Copy, Debug)]
pub struct IndexedEntry<'a> {
    /// Its words.
    pub terms: &'a EntryTerms,
    /// Who wrote it, may be empty.
    pub author: &'a str,
    /// Day of the event, since 1970-01-01 UTC.
    pub day: i32,
}

/// Everything that ranking knows of the entries of one scope.
///
/// Entries go by a number, `doc`, that the caller gives, below `u32::MAX`. There is a column for
/// each number up to the largest, so they should be dense; ascending ones cost least. After any
/// inserts and removals everything equals an index built from what is left.
#[derive(Clone, Debug, Default)]
pub struct ScopeIndex {
    terms: Terms,
    authors: Authors,
    days: Days,
    sessions: Sessions,
    vectors: Vectors,
    /// Tokens of each doc.
    lengths: Vec<u32>,
    /// Entries, those without any word included: N of BM25.
    documents: u64,
    /// Sum of the lengths of all entries, in tokens.
    total_length: u64,
}

impl ScopeIndex {
    /// An index without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry, which must not be in the index: an update removes the old one first.
    pub fn insert(&mut self, doc: u32, entry: IndexedEntry<'_>) {
        if doc == NO_DOC {
            return;
        }
        let IndexedEntry { terms, author, day } = entry;
        self.terms.insert(doc, terms);
        self.authors.insert(doc, author);
        self.days.insert(doc, day);
        let length = u32::try_from(terms.length()).unwrap_or(u32::MAX);
        make_room(&mut self.lengths, doc as usize, 0);
        if let Some(slot) = self.lengths.get_mut(doc as usize) {
            *slot = length;
        }
        self.documents += 1;
        self.total_length += u64::from(length);
    }

    /// Puts an entry into a session, between two entries of it; of the two, one is enough, and none
    /// begins the session. Sessions go by numbers that the caller gives, densely as those of entries.
    ///
    /// An entry that isn't in the index is left alone; one that is placed already is moved.
    pub fn place(&mut self, doc: u32, session: u32, previous: Option<u32>, next: Option<u32>) {
        if self.days.of(doc) == NO_ENTRY {
            return;
        }
        self.unplace(doc);
        self.sessions.place(doc, self.length(doc), session, previous, next);
        self.renew_norms_around(doc);
    }

    /// Gives all entries of a session their order, in one pass. The list must name every entry of it.
    pub fn order_session(&mut self, session: u32, docs: &[u32]) {
        let known = || docs.iter().copied().filter(|doc| self.days.of(*doc) != NO_ENTRY);
        let known: Vec<(u32, u64)> = known().map(|doc| (doc, self.length(doc))).collect();
        for (doc, _) in &known {
            if self.sessions.of(*doc).session != session {
                self.unplace(*doc);
            }
        }
        self.sessions.order(session, known.into_iter());
        if self.vectors.count() > 0 {
            for doc in docs {
                self.vectors.renew_norm(*doc, self.sessions.of(*doc));
            }
        }
    }

    /// Sets the vector of an entry; false, and nothing changes, if the entry isn't in the index or
    /// the vector hasn't as many dimensions as the others of the scope.
    pub fn set_vector(&mut self, doc: u32, vector: &Vector) -> bool {
        if self.days.of(doc) == NO_ENTRY || !self.vectors.set(doc, vector) {
            return false;
        }
        self.renew_norms_around(doc);
        true
    }

    /// Forgets all vectors, as when another embedder takes over.
    pub fn clear_vectors(&mut self) {
        self.vectors = Vectors::default();
    }

    /// Removes an entry, given the terms with which it was added.
    ///
    /// One that isn't in the index is left alone.
    pub fn remove(&mut self, doc: u32, terms: &EntryTerms) {
        if self.days.of(doc) == NO_ENTRY {
            return;
        }
        self.terms.remove(doc, terms);
        self.remove_columns(doc);
        self.reset_if_empty();
    }

    /// Removes entries without asking for their terms, in one pass over the index.
    ///
    /// For many at once: a pass costs about as much as some thousand calls of
    /// [`ScopeIndex::remove`].
    pub fn remove_many(&mut self, docs: &[u32]) {
        let mut docs: Vec<u32> =
            docs.iter().copied().filter(|doc| self.days.of(*doc) != NO_ENTRY).collect();
        docs.sort_unstable();
        docs.dedup();
        self.terms.remove_many(&docs);
        for doc in docs {
            self.remove_columns(doc);
        }
        self.reset_if_empty();
    }

    fn remove_columns(&mut self, doc: u32) {
        self.vectors.remove(doc);
        self.unplace(doc);
        self.authors.remove(doc);
        self.days.remove(doc);
        self.documents -= 1;
        self.total_length -= self.length(doc);
        if let Some(slot) = self.lengths.get_mut(doc as usize) {
            *slot = 0;
        }
    }

    /// Columns are as long as the largest number, but of an index without entries nothing stays.
    fn reset_if_empty(&mut self) {
        if self.documents == 0 {
            *self = Self::default();
        }
    }

    fn unplace(&mut self, doc: u32) {
        let Place { session: _, previous, next } = self.sessions.remove(doc, self.length(doc));
        for neighbour in [previous, next] {
            self.vectors.renew_norm(neighbour, self.sessions.of(neighbour));
        }
    }

    fn renew_norms_around(&mut self, doc: u32) {
        let Place { session: _, previous, next } = self.sessions.of(doc);
        for doc in [previous, doc, next] {
            self.vectors.renew_norm(doc, self.sessions.of(doc));
        }
    }

    fn length(&self, doc: u32) -> u64 {
        self.lengths.get(doc as usize).copied().map_or(0, u64::from)
    }

    /// Entries in the index.
    pub fn document_count(&self) -> u64 {
        self.documents
    }

    /// Tokens of all entries, stop words not counted.
    pub fn total_length(&self) -> u64 {
        self.total_length
    }

    /// Distinct terms.
    pub fn term_count(&self) -> usize {
        self.terms.count()
    }

    /// Entries that hold a term, given in the form of the index.
    pub fn document_frequency(&self, term: &str) -> u32 {
        self.terms.document_frequency(term)
    }

    /// Entries that have a vector.
    pub fn vector_count(&self) -> usize {
        self.vectors.count()
    }

    /// About how many bytes of memory the index takes.
    pub fn approximate_bytes(&self) -> usize {
        size_of::<Self>()
            + self.terms.heap_bytes()
            + self.authors.heap_bytes()
            + self.days.heap_bytes()
            + self.sessions.heap_bytes()
            + self.vectors.heap_bytes()
            + self.lengths.capacity() * size_of::<u32>()
    }

    /// One more than the largest number of an entry ever held: as many as columns are long.
    pub(in crate::recall) fn numbers(&self) -> usize {
        self.lengths.len()
    }

    /// Postings of a term by ascending doc, removed ones (count 0) included, and how many are not.
    pub(in crate::recall) fn postings(&self, term: &str) -> (&[Posting], u32) {
        self.terms.postings(term)
    }

    pub(in crate::recall) fn authors(&self) -> &Authors {
        &self.authors
    }

    pub(in crate::recall) fn days(&self) -> &Days {
        &self.days
    }

    pub(in crate::recall) fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    pub(in crate::recall) fn vectors(&self) -> &Vectors {
        &self.vectors
    }
}
