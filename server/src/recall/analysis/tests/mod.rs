mod cost;
mod deletion;
mod everyday;
mod identifiers;
mod languages;
mod numbers;
mod properties;
mod reports;

use super::{EntryTerms, Query, analyze};

/// Terms of a text that are no stop words, in order.
fn terms(text: &str) -> Vec<String> {
    analyze(text).into_iter().filter(|token| !token.stop).map(|token| token.term).collect()
}

/// Folded surfaces of a text, in order.
fn words(text: &str) -> Vec<String> {
    analyze(text).into_iter().map(|token| token.word).collect()
}

/// Whether an entry of `text` holds a term of the query.
fn finds(query: &str, text: &str) -> bool {
    let entry = EntryTerms::of(text);
    Query::parse(query).terms().iter().any(|term| entry.count(term) > 0)
}

/// Whether an entry of `text` holds every term of the query.
fn finds_all(query: &str, text: &str) -> bool {
    let entry = EntryTerms::of(text);
    let parsed = Query::parse(query);
    !parsed.is_empty() && parsed.terms().iter().all(|term| entry.count(term) > 0)
}
