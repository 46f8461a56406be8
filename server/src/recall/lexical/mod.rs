//! The index of words of one scope: which entries hold a term, how often, and how long they are.

mod postings;
mod scope_index;
mod term_key;
#[cfg(test)]
mod tests;

pub(super) use postings::Posting;
pub use scope_index::ScopeIndex;
