//! From sums to the rank value: what ranking and its explanation share, so that they agree.

use super::weights::{LANES, REST, WHOLE};
use crate::recall::constants::{AUTHOR_FACTOR, AUTHOR_LIKENESS_FACTOR, SESSION_PRIOR};

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
    /// What the factor of the author adds: less than the factor says at the cap.
    pub author: f64,
    /// What the words say without date and author, 0 to 1.
    pub by_words: f64,
}

/// What sums are worth; the same for all entries.
pub(super) struct Scale {
    /// Of each lane, without and within a session.
    units: [[f64; 2]; LANES],
    /// What a day that agrees fully gives, if the question names days.
    date: Option<f64>,
}

impl Scale {
    /// Given Σ idf of each lane, and the idf of the date.
    pub(super) fn of(total_idf: [f64; LANES], date_idf: Option<f64>) -> Self {
        let units = |divisor: f64| {
            // A question without words has no sums either.
            let unit = if divisor > 0.0 { 1.0 / divisor } else { 0.0 };
            [unit, unit / (1.0 + SESSION_PRIOR)]
        };
        let rest = total_idf[REST] + date_idf.unwrap_or(0.0);
        Self { units: [units(total_idf[WHOLE]), units(rest)], date: date_idf.map(|idf| idf / rest) }
    }

    /// L of an entry of which nothing but the words counts: no session, no date, no named author.
    pub(super) fn of_words(&self, sum: f64) -> f64 {
        sum * self.units[WHOLE][0]
    }

    /// L = min(1, 1.8 if by a named author · max(L(words), L'(dated)));
    ///
    /// L = Σ s / (1.5 Σ idf), without session Σ w / Σ idf, and
    /// L' = (L(rest) · I + idf(date) · a) / (I + idf(date)), I = Σ idf of the rest. What looks like a
    /// date may as well stand in the text of entries, "in 1943", so the better of both counts.
    pub(super) fn lexical(&self, sums: &Sums) -> Lexical {
        let part = usize::from(sums.in_session);
        let total = |lane: usize| sums.words[lane] + sums.session[lane];
        let unit = self.units[WHOLE][part];
        let value = total(WHOLE) * unit;
        let mut found =
            Lexical { value, lane: WHOLE, unit, time: 0.0, author: 0.0, by_words: value };
        if let Some(date) = self.date {
            let (unit, time) = (self.units[REST][part], date * sums.agreement);
            let value = total(REST) * unit + time;
            if value > found.value {
                found = Lexical { value, lane: REST, unit, time, ..found };
            }
        }
        if sums.by_named_author {
            let raised = (found.value * AUTHOR_FACTOR).min(1.0);
            found.author = raised - found.value;
            found.value = raised;
        }
        found
    }
}

/// D as the rank value takes it: min(1, 1.5 D) if by a named author.
pub(super) fn heard_likeness(likeness: f64, by_named_author: bool) -> f64 {
    if by_named_author { (likeness * AUTHOR_LIKENESS_FACTOR).min(1.0) } else { likeness }
}

/// r = (L + w D) / (1 + w)
pub(super) fn rank_value(lexical: f64, likeness: f64, weight: f64) -> f64 {
    (lexical + weight * likeness) / (1.0 + weight)
}
