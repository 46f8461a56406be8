//! The weights of a question's terms in what a search may see.

use std::collections::HashMap;

use multiversion::multiversion;

use super::dates::Dates;
use super::names::naming_terms;
use super::question::Question;
use super::value::Scale;
use crate::recall::analysis::is_stop_form;
use crate::recall::constants::{
    BM25_B, BM25_K1, NAME_SHARE, SESSION_B, SESSION_K1, SESSION_PRIOR, STRESS,
};
use crate::recall::index::{Posting, ScopeIndex};

/// The question as a whole, and the question without its date words: summed up side by side.
pub(super) const LANES: usize = 2;
pub(super) const WHOLE: usize = 0;
pub(super) const REST: usize = 1;

pub(super) struct Weights<'a> {
    /// Distinct terms: those of the whole question in its order, then what only the rest holds.
    pub terms: Vec<TermWeight<'a>>,
    /// Postings of each term in each scope, scope by scope within a term.
    lists: Vec<&'a [Posting]>,
    scopes: usize,
    /// What sums of weights are worth.
    pub scale: Scale,
    /// When the question names days, and entries in sight agree.
    pub dates: Option<Dates>,
    /// k1 · b / avg, the price of a token of length; 0 if no entry has any.
    length_price: f64,
    /// The same for sessions as documents, with their own k1 and b.
    session_length_price: f64,
}

pub(super) struct TermWeight<'a> {
    /// In the form of the index.
    pub term: &'a str,
    /// idf; less of a term that names an author, more of one in the last sentence of a long question.
    pub idf: f64,
    pub document_frequency: u64,
    /// The lanes that it is part of.
    pub lanes: [bool; LANES],
}

