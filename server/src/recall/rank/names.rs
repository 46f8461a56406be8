//! The authors whom a question names, and the words that name them.

use super::question::{Mode, Question};
use super::weights::{REST, WHOLE, Weights};
use crate::recall::index::ScopeIndex;

/// The terms that may name an author: those outside of date words, since "May" may be either.
fn naming_lane(question: &Question<'_>, weights: &Weights<'_>) -> Option<usize> {
    match &weights.dates {
        _ if question.mode == Mode::Semantic => None,
        Some(dates) if dates.alone => None,
        Some(_) => Some(REST),
        None => Some(WHOLE),
    }
}

/// The authors of a scope whom a question names, ascending.
pub(super) fn named_authors(
    question: &Question<'_>,
    weights: &Weights<'_>,
    index: &ScopeIndex,
) -> Vec<u32> {
    let Some(lane) = naming_lane(question, weights) else { return Vec::new() };
    let terms = weights.terms.iter().filter(|term| term.lanes[lane]);
    index.authors().named_by(terms.map(|term| term.term))
}

/// Places of the terms that name an author of some scope, each once.
pub(super) fn naming_terms(
    question: &Question<'_>,
    weights: &Weights<'_>,
    scopes: &[&ScopeIndex],
) -> Vec<usize> {
    let Some(lane) = naming_lane(question, weights) else { return Vec::new() };
    let named: Vec<(&ScopeIndex, Vec<u32>)> =
        scopes.iter().map(|index| (*index, named_authors(question, weights, index))).collect();
    let names =
        |term: &str| named.iter().any(|(index, authors)| index.authors().names(term, authors));
    let terms = weights.terms.iter().enumerate();
    terms.filter(|(_, term)| term.lanes[lane] && names(term.term)).map(|(at, _)| at).collect()
}
