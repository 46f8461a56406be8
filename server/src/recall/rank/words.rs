//! Sums of the weights of a question's terms, entry by entry and session by session.

use super::Interrupted;
use super::budget::InterruptBudget;
use super::scratch::Scratch;
use super::weights::{LANES, TermWeight, WHOLE, Weights};
use crate::recall::constants::{
    FILL_NEXT, FILL_PREVIOUS, FILL_SECOND_NEXT, FILL_SECOND_PREVIOUS, RANK_INTERRUPT_POSTINGS,
};
use crate::recall::index::{NO_DOC, NO_SESSION, Place, Posting, ScopeIndex};

/// Postings that are weighed at a time.
const BLOCK: usize = 64;

/// Sums up what the terms of the question give the entries of one scope.
///
/// Terms come in the order of the question, so that the sums have the same bits whatever the numbers
/// of the entries.
pub(super) fn add_words(
    weights: &Weights<'_>,
    scope: usize,
    index: &ScopeIndex,
    scratch: &mut Scratch,
    budget: &mut InterruptBudget<'_>,
) -> Result<(), Interrupted> {
    let places = index.sessions().places();
    for (term, postings) in weights.in_scope(scope) {
        budget.spend(1)?;
        for part in postings.chunks(RANK_INTERRUPT_POSTINGS) {
            if places.is_empty() {
                add_alone(weights, term, part, scratch);
            } else {
                add_with_neighbours(weights, term, part, places, scratch);
            }
            budget.spend(part.len())?;
        }
        end_term(weights, term, index, scratch);
    }
    Ok(())
}

/// Adds postings of a scope without sessions.
fn add_alone(
    weights: &Weights<'_>,
    term: &TermWeight<'_>,
    postings: &[Posting],
    scratch: &mut Scratch,
) {
    let Scratch { sums, evidence, touched, .. } = scratch;
    // Both sets are cleared, so a doc needs to stand in one of them only.
    let marked = if term.lanes[WHOLE] { evidence } else { touched };
    let mut marker = marked.marker();
    let mut values = [0.0; BLOCK];
    for block in postings.chunks(BLOCK) {
        // A removed posting weighs nothing.
        weights.of_postings(term.idf, block, &mut values);
        let run = run_from(block);
        match run {
            Some(first) => marker.mark_run(first, block.len()),
            None => block.iter().for_each(|held| marker.mark(held.doc, held.count > 0)),
        }
        for (sums, _) in sums.iter_mut().zip(term.lanes).filter(|(_, part)| *part) {
            if let Some(sums) = run.and_then(|first| sums.get_mut(first as usize..)) {
                sums.iter_mut()
                    .zip(&values)
                    .take(block.len())
                    .for_each(|(sum, value)| *sum += value);
                continue;
            }
            for (posting, value) in block.iter().zip(&values) {
                if let Some(sum) = sums.get_mut(posting.doc as usize) {
                    *sum += value;
                }
            }
        }
    }
}

/// The first doc, if all entries from it to the last one hold the term: words that nearly every
/// entry holds are the ones that take long.
fn run_from(block: &[Posting]) -> Option<u32> {
    let (first, last) = (block.first()?.doc, block.last()?.doc);
    let dense = (last - first) as usize == block.len() - 1;
    (dense && block.iter().all(|posting| posting.count > 0)).then_some(first)
}

/// Adds postings, each to its entry and in part to the entries beside it:
/// w'(t,d) = max(w(t,d), .6 w(t,prev), .4 w(t,next), .3 w(t,prev2), .2 w(t,next2)).
///
/// Seen from the entry that lends, the one behind it gets .6.
fn add_with_neighbours(
    weights: &Weights<'_>,
    term: &TermWeight<'_>,
    postings: &[Posting],
    places: &[Place],
    scratch: &mut Scratch,
) {
    let place_of = |doc: u32| places.get(doc as usize).copied().unwrap_or(Place::NONE);
    for posting in postings.iter().filter(|posting| posting.count > 0) {
        let weight = weights.of_posting(term.idf, posting);
        let Place { session, previous, next } = place_of(posting.doc);
        if session == NO_SESSION {
            add(scratch, term, posting.doc, weight);
            continue;
        }
        if term.lanes[WHOLE] {
            scratch.evidence.insert(posting.doc);
        }
        lift(scratch, posting.doc, weight);
        if next != NO_DOC {
            lift(scratch, next, weight * FILL_PREVIOUS);
            lift(scratch, place_of(next).next, weight * FILL_SECOND_PREVIOUS);
        }
        if previous != NO_DOC {
            lift(scratch, previous, weight * FILL_NEXT);
            lift(scratch, place_of(previous).previous, weight * FILL_SECOND_NEXT);
        }
        if let Some(count) = scratch.session_counts.get_mut(session as usize) {
            if *count == 0 {
                scratch.counted_sessions.push(session);
            }
            *count += u64::from(posting.count);
        }
    }
}

fn add(scratch: &mut Scratch, term: &TermWeight<'_>, doc: u32, weight: f64) {
    add_to_lanes(&mut scratch.sums, term, doc, weight);
    // Both sets are cleared, so a doc needs to stand in one of them only.
    if term.lanes[WHOLE] {
        scratch.evidence.insert(doc);
    } else {
        scratch.touched.insert(doc);
    }
}

fn add_to_lanes(sums: &mut [Vec<f64>; LANES], term: &TermWeight<'_>, at: u32, weight: f64) {
    for (sums, part) in sums.iter_mut().zip(term.lanes) {
        if part && let Some(sum) = sums.get_mut(at as usize) {
            *sum += weight;
        }
    }
}

/// Raises w' of the term at hand to `weight`.
fn lift(scratch: &mut Scratch, doc: u32, weight: f64) {
    if let Some(best) = scratch.best.get_mut(doc as usize) {
        if *best == 0.0 {
            scratch.best_docs.push(doc);
        }
        *best = best.max(weight);
    }
}

/// Adds w' of the term at hand, and what the sessions as a whole give.
fn end_term(
    weights: &Weights<'_>,
    term: &TermWeight<'_>,
    index: &ScopeIndex,
    scratch: &mut Scratch,
) {
    for doc in scratch.best_docs.drain(..) {
        if let Some(best) = scratch.best.get_mut(doc as usize) {
            add_to_lanes(&mut scratch.sums, term, doc, std::mem::take(best));
            scratch.touched.insert(doc);
        }
    }
    for session in scratch.counted_sessions.drain(..) {
        if let Some(count) = scratch.session_counts.get_mut(session as usize) {
            let length = index.sessions().length_of(session);
            let weight = weights.of_session(term.idf, std::mem::take(count), length);
            add_to_lanes(&mut scratch.session_sums, term, session, weight);
            scratch.touched_sessions.push(session);
        }
    }
}
