//! From one date to another: between, since, before, after.

use super::calendar::{FIRST, LAST};
use super::period::Period;
use super::reader::{Context, Match, Reader, Source};
use super::word::{Role, Word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Since,
    Until,
    Before,
    After,
}

const BOUNDS: [(Role, Bound); 4] = [
    (Role::Since, Bound::Since),
    (Role::Until, Bound::Until),
    (Role::Before, Bound::Before),
    (Role::After, Bound::After),
];

impl Reader<'_> {
    /// The longest date that starts at a token.
    pub(super) fn expression(&self, at: usize) -> Option<Match> {
        if self.words(at).is_empty() && self.digits(at).is_none() {
            return None;
        }
        if at.checked_sub(1).is_some_and(|before| self.is(before, Word::Unbound)) {
            return None;
        }
        let found =
            self.anchored(at).or_else(|| self.between(at)).or_else(|| self.bounded(at)).or_else(
                || self.simple(at, Context::Nothing).map(|found| self.bounded_behind(found)),
            )?;
        self.may_end(found.end).then_some(found)
    }

    /// One date.
    fn simple(&self, at: usize, context: Context) -> Option<Match> {
        let written = self.written(at, context);
        let relative = self.relative(at);
        written.into_iter().chain(relative).max_by_key(|found| found.end)
    }

    fn between(&self, at: usize) -> Option<Match> {
        let between = self.is(at, Word::Between);
        let start = at + usize::from(between || self.is(at, Word::From));
        if start == at {
            return None;
        }
        let from = self.simple(start, Context::Within)?;
        let joint = if between { Word::And } else { Word::To };
        if !self.is(from.end, joint) {
            return None;
        }
        let to = self.simple(from.end + 1, Context::Within)?;
        let (first, last) = (self.bounds(&from).0, self.bounds(&to).1);
        (first <= last).then(|| Match::new(Period::days(first, last), Source::Calendar, to.end))
    }

    /// "since May", "before 2020".
    fn bounded(&self, at: usize) -> Option<Match> {
        let bound = BOUNDS
            .into_iter()
            .find_map(|(role, bound)| self.is_ahead(at, role).then_some(bound))?;
        let context = match bound {
            Bound::Since | Bound::Until => Context::Within,
            Bound::Before | Bound::After => Context::Range,
        };
        let found = self.simple(at + 1, context)?;
        Some(self.bound(&found, bound, found.end))
    }

    fn bounded_behind(&self, found: Match) -> Match {
        let bound = BOUNDS
            .into_iter()
            .find_map(|(role, bound)| self.is_behind(found.end, role).then_some(bound));
        if bound == Some(Bound::Since)
            && let Some(to) = self.simple(found.end + 1, Context::Range)
        {
            // 2000 से 2005 तक, 2000年から2005年まで
            let end = to.end + usize::from(self.is_behind(to.end, Role::Until));
            let (first, last) = (self.bounds(&found).0, self.bounds(&to).1);
            return Match::new(Period::days(first, last.max(first)), Source::Calendar, end);
        }
        match bound {
            Some(bound) => self.bound(&found, bound, found.end + 1),
            None => found,
        }
    }

    fn bound(&self, found: &Match, bound: Bound, end: usize) -> Match {
        let (first, last) = self.bounds(found);
        let period = match bound {
            Bound::Since => Period::days(first, LAST),
            Bound::Until => Period::days(FIRST, last),
            Bound::Before => Period::days(FIRST, first),
            Bound::After => Period::days(last, LAST),
        };
        Match::new(period, found.source, end)
    }

    /// First and last day; of a month of any year, the latest one that has begun.
    fn bounds(&self, found: &Match) -> (i64, i64) {
        let latest = |period: &Period| period.latest(self.today);
        let periods = || found.periods.iter().map(latest);
        let first = periods().map(|(first, _)| first).min();
        let last = periods().map(|(_, last)| last).max();
        (first.unwrap_or(FIRST), last.unwrap_or(LAST))
    }
}
