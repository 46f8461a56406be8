//! BM25 over the scopes a search may see.
//!
//! Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with
//! the always positive idf, k1 = .9, b = .4:
//!
//! - idf(t) = ln(1 + (N − df + .5)/(df + .5)), N and df summed over the scopes given;
//! - w(t,d) = idf · tf / (tf + .9 (.6 + .4 · len/avg));
//! - L(d) = Σ w / Σ idf over the query's distinct terms, unknown ones with df 0.

mod explain;
#[cfg(test)]
mod tests;
mod weights;
mod window;

use thiserror::Error;

pub use self::explain::{Explainer, TermShare};
use self::weights::Weights;
use self::window::Window;
use super::analysis::Query;
use super::constants::RANK_INTERRUPT_POSTINGS;
use super::lexical::ScopeIndex;

/// The caller asked to stop before the ranking was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("ranking was interrupted")]
pub struct Interrupted;

/// An entry that holds a term of the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Place of the entry's scope among those given.
    pub scope: usize,
    /// The number that the scope's index has for the entry.
    pub doc: u32,
    /// L: the share of the query's weight that the entry answers, above 0 and below 1.
    pub value: f64,
}

/// Every entry that holds a term of `query`, by scope, then doc.
///
/// Sums run in the order of the query's terms, so the same query on the same entries gives the same
/// bits, however the index came to be. `interrupt` is asked every few thousand postings.
///
/// # Errors
/// [`Interrupted`] when `interrupt` answers true.
pub fn rank(
    query: &Query,
    scopes: &[&ScopeIndex],
    interrupt: &dyn Fn() -> bool,
) -> Result<Vec<Match>, Interrupted> {
    let weights = Weights::of(query, scopes);
    let mut budget = InterruptBudget { interrupt, spent: 0 };
    let mut window = Window::new();
    let mut matches = Vec::new();
    for (scope, index) in scopes.iter().enumerate() {
        let mut cursors = weights.cursors(query, index);
        while let Some(first) = cursors.iter().filter_map(|cursor| cursor.next_doc()).min() {
            window.start_at(first);
            for cursor in &mut cursors {
                let idf = cursor.idf;
                let read = window.take_in(cursor, |posting| weights.of_posting(idf, posting));
                budget.spend(1 + read)?;
            }
            cursors.retain(|cursor| cursor.next_doc().is_some());
            window.drain(|doc, sum| {
                matches.push(Match { scope, doc, value: sum / weights.total_idf });
            });
        }
    }
    Ok(matches)
}

/// Asks the caller's interrupt, which may read a clock, only now and then.
struct InterruptBudget<'a> {
    interrupt: &'a dyn Fn() -> bool,
    /// Postings and windows read since it was asked.
    spent: usize,
}

impl InterruptBudget<'_> {
    fn spend(&mut self, work: usize) -> Result<(), Interrupted> {
        self.spent += work;
        if self.spent < RANK_INTERRUPT_POSTINGS {
            return Ok(());
        }
        self.spent = 0;
        if (self.interrupt)() { Err(Interrupted) } else { Ok(()) }
    }
}
