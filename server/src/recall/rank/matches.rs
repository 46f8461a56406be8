//! From sums to matches.

use super::Interrupted;
use super::budget::InterruptBudget;
use super::likeness::{compare_all, has_likeness, heard_meaning, mixed};
use super::names::named_authors;
use super::question::{Meaning, Mode, Question};
use super::scratch::Scratch;
use super::value::{Lexical, Sums, heard_likeness, rank_value};
use super::weights::{LANES, Weights};
use super::words::add_words;
use crate::recall::constants::{ADMIT_COST_POSTINGS, KNOWN_UNASKED, RANK_INTERRUPT_POSTINGS};
use crate::recall::index::{NO_ENTRY, NO_SESSION, ScopeIndex};
use crate::recall::score::{score, score_by_meaning, score_by_words};

/// Whether an entry may be a match, asked with the place of its scope and its number.
pub type Admit<'a> = &'a dyn Fn(usize, u32) -> bool;

/// An entry that has evidence of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Place of the entry's scope among those given.
    pub scope: usize,
    /// The number that the scope's index has for the entry.
    pub doc: u32,
    /// r: what matches are ordered by, 0 to 1.
    pub value: f64,
    /// L: the share of the question's words that the entry answers, 0 to 1.
    pub lexical: f64,
    /// D: likeness of meaning, mixed with the neighbours', 0 to 1; if both have a vector.
    pub likeness: Option<f64>,
    /// c: likeness of the entry's own vector, −1 to 1.
    pub own_likeness: Option<f64>,
    /// How sure the match is, 0 to 1.
    pub score: f64,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ranking {
    /// By scope, then by doc.
    pub matches: Vec<Match>,
    /// The most that the words of a match say, without its author and, unless nothing but a date is
    /// asked for, without its day; 0 without any match. From
    /// [`WORDS_SETTLE`](crate::recall::constants::WORDS_SETTLE) on meaning changes nothing worth its
    /// time.
    pub best_by_words: f64,
}

/// Every entry with evidence of its own: a term of the question, or a likeness of at least the floor,
/// or, if the question asks for nothing but days, a day that agrees fully.
///
/// `admit` is asked about each of them. Statistics are of all entries in `scopes`, admitted or not.
/// Sums run in the order of the question's terms, so the same question on the same entries gives the
/// same bits, however the indexes came to be. `interrupt` is asked every few thousand postings.
///
/// # Errors
/// [`Interrupted`] when `interrupt` answers true.
pub fn rank(
    question: &Question<'_>,
    scopes: &[&ScopeIndex],
    admit: Option<Admit<'_>>,
    interrupt: &dyn Fn() -> bool,
) -> Result<Ranking, Interrupted> {
    let weights = Weights::of(question, scopes);
    let mut pass = Pass {
        question,
        weights: &weights,
        meaning: heard_meaning(question, scopes),
        known: known(question, &weights),
        admit,
        budget: InterruptBudget::new(interrupt),
        ranking: Ranking::default(),
    };
    let mut scratch = Scratch::take();
    for (scope, index) in scopes.iter().enumerate() {
        pass.rank_scope(scope, index, &mut scratch)?;
    }
    scratch.give_back();
    Ok(pass.ranking)
}

struct Pass<'a> {
    question: &'a Question<'a>,
    weights: &'a Weights<'a>,
    meaning: Option<&'a Meaning>,
    /// The share of the question that counts as known.
    known: f64,
    admit: Option<Admit<'a>>,
    budget: InterruptBudget<'a>,
    ranking: Ranking,
}

