//! The weights of a query's terms in what a search may see.

use super::window::Cursor;
use crate::recall::analysis::Query;
use crate::recall::constants::{BM25_B, BM25_K1};
use crate::recall::lexical::{Posting, ScopeIndex};

pub(super) struct Weights {
    /// For each term of the query, in its order.
    pub terms: Vec<TermWeight>,
    /// Σ idf: the divisor of L.
    pub total_idf: f64,
    /// k1 · b / avg, the price of a token of length; 0 if no entry has any.
    length_price: f64,
}

pub(super) struct TermWeight {
    pub idf: f64,
    pub document_frequency: u64,
}

impl Weights {
    pub(super) fn of(query: &Query, scopes: &[&ScopeIndex]) -> Self {
        let documents: u64 = scopes.iter().map(|index| index.document_count()).sum();
        let total_length: u64 = scopes.iter().map(|index| index.total_length()).sum();
        let terms: Vec<TermWeight> = query
            .terms()
            .iter()
            .map(|term| {
                let document_frequency =
                    scopes.iter().map(|index| u64::from(index.document_frequency(term))).sum();
                TermWeight { idf: idf(documents, document_frequency), document_frequency }
            })
            .collect();
        let total_idf = terms.iter().map(|term| term.idf).sum();
        let length_price = if total_length == 0 {
            0.0
        } else {
            BM25_K1 * BM25_B * documents as f64 / total_length as f64
        };
        Self { terms, total_idf, length_price }
    }

    /// A cursor for each term that the index holds, in the order of the query.
    pub(super) fn cursors<'a>(&self, query: &Query, index: &'a ScopeIndex) -> Vec<Cursor<'a>> {
        self.terms
            .iter()
            .zip(query.terms())
            .map(|(weight, term)| Cursor { idf: weight.idf, rest: index.postings(term) })
            .filter(|cursor| !cursor.rest.is_empty())
            .collect()
    }

    /// w(t,d) = idf · tf / (tf + k1 (1 − b + b · len/avg))
    pub(super) fn of_posting(&self, idf: f64, posting: &Posting) -> f64 {
        let count = f64::from(posting.count);
        let length = f64::from(posting.length);
        idf * count / (count + BM25_K1 * (1.0 - BM25_B) + self.length_price * length)
    }
}

/// ln(1 + (N − df + .5)/(df + .5)): above 0 for a term that every entry holds.
fn idf(documents: u64, document_frequency: u64) -> f64 {
    let without = documents.saturating_sub(document_frequency) as f64;
    ((without + 0.5) / (document_frequency as f64 + 0.5)).ln_1p()
}
