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
/// Removing marks; the list is compacted when half of it is marks, so that a removal costs a
/// search and, on the whole, one move.
#[derive(Clone, Debug)]
pub(super) struct Postings {
    list: List,
    /// Postings that are not removed: the document frequency of the term.
    live: u32,
}

/// Most terms are held by one entry, which needs no allocation.
#[derive(Clone, Debug)]
enum List {
    One(Posting),
    Many(Vec<Posting>),
}

impl Postings {
    pub(super) fn of(posting: Posting) -> Self {
        Self { list: List::One(posting), live: 1 }
    }

    /// All postings, removed ones (count 0) included.
    pub(super) fn as_slice(&self) -> &[Posting] {
        match &self.list {
            List::One(posting) => std::slice::from_ref(posting),
            List::Many(postings) => postings,
        }
    }

    pub(super) fn document_frequency(&self) -> u32 {
        self.live
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match &self.list {
            List::One(_) => 0,
            List::Many(postings) => postings.capacity() * size_of::<Posting>(),
        }
    }

    /// Adds a posting, or puts it in the place of the doc's earlier one.
    ///
    /// Docs in ascending order cost a push each; any other order costs a move of the tail.
    pub(super) fn insert(&mut self, posting: Posting) {
        let postings = match &mut self.list {
            List::One(held) if held.doc == posting.doc => {
                self.live += u32::from(held.count == 0);
                *held = posting;
                return;
            }
            &mut List::One(held) => {
                let pair =
                    if held.doc < posting.doc { vec![held, posting] } else { vec![posting, held] };
                self.list = List::Many(pair);
                self.live += 1;
                return;
            }
            List::Many(postings) => postings,
        };
        if postings.last().is_none_or(|last| last.doc < posting.doc) {
            postings.push(posting);
            self.live += 1;
            return;
        }
        match postings.binary_search_by_key(&posting.doc, |held| held.doc) {
            Ok(at) => {
                let held = &mut postings[at];
                self.live += u32::from(held.count == 0);
                *held = posting;
            }
            Err(at) => {
                postings.insert(at, posting);
                self.live += 1;
            }
        }
    }

    /// Removes the posting of `doc`; whether there was one.
    pub(super) fn remove(&mut self, doc: u32) -> bool {
        let postings = match &mut self.list {
            List::One(posting) => std::slice::from_mut(posting),
            List::Many(postings) => postings.as_mut_slice(),
        };
        let Ok(at) = postings.binary_search_by_key(&doc, |held| held.doc) else {
            return false;
        };
        let held = &mut postings[at];
        if held.count == 0 {
            return false;
        }
        held.count = 0;
        self.live -= 1;
        self.compact_if_half_dead();
        true
    }

    /// Removes the postings of all docs of an ascending list, and all marks of earlier removals.
    ///
    /// `removed` is shown each posting that goes.
    pub(super) fn remove_many(&mut self, docs: &[u32], removed: &mut impl FnMut(&Posting)) {
        let mut later_docs = docs;
        let mut goes = |posting: &Posting| {
            if posting.count == 0 {
                return true;
            }
            later_docs = &later_docs[later_docs.partition_point(|&doc| doc < posting.doc)..];
            let found = later_docs.first() == Some(&posting.doc);
            if found {
                self.live -= 1;
                removed(posting);
            }
            found
        };
        match &mut self.list {
            List::One(posting) => {
                if goes(posting) {
                    posting.count = 0;
                }
            }
            List::Many(postings) => {
                postings.retain(|posting| !goes(posting));
                postings.shrink_to(postings.len() * 2);
            }
        }
    }

    fn compact_if_half_dead(&mut self) {
        let List::Many(postings) = &mut self.list else {
            return;
        };
        let live = self.live as usize;
        let dead = postings.len() - live;
        if dead >= COMPACT_MIN_DEAD && dead > live {
            postings.retain(|posting| posting.count > 0);
            postings.shrink_to(live * 2);
        }
    }
}