impl Pass<'_> {
    fn rank_scope(
        &mut self,
        scope: usize,
        index: &ScopeIndex,
        scratch: &mut Scratch,
    ) -> Result<(), Interrupted> {
        scratch.fit(index, self.weights.dates.is_some());
        if self.question.mode != Mode::Semantic {
            add_words(self.weights, scope, index, scratch, &mut self.budget)?;
            self.add_days(index, scratch)?;
        }
        let meaning = self.meaning.filter(|meaning| has_likeness(index, meaning));
        if let Some(meaning) = meaning {
            compare_all(index, meaning, scratch, &mut self.budget)?;
        }
        self.collect(scope, index, meaning, scratch)?;
        scratch.clear();
        Ok(())
    }

    /// Marks the entries of the days asked for, if the question asks for nothing else.
    fn add_days(&mut self, index: &ScopeIndex, scratch: &mut Scratch) -> Result<(), Interrupted> {
        let Some(dates) = self.weights.dates.as_ref().filter(|dates| dates.alone) else {
            return Ok(());
        };
        let mut known = (NO_ENTRY, 0.0);
        for (part, days) in index.days().column().chunks(RANK_INTERRUPT_POSTINGS).enumerate() {
            for (doc, day) in (part * RANK_INTERRUPT_POSTINGS..).zip(days) {
                if *day != known.0 {
                    known = (*day, dates.agreement(*day));
                }
                if known.1 >= 1.0 {
                    // Fits: it is the number of an entry.
                    scratch.evidence.insert(doc as u32);
                }
            }
            self.budget.spend(days.len())?;
        }
        Ok(())
    }

    fn collect(
        &mut self,
        scope: usize,
        index: &ScopeIndex,
        meaning: Option<&Meaning>,
        scratch: &mut Scratch,
    ) -> Result<(), Interrupted> {
        let found = scratch.evidence.count();
        if self.admit.is_none() {
            self.ranking.matches.reserve(found);
        }
        self.budget.spend(found)?;
        let named = named_authors(self.question, self.weights, index);
        let Scratch { sums, evidence, session_sums, likeness, .. } = scratch;
        let of_session = |session: u32| {
            let of_lane = |sums: &Vec<f64>| sums.get(session as usize).copied().unwrap_or(0.0);
            session_sums.each_ref().map(of_lane)
        };
        let likeness_of = |doc: u32| likeness.get(doc as usize).copied().map_or(0.0, f64::from);
        evidence.drain(|doc| {
            let take = |sums: &mut Vec<f64>| sums.get_mut(doc as usize).map(std::mem::take);
            let words = sums.each_mut().map(|sums| take(sums).unwrap_or(0.0));
            if let Some(admit) = self.admit {
                self.budget.spend(ADMIT_COST_POSTINGS)?;
                if !admit(scope, doc) {
                    return Ok(());
                }
            }
            let session = index.sessions().of(doc).session;
            let in_session = session != NO_SESSION;
            let by_named_author = !named.is_empty() && index.authors().is_by(doc, &named);
            let found = self.weights.scale.lexical(&Sums {
                words,
                session: if in_session { of_session(session) } else { [0.0; LANES] },
                in_session,
                agreement: agreement(self.weights, index, doc),
                by_named_author,
            });
            let likeness = meaning.and_then(|_| mixed(index, doc, likeness_of));
            let own_likeness = likeness.map(|_| likeness_of(doc));
            self.push((scope, doc), &found, by_named_author, likeness, own_likeness);
            Ok(())
        })
    }

    fn push(
        &mut self,
        (scope, doc): (usize, u32),
        words: &Lexical,
        by_named_author: bool,
        likeness: Option<f64>,
        own_likeness: Option<f64>,
    ) {
        let lexical = words.value;
        let (value, score) = match self.meaning {
            None => (lexical, score(score_by_words(lexical), 0.0)),
            Some(Meaning { calibration, .. }) => {
                let like = likeness.unwrap_or(0.0);
                let by_meaning = score_by_meaning(like, self.known, calibration);
                if self.question.mode == Mode::Semantic {
                    (like, score(0.0, by_meaning))
                } else {
                    let heard = heard_likeness(like, by_named_author);
                    let value = rank_value(lexical, heard, calibration.weight);
                    (value, score(score_by_words(value), by_meaning))
                }
            }
        };
        let date_alone = self.weights.dates.as_ref().is_some_and(|dates| dates.alone);
        let settling = if date_alone { lexical } else { words.by_words };
        // A branch, since `max` would make each entry wait for the one before.
        if settling > self.ranking.best_by_words {
            self.ranking.best_by_words = settling;
        }
        let found = Match { scope, doc, value, lexical, likeness, own_likeness, score };
        self.ranking.matches.push(found);
    }
}

/// The share of a question that counts as known, for the score by meaning.
pub(super) fn known(question: &Question<'_>, weights: &Weights<'_>) -> f64 {
    if question.mode == Mode::Semantic { KNOWN_UNASKED } else { weights.known() }
}

/// How well an entry's day agrees.
pub(super) fn agreement(weights: &Weights<'_>, index: &ScopeIndex, doc: u32) -> f64 {
    weights.dates.as_ref().map_or(0.0, |dates| dates.agreement(index.days().of(doc)))
}
