//! From sums to the rank value: what ranking and its explanation share, so that they agree.

use super::weights::{LANES, REST, WHOLE, Weights};
use crate::recall::constants::{AUTHOR_FACTOR, SESSION_PRIOR};

/// What is known of one entry when its terms are summed up.
pub(super) struct Sums {
    /// Σ w' and Σ .5 w(t,S) of each lane.
    pub words: [f64; LANES],
    pub session: [f64; LANES],
    pub in_session: bool,
    /// How well its day agrees, 0 to 1.
    pub agreement: f64,
    /// Whether the question names its author.
    pub by_named_author: bool,
}

/// L and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lexical {
    /// L, 0 to 1.
    pub value: f64,
    /// The lane that decided: [`REST`] if the date counts.
    pub lane: usize,
    /// What a unit of the lane's sums is worth.
    pub unit: f64,
    /// What the date gives.
    pub time: f64,
    /// What the factor of the author adds; below 0 never, less than the factor says at the cap.
    pub author: f64,
}

/// L = min(1, 1.3 if by a named author · max(L(words), L'(dated)));
///
/// L = Σ s / (1.5 Σ idf), without session Σ w / Σ idf, and
/// L' = (L(rest) · I + idf(date) · a) / (I + idf(date)), I = Σ idf of the rest. What looks like a date
/// may as well stand in the text of entries, "in 1943", so the better of both counts.
pub(super) fn lexical(weights: &Weights<'_>, sums: &Sums) -> Lexical {
    let share = if sums.in_session { 1.0 / (1.0 + SESSION_PRIOR) } else { 1.0 };
    let total = |lane: usize| sums.words[lane] + sums.session[lane];
    let idf = weights.total_idf[WHOLE];
    let unit = if idf > 0.0 { share / idf } else { 0.0 };
    let mut found =
        Lexical { value: total(WHOLE) * unit, lane: WHOLE, unit, time: 0.0, author: 0.0 };
    if let Some(dates) = &weights.dates {
        let divisor = weights.total_idf[REST] + dates.idf;
        let (unit, time) = (share / divisor, dates.idf * sums.agreement / divisor);
        let value = total(REST) * unit + time;
        if value > found.value {
            found = Lexical { value, lane: REST, unit, time, author: 0.0 };
        }
    }
    let plain = found.value.min(1.0);
    found.value = if sums.by_named_author { (plain * AUTHOR_FACTOR).min(1.0) } else { plain };
    found.author = found.value - plain;
    found
}

/// r = (L + w D) / (1 + w)
pub(super) fn rank_value(lexical: f64, likeness: f64, weight: f64) -> f64 {
    (lexical + weight * likeness) / (1.0 + weight)
}