impl<'a> Weights<'a> {
    pub(super) fn of(question: &'a Question<'_>, scopes: &[&'a ScopeIndex]) -> Self {
        let documents: u64 = scopes.iter().map(|index| index.document_count()).sum();
        let dates = question.dated.as_ref().and_then(|dated| Dates::of(dated, scopes, documents));
        let mut weights = Self {
            terms: Vec::new(),
            lists: Vec::new(),
            scopes: scopes.len(),
            scale: Scale::of([0.0; LANES], None),
            length_price: length_price(
                BM25_K1 * BM25_B,
                documents,
                scopes.iter().map(|index| index.total_length()).sum(),
            ),
            session_length_price: length_price(
                SESSION_K1 * SESSION_B,
                scopes.iter().map(|index| index.sessions().count()).sum(),
                scopes.iter().map(|index| index.sessions().total_length()).sum(),
            ),
            dates,
        };
        for (term, lanes) in lanes_of(question, weights.dates.as_ref()) {
            weights.push(term, lanes, documents, scopes);
        }
        for term in weights.terms.iter_mut().filter(|term| stresses(question, term.term)) {
            term.idf *= STRESS;
        }
        for at in naming_terms(question, &weights, scopes) {
            if let Some(term) = weights.terms.get_mut(at) {
                term.idf *= NAME_SHARE;
            }
        }
        let total_idf = |lane: usize| -> f64 {
            weights.terms.iter().filter(|term| term.lanes[lane]).map(|term| term.idf).sum()
        };
        let date_idf = weights.dates.as_ref().map(|dates| dates.idf);
        weights.scale = Scale::of([total_idf(WHOLE), total_idf(REST)], date_idf);
        weights
    }

    fn push(
        &mut self,
        term: &'a str,
        lanes: [bool; LANES],
        documents: u64,
        scopes: &[&'a ScopeIndex],
    ) {
        let mut document_frequency = 0;
        for index in scopes {
            let (postings, live) = index.postings(term);
            self.lists.push(postings);
            document_frequency += u64::from(live);
        }
        let idf = idf(documents, document_frequency);
        self.terms.push(TermWeight { term, idf, document_frequency, lanes });
    }

    /// Each term with its postings in one scope.
    pub(super) fn in_scope(
        &self,
        scope: usize,
    ) -> impl Iterator<Item = (&TermWeight<'a>, &'a [Posting])> {
        self.terms.iter().enumerate().map(move |(at, term)| {
            let list = self.lists.get(at * self.scopes + scope).copied().unwrap_or_default();
            (term, list)
        })
    }

    /// The share of the question's idf that stands in terms which entries in sight hold, 0 to 1; 0
    /// without terms.
    pub(super) fn known(&self) -> f64 {
        let (mut known, mut total) = (0.0, 0.0);
        for term in self.terms.iter().filter(|term| term.lanes[WHOLE]) {
            total += term.idf;
            known += if term.document_frequency > 0 { term.idf } else { 0.0 };
        }
        if total > 0.0 { known / total } else { 0.0 }
    }

    /// w(t,d) = idf · tf / (tf + k1 (1 − b + b · len/avg))
    pub(super) fn of_posting(&self, idf: f64, posting: &Posting) -> f64 {
        let count = f64::from(posting.count);
        let length = f64::from(posting.length);
        idf * count / (count + BM25_K1 * (1.0 - BM25_B) + self.length_price * length)
    }

    /// [`Weights::of_posting`] of as many postings as there are, with the same bits.
    pub(super) fn of_postings(&self, idf: f64, postings: &[Posting], values: &mut [f64]) {
        weigh(idf, BM25_K1 * (1.0 - BM25_B), self.length_price, postings, values);
    }

    /// What a session gives each of its entries: .5 · w(t,S), the session taken for one document.
    pub(super) fn of_session(&self, idf: f64, count: u64, length: u64) -> f64 {
        let (count, length) = (count as f64, length as f64);
        let saturation = SESSION_K1 * (1.0 - SESSION_B) + self.session_length_price * length;
        SESSION_PRIOR * idf * count / (count + saturation)
    }
}

/// Whether a term stands in the last sentence of a long question.
fn stresses(question: &Question<'_>, term: &str) -> bool {
    let rest = question.dated.as_ref().is_some_and(|dated| dated.rest.stresses(term));
    rest || question.words.stresses(term)
}

/// idf · tf / (tf + `base` + `price` · length), with divisions side by side.
#[multiversion(targets = "simd")]
fn weigh(idf: f64, base: f64, price: f64, postings: &[Posting], values: &mut [f64]) {
    for (value, posting) in values.iter_mut().zip(postings) {
        let (count, length) = (f64::from(posting.count), f64::from(posting.length));
        *value = idf * count / (count + base + price * length);
    }
}

/// The distinct terms of a question with the lanes they belong to.
fn lanes_of<'a>(
    question: &'a Question<'_>,
    dates: Option<&Dates>,
) -> Vec<(&'a str, [bool; LANES])> {
    let whole = question.words.terms();
    let mut terms: Vec<(&str, [bool; LANES])> =
        whole.iter().map(|term| (term.as_str(), [true, false])).collect();
    // A date that is all that is asked for leaves nothing to weigh beside it.
    let (Some(dated), Some(false)) = (&question.dated, dates.map(|dates| dates.alone)) else {
        return terms;
    };
    let places: HashMap<&str, usize> =
        whole.iter().enumerate().map(|(at, term)| (term.as_str(), at)).collect();
    for term in dated.rest.terms().iter().filter(|term| !is_stop_form(term.as_bytes())) {
        match places.get(term.as_str()).and_then(|at| terms.get_mut(*at)) {
            Some((_, lanes)) => lanes[REST] = true,
            None => terms.push((term, [false, true])),
        }
    }
    terms
}

/// The price of a token, `at_average` being that of an average document.
fn length_price(at_average: f64, documents: u64, total_length: u64) -> f64 {
    if total_length == 0 {
        return 0.0;
    }
    at_average * documents as f64 / total_length as f64
}

/// ln(1 + (N − df + .5)/(df + .5)): above 0 for a term that every entry holds.
pub(super) fn idf(documents: u64, document_frequency: u64) -> f64 {
    let without = documents.saturating_sub(document_frequency) as f64;
    ((without + 0.5) / (document_frequency as f64 + 0.5)).ln_1p()
}
