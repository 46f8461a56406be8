//! Why an entry matched, part by part.

use super::likeness::{heard_meaning, mixed};
use super::matches::{agreement, known};
use super::names::named_authors;
use super::question::{Meaning, Mode, Question};
use super::value::{Lexical, Sums, heard_likeness, rank_value};
use super::weights::{LANES, TermWeight, Weights};
use crate::recall::analysis::readable_term;
use crate::recall::constants::{FILL_NEXT, FILL_PREVIOUS, FILL_SECOND_NEXT, FILL_SECOND_PREVIOUS};
use crate::recall::index::{NO_DOC, NO_ENTRY, NO_SESSION, Posting, ScopeIndex};
use crate::recall::score::{score_by_meaning, score_by_words};

/// What one term of the question gave to one entry.
#[derive(Clone, Debug, PartialEq)]
pub struct TermShare {
    /// Stemmed and cut, as the index holds it.
    pub term: String,
    /// Its part of the rank value.
    pub share: f64,
    /// How often the entry that `lent_by` names holds the term, counted up to 65,535.
    pub count: u32,
    /// Entries of all scopes given that hold the term.
    pub document_frequency: u64,
    /// Which entry of the session holds the term: 0 this one, −1 the one before, 1 the one behind,
    /// −2 and 2 those beyond.
    pub lent_by: i32,
}

/// The parts of one entry's rank value, which they sum up to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// Terms of the question that the entry holds or is lent, in the order of the question. If the
    /// date counts, without the date's words.
    pub terms: Vec<TermShare>,
    /// What the session as a whole gave.
    pub session: f64,
    /// What the factors of a named author added, to the words and to the likeness.
    pub author: f64,
    /// What the date gave; 0 if the words, date words included, say more.
    pub time: f64,
    /// What the likeness gave: w·D/(1 + w).
    pub meaning: f64,
    /// D, 0 to 1; if question and entry have vectors.
    pub likeness: Option<f64>,
    /// c, −1 to 1; if question and entry have vectors.
    pub own_likeness: Option<f64>,
    /// How well the entry's day agrees, 0 to 1; 0 without a date.
    pub agreement: f64,
    /// 1.12 √r: one of the two that the score is the larger of, before it is cut at 1.
    pub score_by_words: f64,
    /// gain · (D − .25 known): the other one.
    pub score_by_meaning: f64,
}

impl Explanation {
    /// r, the sum of the parts.
    pub fn rank_value(&self) -> f64 {
        let terms: f64 = self.terms.iter().map(|term| term.share).sum();
        terms + self.session + self.author + self.time + self.meaning
    }
}

/// Explains the matches of one question. What all of them share is computed once.
pub struct Explainer<'a> {
    question: &'a Question<'a>,
    scopes: &'a [&'a ScopeIndex],
    weights: Weights<'a>,
    /// If there are vectors to compare it with.
    meaning: Option<&'a Meaning>,
    in_scopes: Vec<InScope>,
}

/// What the entries of one scope share.
struct InScope {
    /// Σ .5 w(t,S) by session, of each lane.
    session_sums: [Vec<f64>; LANES],
    named_authors: Vec<u32>,
}

