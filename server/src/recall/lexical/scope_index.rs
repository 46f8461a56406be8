//! The index of one scope of one tenant.

use std::collections::{BTreeMap, HashMap};

use super::postings::{Posting, Postings};
use super::term_key::TermKey;
use crate::recall::analysis::{EntryTerms, is_stop_form};

/// Which entries of a scope hold a term.
///
/// Entries go by a number, `doc`, that the caller gives: preferably ascending, any `u32`. After any
/// inserts and removals all statistics equal those of an index built from what is left.
#[derive(Clone, Debug, Default)]
pub struct ScopeIndex {
    /// Seeded hashing, since the terms are the caller's. Its order is never read.
    terms: HashMap<TermKey, Postings>,
    /// Entries, those without any word included: N of BM25.
    documents: u64,
    /// Sum of the lengths of all entries, in tokens.
    total_length: u64,
    /// Lengths of the entries that are too long for a posting to tell.
    long_entries: BTreeMap<u32, u64>,
    /// Bytes that keys and lists hold outside of `terms`.
    heap_bytes: usize,
}

impl ScopeIndex {
    /// An index without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry, which must not be in the index: an update removes the old terms first.
    pub fn insert(&mut self, doc: u32, terms: &EntryTerms) {
        let length = saturated(terms.length());
        for counted in terms.iter() {
            let count = saturated(u64::from(counted.count));
            let posting = Posting { doc, count, length };
            // Two look-ups for a new term, but no key is made for a known one.
            if let Some(postings) = self.terms.get_mut(counted.term.as_bytes()) {
                let before = postings.heap_bytes();
                postings.insert(posting);
                self.heap_bytes += postings.heap_bytes() - before;
                continue;
            }
            let key = TermKey::of(counted.term);
            self.heap_bytes += key.heap_bytes();
            self.terms.insert(key, Postings::of(posting));
        }
        if length == u16::MAX {
            self.long_entries.insert(doc, terms.length());
        }
        self.documents += 1;
        self.total_length += terms.length();
    }

    /// Removes an entry, given the terms with which it was added.
    ///
    /// The caller answers for the entry being there: one that isn't still lowers the count.
    pub fn remove(&mut self, doc: u32, terms: &EntryTerms) {
        for counted in terms.iter() {
            self.remove_posting(doc, counted.term);
        }
        self.long_entries.remove(&doc);
        self.documents = self.documents.saturating_sub(1);
        self.total_length = self.total_length.saturating_sub(terms.length());
        self.shrink_if_sparse();
    }

    /// Removes entries without asking for their terms, in one pass over the index.
    ///
    /// For many at once: a pass costs about as much as some thousand calls of
    /// [`ScopeIndex::remove`]. The caller answers for each being there; one named twice goes once.
    pub fn remove_many(&mut self, docs: &[u32]) {
        let mut docs = docs.to_vec();
        docs.sort_unstable();
        docs.dedup();
        let mut removed_length: u64 =
            docs.iter().filter_map(|doc| self.long_entries.remove(doc)).sum();
        let mut heap_bytes = 0;
        self.terms.retain(|term, postings| {
            let counts = !is_stop_form(term.as_bytes());
            postings.remove_many(&docs, &mut |posting| {
                // The lengths of the others are known already.
                if counts && posting.length < u16::MAX {
                    removed_length += u64::from(posting.count);
                }
            });
            let stays = postings.document_frequency() > 0;
            if stays {
                heap_bytes += term.heap_bytes() + postings.heap_bytes();
            }
            stays
        });
        self.heap_bytes = heap_bytes;
        self.documents = self.documents.saturating_sub(docs.len() as u64);
        self.total_length = self.total_length.saturating_sub(removed_length);
        self.shrink_if_sparse();
    }

    fn remove_posting(&mut self, doc: u32, term: &str) {
        let Some(postings) = self.terms.get_mut(term.as_bytes()) else {
            return;
        };
        let before = postings.heap_bytes();
        postings.remove(doc);
        let after = postings.heap_bytes();
        self.heap_bytes -= before - after;
        if postings.document_frequency() == 0
            && let Some((key, _)) = self.terms.remove_entry(term.as_bytes())
        {
            self.heap_bytes -= after + key.heap_bytes();
        }
    }

    fn shrink_if_sparse(&mut self) {
        if self.terms.capacity() > 64 && self.terms.len() < self.terms.capacity() / 8 {
            self.terms.shrink_to(self.terms.len() * 2);
        }
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
        self.terms.len()
    }

    /// Entries that hold a term, given in the form of the index.
    pub fn document_frequency(&self, term: &str) -> u32 {
        self.terms.get(term.as_bytes()).map_or(0, Postings::document_frequency)
    }

    /// Postings of a term by ascending doc, removed ones (count 0) included.
    pub(in crate::recall) fn postings(&self, term: &str) -> &[Posting] {
        self.terms.get(term.as_bytes()).map_or(&[], Postings::as_slice)
    }

    /// About how many bytes of memory the index takes.
    pub fn approximate_bytes(&self) -> usize {
        // The map keeps a byte of control beside each slot, and an eighth of the slots free.
        let slot = size_of::<(TermKey, Postings)>() + 1;
        size_of::<Self>() + self.terms.capacity() * slot * 8 / 7 + self.heap_bytes
    }
}

/// A count as the posting holds it.
fn saturated(count: u64) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
