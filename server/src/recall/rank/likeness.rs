//! How much an entry means what the question means.

use super::Interrupted;
use super::budget::InterruptBudget;
use super::question::{Meaning, Mode, Question};
use super::scratch::Scratch;
use crate::recall::constants::{MIX_NEXT, MIX_PREVIOUS};
use crate::recall::index::{NO_SESSION, Place, ScopeIndex};

/// Vectors that are compared between two looks at the interrupt.
const ROWS: usize = 512;

/// Whether a scope has vectors that the question can be compared with.
pub(super) fn has_likeness(index: &ScopeIndex, meaning: &Meaning) -> bool {
    index.vectors().answer(&meaning.vector)
}

/// The meaning of a question, if it has a say: its mode lets it, and some scope has vectors.
pub(super) fn heard_meaning<'a>(
    question: &'a Question<'_>,
    scopes: &[&ScopeIndex],
) -> Option<&'a Meaning> {
    let meaning = question.meaning.as_ref().filter(|_| question.mode != Mode::Lexical)?;
    scopes.iter().any(|index| has_likeness(index, meaning)).then_some(meaning)
}

/// Computes c of every entry of a scope; those at or above the floor have evidence of their own.
pub(super) fn compare_all(
    index: &ScopeIndex,
    meaning: &Meaning,
    scratch: &mut Scratch,
    budget: &mut InterruptBudget<'_>,
) -> Result<(), Interrupted> {
    let vectors = index.vectors();
    // Neighbours without a vector read a 0.
    if scratch.likeness.len() < index.numbers() {
        scratch.likeness.resize(index.numbers(), 0.0);
    }
    let (with_vector, without) = scratch.likeness.split_at_mut(vectors.len());
    without.fill(0.0);
    let mut dots = [0; ROWS];
    for (part, likeness) in with_vector.chunks_mut(ROWS).enumerate() {
        let first = part * ROWS;
        let dots = &mut dots[..likeness.len()];
        vectors.likeness_of_rows(&meaning.vector, first, dots, likeness);
        for (doc, likeness) in (first..).zip(&*likeness) {
            if f64::from(*likeness) >= meaning.calibration.floor {
                // Fits: there is no vector of a larger number.
                scratch.evidence.insert(doc as u32);
            }
        }
        budget.spend(likeness.len())?;
    }
    Ok(())
}

/// D of an entry, given c of any doc; `None` without a vector of its own.
///
/// D = max(0, (c + .5 c(previous) + .3 c(next)) / ‖v + .5 v(previous) + .3 v(next)‖), neighbours
/// without a vector 0; without a session max(0, c).
pub(super) fn mixed(index: &ScopeIndex, doc: u32, likeness: impl Fn(u32) -> f64) -> Option<f64> {
    if !index.vectors().has(doc) {
        return None;
    }
    let Place { session, previous, next } = index.sessions().of(doc);
    let norm = f64::from(index.vectors().norm(doc));
    let own = likeness(doc);
    if session == NO_SESSION || norm <= 0.0 {
        return Some(own.clamp(0.0, 1.0));
    }
    let sum = own + MIX_PREVIOUS * likeness(previous) + MIX_NEXT * likeness(next);
    Some((sum / norm).clamp(0.0, 1.0))
}
