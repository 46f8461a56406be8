//! The entries that hold one term.

use crate::recall::constants::COMPACT_MIN_DEAD;

/// One entry's occurrences of a term; eight bytes, so that ranking reads nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::recall) struct Posting {
    pub doc: u32,
    /// How often the entry holds the term, counted up to 65,535; 0 marks a removed posting.
    pub count: u16,
    /// Length of the entry in tokens, counted up to 65,535: BM25 hardly tells longer ones apart.
    pub length: u16,
}

/// Postings of one term, by ascending doc.
///
/// Most terms are held by one entry, which needs no allocation; the others are behind a pointer, so
/// that a slot of the map is small. Removing marks; a list is compacted when half of it is marks, so
/// that a removal costs a search and, on the whole, one move.
#[derive(Clone, Debug)]
pub(super) enum Postings {
    One(Posting),
    Many(Box<List>),
}

#[derive(Clone, Debug)]
pub(super) struct List {
    postings: Vec<Posting>,
    /// Postings that are not removed: the document frequency of the term.
    live: u32,
}

impl Postings {
    /// All postings, removed ones (count 0) included.
    pub(super) fn as_slice(&self) -> &[Posting] {
        match self {
            Self::One(posting) => std::slice::from_ref(posting),
            Self::Many(list) => &list.postings,
        }
    }

    pub(super) fn document_frequency(&self) -> u32 {
        match self {
            Self::One(posting) => u32::from(posting.count > 0),
            Self::Many(list) => list.live,
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::One(_) => 0,
            Self::Many(list) => size_of::<List>() + list.postings.capacity() * size_of::<Posting>(),
        }
    }

    /// Adds a posting, or puts it in the place of the doc's earlier one.
    ///
    /// Docs in ascending order cost a push each; any other order costs a move of the tail.
    pub(super) fn insert(&mut self, posting: Posting) {
        match self {
            Self::One(held) if held.doc == posting.doc => *held = posting,
            &mut Self::One(held) => {
                let pair =
                    if held.doc < posting.doc { vec![held, posting] } else { vec![posting, held] };
                let live = 1 + u32::from(held.count > 0);
                *self = Self::Many(Box::new(List { postings: pair, live }));
            }
            Self::Many(list) => list.insert(posting),
        }
    }

    /// Removes the posting of `doc`; whether there was one.
    pub(super) fn remove(&mut self, doc: u32) -> bool {
        match self {
            Self::One(held) => {
                let found = held.doc == doc && held.count > 0;
                held.count = if found { 0 } else { held.count };
                found
            }
            Self::Many(list) => list.remove(doc),
        }
    }

    /// Removes the postings of all docs of an ascending list, and all marks of earlier removals.
    pub(super) fn remove_many(&mut self, docs: &[u32]) {
        let mut later_docs = docs;
        let mut goes = |posting: &Posting| {
            later_docs = &later_docs[later_docs.partition_point(|&doc| doc < posting.doc)..];
            posting.count == 0 || later_docs.first() == Some(&posting.doc)
        };
        match self {
            Self::One(posting) => {
                if goes(posting) {
                    posting.count = 0;
                }
            }
            Self::Many(list) => {
                list.postings.retain(|posting| !goes(posting));
                list.postings.shrink_to(list.postings.len() * 2);
                // Fits: there were no more before.
                list.live = list.postings.len() as u32;
            }
        }
    }
}

impl List {
    fn insert(&mut self, posting: Posting) {
        if self.postings.len() == self.postings.capacity() {
            // By a quarter: doubling would leave a third of all postings' memory unused.
            self.postings.reserve_exact((self.postings.len() / 4).max(2));
        }
        if self.postings.last().is_none_or(|last| last.doc < posting.doc) {
            self.postings.push(posting);
            self.live += 1;
            return;
        }
        match self.postings.binary_search_by_key(&posting.doc, |held| held.doc) {
            Ok(at) => {
                let held = &mut self.postings[at];
                self.live += u32::from(held.count == 0);
                *held = posting;
            }
            Err(at) => {
                self.postings.insert(at, posting);
                self.live += 1;
            }
        }
    }

    fn remove(&mut self, doc: u32) -> bool {
        let Ok(at) = self.postings.binary_search_by_key(&doc, |held| held.doc) else {
            return false;
        };
        let held = &mut self.postings[at];
        if held.count == 0 {
            return false;
        }
        held.count = 0;
        self.live -= 1;
        self.compact_if_half_dead();
        true
    }

    fn compact_if_half_dead(&mut self) {
        let live = self.live as usize;
        let dead = self.postings.len() - live;
        if dead >= COMPACT_MIN_DEAD && dead > live {
            self.postings.retain(|posting| posting.count > 0);
            self.postings.shrink_to(live * 2);
        }
    }
}
