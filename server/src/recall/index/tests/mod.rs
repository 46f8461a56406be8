mod authors;
mod model;
mod sessions;
mod size;
mod vectors;

use super::{IndexedEntry, ScopeIndex};
use crate::recall::analysis::EntryTerms;
use crate::recall::vector::Vector;

/// Adds an entry of words only.
fn put(index: &mut ScopeIndex, doc: u32, text: &str) {
    index.insert(doc, IndexedEntry { terms: &EntryTerms::of(text), author: "", day: 0 });
}

fn take(index: &mut ScopeIndex, doc: u32, text: &str) {
    index.remove(doc, &EntryTerms::of(text));
}

fn vector(values: &[f32]) -> Vector {
    Vector::quantise(values).unwrap()
}
