//! Ranking the entries that a search may see.
//!
//! Words: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009),
//! with the always positive idf, k1 = .8, b = .4; within a session, neighbours lend an entry what it
//! lacks and the session as a whole counts half.
//!
//! - idf(t) = ln(1 + (N − df + .5)/(df + .5)), N and df summed over the scopes given; half of it if t
//!   names an author, half as much again if it stands in the last of three or more sentences;
//! - w(t,d) = idf · tf / (tf + .8 (.6 + .4 · len/avg));
//! - w'(t,d) = max(w(t,d), .6 w(t,prev), .4 w(t,next), .3 w(t,prev2), .2 w(t,next2));
//! - s(t,d) = w'(t,d) + .5 w(t,S), S the session as one document, w(t,S) = idf · tf / (tf + .9 len/avg);
//! - L(d) = Σ s / (1.5 Σ idf) over the question's distinct terms, unknown ones with df 0; of an entry
//!   without session Σ w / Σ idf; then date and author (see `value`).
//!
//! Meaning: D mixed with the neighbours' (see `likeness`), and r = (L + w D)/(1 + w).

mod alone;
mod asking;
mod best;
mod bits;
mod budget;
mod dates;
mod explain;
mod likeness;
mod matches;
mod names;
mod question;
mod scratch;
#[cfg(test)]
mod tests;
mod value;
mod weights;
mod words;

use thiserror::Error;

pub use self::best::{Tie, Wanted};
pub use self::explain::{Explainer, Explanation, TermShare};
pub use self::matches::{Admit, Match, Ranking, rank, rank_best};
pub use self::question::{Dated, Meaning, Mode, Question};

/// The caller asked to stop before the ranking was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("ranking was interrupted")]
pub struct Interrupted;
