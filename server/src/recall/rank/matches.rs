//! From sums to matches.

use super::Interrupted;
use super::best::{Best, Kept, Likeness, Rank, Wanted};
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
use crate::recall::score::{narrowed, score, score_by_meaning, score_by_words};

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
    /// Those that were wanted, best first; of [`rank`] all, by scope, then by doc.
    pub matches: Vec<Match>,
    /// How many matches there are, wanted or not.
    pub matched: u64,
    /// How many of them have a smaller score than the least one wanted.
    pub cut_by_score: u64,
    /// The most that the words of a match say, without its author and, unless nothing but a date is
    /// asked for, without its day; 0 without any match. What
    /// [`Question::is_settled_by`] goes by.
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
    let mut ranking = rank_as(None, question, scopes, admit, interrupt)?;
    ranking.matches.reverse();
    Ok(ranking)
}

/// What [`rank`] finds, but of the matches only the wanted ones.
///
/// # Errors
/// [`Interrupted`] when `interrupt` answers true.
pub fn rank_best(
    wanted: Wanted<'_>,
    question: &Question<'_>,
    scopes: &[&ScopeIndex],
    admit: Option<Admit<'_>>,
    interrupt: &dyn Fn() -> bool,
) -> Result<Ranking, Interrupted> {
    rank_as(Some(wanted), question, scopes, admit, interrupt)
}

/// Goes from the last entry to the first: the last ones are the newest, and of equal ones the newest
/// are the best.
fn rank_as(
    wanted: Option<Wanted<'_>>,
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
        min_score: wanted.map_or(0.0, |wanted| wanted.min_score),
        admit,
        budget: InterruptBudget::new(interrupt),
        best: Best::new(wanted),
        matched: 0,
        cut_by_score: 0,
        best_by_words: 0.0,
    };
    let mut scratch = Scratch::take();
    for (scope, index) in scopes.iter().enumerate().rev() {
        pass.rank_scope(scope, index, &mut scratch)?;
    }
    scratch.give_back();
    Ok(pass.into_ranking())
}

pub(super) struct Pass<'a> {
    question: &'a Question<'a>,
    pub weights: &'a Weights<'a>,
    pub meaning: Option<&'a Meaning>,
    /// The share of the question that counts as known.
    known: f64,
    pub min_score: f32,
    pub admit: Option<Admit<'a>>,
    budget: InterruptBudget<'a>,
    pub best: Best<'a>,
    pub matched: u64,
    cut_by_score: u64,
    pub best_by_words: f64,
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
        self.budget.spend(scratch.evidence.count())?;
        let named = named_authors(self.question, self.weights, index);
        if self.words_are_all(index, &named) {
            self.collect_by_words(scope as u32, index, scratch);
            return Ok(());
        }
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
            self.count(&found);
            // Likeness is at most 1: what can't be among the best even so needn't be compared.
            if self.min_score <= 0.0
                && self.value(found.value, 1.0, by_named_author) < self.best.least_value()
            {
                return Ok(());
            }
            let likeness = meaning.and_then(|_| {
                let mixed = mixed(index, doc, likeness_of)?;
                Some(Likeness { mixed, own: likeness_of(doc) })
            });
            self.take(scope, index, doc, &found, by_named_author, likeness);
            Ok(())
        })
    }

    fn count(&mut self, words: &Lexical) {
        self.matched += 1;
        let date_alone = self.weights.dates.as_ref().is_some_and(|dates| dates.alone);
        let settling = if date_alone { words.value } else { words.by_words };
        // A branch, since `max` would make each entry wait for the one before.
        if settling > self.best_by_words {
            self.best_by_words = settling;
        }
    }

    fn take(
        &mut self,
        scope: usize,
        index: &ScopeIndex,
        doc: u32,
        words: &Lexical,
        by_named_author: bool,
        likeness: Option<Likeness>,
    ) {
        let lexical = words.value;
        let mixed = likeness.map_or(0.0, |likeness| likeness.mixed);
        let value = self.value(lexical, mixed, by_named_author);
        // The root that a score takes is as dear as the rest.
        if self.min_score > 0.0 && narrowed(self.score(value, mixed)) < self.min_score {
            self.cut_by_score += 1;
        } else if value >= self.best.least_value() {
            // Fits: a search sees a scope or two.
            let rank = Rank { value, day: index.days().of(doc), scope: scope as u32, doc };
            if self.best.holds(&rank) {
                self.best.take(Kept { rank, lexical, likeness });
            }
        }
    }

    fn value(&self, lexical: f64, likeness: f64, by_named_author: bool) -> f64 {
        match (self.meaning, self.question.mode) {
            (None, _) => lexical,
            (Some(_), Mode::Semantic) => likeness,
            (Some(meaning), Mode::Hybrid | Mode::Lexical) => {
                let heard = heard_likeness(likeness, by_named_author);
                rank_value(lexical, heard, meaning.calibration.weight)
            }
        }
    }

    fn score(&self, value: f64, likeness: f64) -> f64 {
        let Some(Meaning { calibration, .. }) = self.meaning else {
            return score(score_by_words(value), 0.0);
        };
        let by_words = match self.question.mode {
            Mode::Semantic => 0.0,
            Mode::Hybrid | Mode::Lexical => score_by_words(value),
        };
        score(by_words, score_by_meaning(likeness, self.known, calibration))
    }

    fn into_ranking(mut self) -> Ranking {
        let kept = std::mem::replace(&mut self.best, Best::new(None)).into_kept();
        let matches = kept.into_iter().map(|kept| {
            let Kept { rank: Rank { value, day: _, scope, doc }, lexical, likeness } = kept;
            let scope = scope as usize;
            let mixed = likeness.map(|likeness| likeness.mixed);
            let score = self.score(value, mixed.unwrap_or(0.0));
            let own_likeness = likeness.map(|likeness| likeness.own);
            Match { scope, doc, value, lexical, likeness: mixed, own_likeness, score }
        });
        Ranking {
            matches: matches.collect(),
            matched: self.matched,
            cut_by_score: self.cut_by_score,
            best_by_words: self.best_by_words,
        }
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
