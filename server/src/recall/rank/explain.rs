//! Why an entry matched, term by term.

use super::weights::Weights;
use crate::recall::analysis::{Query, readable_term};
use crate::recall::lexical::ScopeIndex;

/// What one term of the query gave to one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct TermShare {
    /// Stemmed and cut, as the index holds it.
    pub term: String,
    /// w / Σ idf; the shares of an entry sum up to its value.
    pub share: f64,
    /// How often the entry holds the term, counted up to 65,535.
    pub count: u32,
    /// Entries of all scopes given that hold the term.
    pub document_frequency: u64,
}

/// Explains the matches of one query. The weights are made once for all of them.
pub struct Explainer<'a> {
    query: &'a Query,
    scopes: &'a [&'a ScopeIndex],
    weights: Weights,
}

impl<'a> Explainer<'a> {
    /// Explains what `query` finds in `scopes`.
    pub fn new(query: &'a Query, scopes: &'a [&'a ScopeIndex]) -> Self {
        Self { query, scopes, weights: Weights::of(query, scopes) }
    }

    /// The terms of the query that the entry `doc` of `scopes[scope]` holds, in the order of the query.
    ///
    /// Empty if there is no such scope, or the entry is no match.
    pub fn shares(&self, scope: usize, doc: u32) -> Vec<TermShare> {
        let Some(index) = self.scopes.get(scope) else {
            return Vec::new();
        };
        let mut shares = Vec::new();
        for (term, weight) in self.query.terms().iter().zip(&self.weights.terms) {
            let postings = index.postings(term);
            let Ok(at) = postings.binary_search_by_key(&doc, |posting| posting.doc) else {
                continue;
            };
            let posting = &postings[at];
            if posting.count == 0 {
                continue;
            }
            shares.push(TermShare {
                term: readable_term(term).to_owned(),
                share: self.weights.of_posting(weight.idf, posting) / self.weights.total_idf,
                count: u32::from(posting.count),
                document_frequency: weight.document_frequency,
            });
        }
        shares
    }
}
