//! Which entries hold a term.

use std::collections::HashMap;

use super::postings::{Posting, Postings};
use super::term_key::TermKey;
use crate::recall::analysis::EntryTerms;

/// Maps of fewer terms are never made smaller.
const SHRINK_MIN_TERMS: usize = 64;

/// Terms and their postings.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// Seeded hashing, since the terms are the caller's. Its order is never read.
    map: HashMap<TermKey, Postings>,
    /// Bytes that keys and lists hold outside of `map`.
    heap_bytes: usize,
}

impl Terms {
    pub(super) fn insert(&mut self, doc: u32, terms: &EntryTerms) {
        let length = saturated(terms.length());
        for counted in terms.iter() {
            let count = saturated(u64::from(counted.count));
            let posting = Posting { doc, count, length };
            // Two look-ups for a new term, but no key is made for a known one.
            if let Some(postings) = self.map.get_mut(counted.term.as_bytes()) {
                let before = postings.heap_bytes();
                postings.insert(posting);
                self.heap_bytes += postings.heap_bytes() - before;
                continue;
            }
            let key = TermKey::of(counted.term);
            self.heap_bytes += key.heap_bytes();
            self.map.insert(key, Postings::One(posting));
        }
    }

    pub(super) fn remove(&mut self, doc: u32, terms: &EntryTerms) {
        for counted in terms.iter() {
            self.remove_posting(doc, counted.term.as_bytes());
        }
        self.shrink_if_sparse();
    }

    fn remove_posting(&mut self, doc: u32, term: &[u8]) {
        let Some(postings) = self.map.get_mut(term) else { return };
        let before = postings.heap_bytes();
        postings.remove(doc);
        let after = postings.heap_bytes();
        self.heap_bytes -= before - after;
        if postings.document_frequency() == 0
            && let Some((key, _)) = self.map.remove_entry(term)
        {
            self.heap_bytes -= after + key.heap_bytes();
        }
    }

    /// Removes the postings of all docs of an ascending list, in one pass over the terms.
    pub(super) fn remove_many(&mut self, docs: &[u32]) {
        let mut heap_bytes = 0;
        self.map.retain(|term, postings| {
            postings.remove_many(docs);
            let stays = postings.document_frequency() > 0;
            if stays {
                heap_bytes += term.heap_bytes() + postings.heap_bytes();
            }
            stays
        });
        self.heap_bytes = heap_bytes;
        self.shrink_if_sparse();
    }

    fn shrink_if_sparse(&mut self) {
        let (terms, capacity) = (self.map.len(), self.map.capacity());
        if capacity > SHRINK_MIN_TERMS && terms < capacity / 8 {
            self.map.shrink_to(terms * 2);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.map.len()
    }

    pub(super) fn document_frequency(&self, term: &str) -> u32 {
        self.map.get(term.as_bytes()).map_or(0, Postings::document_frequency)
    }

    /// Postings of a term by ascending doc, removed ones (count 0) included, and its frequency.
    pub(super) fn postings(&self, term: &str) -> (&[Posting], u32) {
        let found = self.map.get(term.as_bytes());
        found.map_or((&[], 0), |postings| (postings.as_slice(), postings.document_frequency()))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        // The map keeps a byte of control beside each slot, and an eighth of the slots free.
        let slot = size_of::<(TermKey, Postings)>() + 1;
        self.map.capacity() * slot * 8 / 7 + self.heap_bytes
    }
}

/// A count as the posting holds it.
fn saturated(count: u64) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}