impl<'a> Explainer<'a> {
    /// Explains what `question` finds in `scopes`. Costs about as much as ranking by words.
    pub fn new(question: &'a Question<'a>, scopes: &'a [&'a ScopeIndex]) -> Self {
        let weights = Weights::of(question, scopes);
        let in_scopes = scopes.iter().enumerate().map(|(scope, index)| InScope {
            session_sums: session_sums(&weights, scope, index),
            named_authors: named_authors(question, &weights, index),
        });
        let in_scopes = in_scopes.collect();
        let meaning = heard_meaning(question, scopes);
        Self { question, scopes, weights, meaning, in_scopes }
    }

    /// The parts of the rank value of the entry `doc` of `scopes[scope]`; `None` if there is none.
    pub fn explain(&self, scope: usize, doc: u32) -> Option<Explanation> {
        let index = self.scopes.get(scope)?;
        let in_scope = self.in_scopes.get(scope)?;
        if index.days().of(doc) == NO_ENTRY {
            return None;
        }
        let mut explanation = Explanation::default();
        let weight = self.explain_meaning(index, doc, &mut explanation);
        if self.question.mode == Mode::Semantic {
            return Some(explanation);
        }
        let held = self.held_terms(scope, index, doc);
        let sums = self.sums(in_scope, index, doc, &held);
        let Lexical { value, lane, unit, time, author, by_words: _ } =
            self.weights.scale.lexical(&sums);
        // Everything but meaning is divided by this.
        let part = 1.0 / (1.0 + weight);
        explanation.terms = held
            .iter()
            .filter(|held| held.weight.lanes[lane])
            .map(|held| held.share(unit * part))
            .collect();
        explanation.session = sums.session[lane] * unit * part;
        explanation.time = time * part;
        explanation.agreement = sums.agreement;
        let like = explanation.likeness.unwrap_or(0.0);
        let heard = heard_likeness(like, sums.by_named_author);
        explanation.author = rank_value(author, heard - like, weight);
        explanation.score_by_words = score_by_words(rank_value(value, heard, weight));
        Some(explanation)
    }

    /// Fills in the parts of meaning; answers its weight.
    fn explain_meaning(&self, index: &ScopeIndex, doc: u32, parts: &mut Explanation) -> f64 {
        let Some(Meaning { vector, calibration }) = self.meaning else { return 0.0 };
        let of = |doc: u32| f64::from(index.vectors().likeness(vector, doc));
        if index.vectors().answer(vector) {
            parts.likeness = mixed(index, doc, of);
            parts.own_likeness = parts.likeness.map(|_| of(doc));
        }
        let like = parts.likeness.unwrap_or(0.0);
        let known = known(self.question, &self.weights);
        parts.score_by_meaning = score_by_meaning(like, known, calibration);
        parts.meaning = match self.question.mode {
            Mode::Semantic => like,
            Mode::Hybrid | Mode::Lexical => rank_value(0.0, like, calibration.weight),
        };
        calibration.weight
    }

    fn sums(&self, in_scope: &InScope, index: &ScopeIndex, doc: u32, held: &[Held<'_>]) -> Sums {
        let session = index.sessions().of(doc).session;
        let mut words = [0.0; LANES];
        for held in held {
            for (word, part) in words.iter_mut().zip(held.weight.lanes) {
                *word += if part { held.value } else { 0.0 };
            }
        }
        let of_session = |sums: &Vec<f64>| sums.get(session as usize).copied().unwrap_or(0.0);
        Sums {
            words,
            session: in_scope.session_sums.each_ref().map(of_session),
            in_session: session != NO_SESSION,
            agreement: agreement(&self.weights, index, doc),
            by_named_author: index.authors().is_by(doc, &in_scope.named_authors),
        }
    }

    /// w' of each term that the entry holds or is lent.
    fn held_terms(&self, scope: usize, index: &ScopeIndex, doc: u32) -> Vec<Held<'_>> {
        let place = index.sessions().of(doc);
        let beyond_previous = index.sessions().of(place.previous).previous;
        let beyond_next = index.sessions().of(place.next).next;
        let lenders = [
            (doc, 0, 1.0),
            (place.previous, -1, FILL_PREVIOUS),
            (place.next, 1, FILL_NEXT),
            (beyond_previous, -2, FILL_SECOND_PREVIOUS),
            (beyond_next, 2, FILL_SECOND_NEXT),
        ];
        let mut all_held = Vec::new();
        for (weight, postings) in self.weights.in_scope(scope) {
            let mut best: Option<Held<'_>> = None;
            for (lender, lent_by, share) in lenders {
                let Some(posting) = posting_of(postings, lender) else { continue };
                let value = self.weights.of_posting(weight.idf, posting) * share;
                if best.as_ref().is_none_or(|best| best.value < value) {
                    best = Some(Held { weight, value, count: posting.count, lent_by });
                }
            }
            all_held.extend(best);
        }
        all_held
    }
}

/// A term that an entry holds, or is lent.
struct Held<'a> {
    weight: &'a TermWeight<'a>,
    /// w'
    value: f64,
    count: u16,
    lent_by: i32,
}

impl Held<'_> {
    fn share(&self, unit: f64) -> TermShare {
        TermShare {
            term: readable_term(self.weight.term).to_owned(),
            share: self.value * unit,
            count: u32::from(self.count),
            document_frequency: self.weight.document_frequency,
            lent_by: self.lent_by,
        }
    }
}

fn posting_of(postings: &[Posting], doc: u32) -> Option<&Posting> {
    if doc == NO_DOC {
        return None;
    }
    let at = postings.binary_search_by_key(&doc, |posting| posting.doc).ok()?;
    postings.get(at).filter(|posting| posting.count > 0)
}

/// Σ .5 w(t,S) by session, of each lane.
fn session_sums(weights: &Weights<'_>, scope: usize, index: &ScopeIndex) -> [Vec<f64>; LANES] {
    let sessions = index.sessions();
    let mut sums = [vec![0.0; sessions.numbers()], vec![0.0; sessions.numbers()]];
    if sessions.count() == 0 {
        return sums;
    }
    let mut counts = vec![0; sessions.numbers()];
    let mut counted = Vec::new();
    for (term, postings) in weights.in_scope(scope) {
        for posting in postings.iter().filter(|posting| posting.count > 0) {
            let session = sessions.of(posting.doc).session;
            let Some(count) = counts.get_mut(session as usize) else { continue };
            if *count == 0 {
                counted.push(session as usize);
            }
            *count += u64::from(posting.count);
        }
        for session in counted.drain(..) {
            let count = std::mem::take(&mut counts[session]);
            let length = sessions.length_of(session as u32);
            let weight = weights.of_session(term.idf, count, length);
            for (sums, part) in sums.iter_mut().zip(term.lanes) {
                sums[session] += if part { weight } else { 0.0 };
            }
        }
    }
    sums
}
