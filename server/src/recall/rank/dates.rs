//! The days that a question names, against the days of the entries in sight.

use super::asking::asks_for_anything;
use super::question::Dated;
use super::weights::idf;
use crate::recall::index::ScopeIndex;

/// What the date of a question is worth.
pub(super) struct Dates {
    /// idf of the date: ln(1 + (N − m + .5)/(m + .5)) if m entries agree fully.
    pub idf: f64,
    /// Whether the date is all that is asked for, so that a day that agrees fully is evidence.
    pub alone: bool,
    /// Days that agree at least a little, ascending, and how well.
    days: Vec<(i32, f64)>,
}

impl Dates {
    /// `None` if no entry in sight agrees fully: what looks like a date may mean something else.
    pub(super) fn of(dated: &Dated<'_>, scopes: &[&ScopeIndex], documents: u64) -> Option<Self> {
        let mut days = Vec::new();
        let mut agreeing = 0;
        for (day, count) in scopes.iter().flat_map(|index| index.days().counts()) {
            let agreement = (dated.agreement)(day).clamp(0.0, 1.0);
            // What is no number is not above 0 either: it agrees with nothing.
            if agreement > 0.0 {
                days.push((day, agreement));
            }
            if agreement >= 1.0 {
                agreeing += u64::from(count);
            }
        }
        days.sort_unstable_by_key(|(day, _)| *day);
        days.dedup_by_key(|(day, _)| *day);
        let alone = asks_for_anything(&dated.rest);
        (agreeing > 0).then(|| Self { idf: idf(documents, agreeing), alone, days })
    }

    /// How well a day agrees, 0 to 1.
    pub(super) fn agreement(&self, day: i32) -> f64 {
        let found = self.days.binary_search_by_key(&day, |(held, _)| *held).ok();
        found.and_then(|at| self.days.get(at)).map_or(0.0, |(_, agreement)| *agreement)
    }
}
