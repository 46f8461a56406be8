//! The index of one scope: which entries hold a term, who wrote them, on which day, beside which
//! others of their session, and what they mean.

mod authors;
mod days;
mod grow;
mod postings;
mod scope_index;
mod sessions;
mod term_key;
mod terms;
#[cfg(test)]
mod tests;
mod vectors;

pub(super) use days::NO_ENTRY;
pub(super) use postings::Posting;
pub use scope_index::{IndexedEntry, ScopeIndex};
pub(super) use sessions::{NO_DOC, NO_SESSION, Place};
