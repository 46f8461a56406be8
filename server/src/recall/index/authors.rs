//! Who wrote an entry, and which of them a query names.

use std::collections::HashMap;
use std::sync::Arc;

use super::grow::make_room;
use crate::recall::analysis::{EntryTerms, is_stop_form};

/// Stands for an entry without an author.
const NOBODY: u32 = u32::MAX;

/// The authors of a scope, by number.
#[derive(Clone, Debug, Default)]
pub(in crate::recall) struct Authors {
    /// The author of each doc.
    by_doc: Vec<u32>,
    numbers: HashMap<Arc<str>, u32>,
    /// None once its author's last entry went.
    authors: Vec<Option<Author>>,
    /// Numbers of no author that stand in no list of `by_term`.
    free: Vec<u32>,
    /// Numbers of no author that may still stand there. Many authors share a term, as "guest 1" and
    /// "guest 2" do; to look through its list for each that goes would cost the square of them.
    gone: Vec<u32>,
    /// Authors by each term of their names, so that a query costs a look-up for each of its terms.
    by_term: HashMap<Box<str>, Vec<u32>>,
    /// Bytes that names, terms and their lists hold outside of the collections above; kept, since it is
    /// asked for after every change.
    heap_bytes: usize,
}

#[derive(Clone, Debug)]
struct Author {
    name: Arc<str>,
    /// Terms that a query must hold to name the author; none means that it can't.
    terms: u32,
    entries: u32,
}

impl Authors {
    pub(super) fn insert(&mut self, doc: u32, name: &str) {
        if name.is_empty() {
            return;
        }
        let number = self.numbers.get(name).copied().unwrap_or_else(|| self.add(name));
        if let Some(Some(author)) = self.authors.get_mut(number as usize) {
            author.entries += 1;
        }
        make_room(&mut self.by_doc, doc as usize, NOBODY);
        if let Some(slot) = self.by_doc.get_mut(doc as usize) {
            *slot = number;
        }
    }

    fn add(&mut self, name: &str) -> u32 {
        let number = self.free.pop().unwrap_or(self.authors.len() as u32);
        let terms = EntryTerms::of(name);
        let mut count = 0;
        for term in naming_terms(&terms) {
            self.heap_bytes += if self.by_term.contains_key(term) { 0 } else { term.len() };
            let numbers = self.by_term.entry(term.into()).or_default();
            self.heap_bytes -= list_bytes(numbers);
            numbers.push(number);
            self.heap_bytes += list_bytes(numbers);
            count += 1;
        }
        let name: Arc<str> = name.into();
        self.heap_bytes += name.len();
        self.numbers.insert(Arc::clone(&name), number);
        let author = Some(Author { name, terms: count, entries: 0 });
        match self.authors.get_mut(number as usize) {
            Some(slot) => *slot = author,
            None => self.authors.push(author),
        }
        number
    }

    pub(super) fn remove(&mut self, doc: u32) {
        let Some(slot) = self.by_doc.get_mut(doc as usize) else { return };
        let number = std::mem::replace(slot, NOBODY);
        let Some(place) = self.authors.get_mut(number as usize) else { return };
        match place {
            Some(author) if author.entries > 1 => author.entries -= 1,
            Some(_) => {
                if let Some(author) = place.take() {
                    self.numbers.remove(&author.name);
                    self.heap_bytes -= author.name.len();
                    self.gone.push(number);
                    if self.gone.len() > self.numbers.len() {
                        self.forget_gone();
                    }
                }
            }
            None => {}
        }
    }

    /// Takes those who are gone off the lists, which costs as much as the lists are long: at most a
    /// constant for each of them, as the others are fewer.
    fn forget_gone(&mut self) {
        let authors = &self.authors;
        let is_there = |number: &u32| authors.get(*number as usize).is_some_and(Option::is_some);
        let heap_bytes = &mut self.heap_bytes;
        self.by_term.retain(|term, numbers| {
            *heap_bytes -= list_bytes(numbers);
            numbers.retain(is_there);
            if numbers.is_empty() {
                *heap_bytes -= term.len();
                return false;
            }
            numbers.shrink_to(2 * numbers.len());
            *heap_bytes += list_bytes(numbers);
            true
        });
        // A walk over a table costs as much as it has room.
        self.by_term.shrink_to(2 * self.by_term.len());
        self.free.append(&mut self.gone);
    }

    /// The authors whose names stand in a query with all of their terms but stop words, ascending.
    ///
    /// `terms` are the distinct terms of the query, in the form of the index.
    pub(in crate::recall) fn named_by<'a>(&self, terms: impl Iterator<Item = &'a str>) -> Vec<u32> {
        let mut named = Vec::new();
        if self.by_term.is_empty() {
            return named;
        }
        let mut found: Vec<u32> =
            terms.filter_map(|term| self.by_term.get(term)).flatten().copied().collect();
        found.sort_unstable();
        for same in found.chunk_by(|left, right| left == right) {
            let Some(&number) = same.first() else { continue };
            let author = self.authors.get(number as usize).and_then(Option::as_ref);
            if author.is_some_and(|author| author.terms as usize == same.len()) {
                named.push(number);
            }
        }
        named
    }

    /// Whether a term is part of the name of one of these authors, given ascending.
    pub(in crate::recall) fn names(&self, term: &str, authors: &[u32]) -> bool {
        let holders = self.by_term.get(term).map_or(&[][..], Vec::as_slice);
        holders.iter().any(|number| authors.binary_search(number).is_ok())
    }

    /// Whether the entry is by one of these authors, given ascending.
    pub(in crate::recall) fn is_by(&self, doc: u32, authors: &[u32]) -> bool {
        let author = self.by_doc.get(doc as usize);
        author.is_some_and(|author| authors.binary_search(author).is_ok())
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.by_doc.capacity() * size_of::<u32>()
            + self.numbers.capacity() * (size_of::<(Arc<str>, u32)>() + 1)
            + self.authors.capacity() * size_of::<Option<Author>>()
            + (self.free.capacity() + self.gone.capacity()) * size_of::<u32>()
            + self.by_term.capacity() * (size_of::<(Box<str>, Vec<u32>)>() + 1)
            + self.heap_bytes
    }
}

fn list_bytes(numbers: &Vec<u32>) -> usize {
    numbers.capacity() * size_of::<u32>()
}

fn naming_terms(terms: &EntryTerms) -> impl Iterator<Item = &str> {
    terms.iter().map(|counted| counted.term).filter(|term| !is_stop_form(term.as_bytes()))
}
