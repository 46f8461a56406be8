//! Which numbers are years.

use super::constants::YEARS;
use super::period::Period;
use super::reader::{Context, Match, Reader, Source};
use super::token::Kind;
use super::word::{Role, Word};

/// More signs and small words than stand between the parts of a date.
pub(super) const MOST_LINKS: usize = 3;

impl Reader<'_> {
    /// A year that a word beside it marks as one.
    pub(super) fn marked_year(&self, at: usize) -> Option<(i32, usize)> {
        let era = |at| {
            self.find(at, |word| match word {
                Word::Era(years) => Some(years),
                _ => None,
            })
        };
        let start = if self.is_ahead(at, Role::YearMark) {
            self.skip(at + 1, 1, |at| self.is(at, Word::Of) || self.is(at, Word::Article))
        } else {
            at
        };
        let after_mark = |end: usize| {
            let marked = self.is_behind(end, Role::YearMark);
            // 2000年前: 2000 years ago
            let ago = self.is_behind(end + 1, Role::Ago) && !self.is_behind(end + 1, Role::Before);
            (marked && !ago).then_some(end + 1)
        };
        if let Some(years) = era(start) {
            let written = i32::try_from(self.number(start + 1)?.value).ok()?;
            let year = written.checked_add(years)?;
            let end = after_mark(start + 2).unwrap_or(start + 2);
            return YEARS.contains(&year).then_some((year, end));
        }
        let year = self.year_number(start)?;
        match after_mark(start + 1) {
            Some(end) => Some((year, end)),
            None if start > at => Some((year, start + 1)),
            None => None,
        }
    }

    /// Whether the date is of a year that none of [`YEARS`] is: 12 May 1793, 1457年5月.
    pub(super) fn is_history(&self, start: usize, end: usize) -> bool {
        let other_year =
            |at: usize| self.number(at).is_some_and(|number| (3..=4).contains(&number.digits));
        let links = self.skip(end, 2, |at| self.is(at, Word::Of) || self.is_sign(at, &[',', '.']));
        let before = start
            .checked_sub(2)
            .is_some_and(|at| other_year(at) && self.is_behind(at + 1, Role::YearMark));
        before || other_year(links)
    }

    /// The year that follows a day or a month.
    pub(super) fn year_after(&self, at: usize) -> Option<(i32, usize)> {
        let links = self.skip(at, MOST_LINKS, |at| {
            self.is(at, Word::Of)
                || self.is_sign(at, &[',', '.', '\''])
                || self.is_ahead(at, Role::In) && self.year_number(at + 1).is_some()
        });
        if let Some(year) = self.marked_year(links).or_else(|| self.relative_year(links)) {
            return Some(year);
        }
        let year = self.year_number(links)?;
        self.may_end(links + 1).then_some((year, links + 1))
    }

    /// "in 2023", "the 1990s", or a number that is the whole question.
    pub(super) fn bare_year(&self, at: usize, context: Context) -> Option<Match> {
        let decade_ahead = self.is_ahead(at, Role::Decade);
        let at = at + usize::from(decade_ahead);
        let year = self.year_number(at)?;
        let end = at + 1;
        if decade_ahead || self.is_behind(end, Role::Decade) {
            let end = end + usize::from(!decade_ahead);
            let decade = Period::years(year, 10).filter(|_| year % 10 == 0)?;
            return Some(Match::new(decade, Source::Calendar, end));
        }
        let behind = self.is_behind(end, Role::In);
        let bounds = [Role::Since, Role::Until, Role::Before, Role::After];
        let followed = bounds.into_iter().any(|role| self.is_behind(end, role));
        let alone =
            at == 0 && (end..self.tokens.len()).all(|at| self.is_sign(at, &['?', '.', '!']));
        let year_stands = context > Context::Nothing
            || behind
            || followed
            || alone
            || self.told && self.stands_in_clause(at, year)
            || self.is_suffixed(at);
        let amount = self.is_counted(end) || self.is_sign(end, &['%', '$', '€', '£', '°']);
        if !year_stands || amount {
            return None;
        }
        let end = end + usize::from(behind);
        Some(Match::new(Period::years(year, 1)?, Source::Calendar, end))
    }

    /// Whether a year stands behind a verb, as in "wer gewann 1972", or as in "la sequía de 2010".
    fn stands_in_clause(&self, at: usize, year: i32) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        let verb = self.tokens.get(before).is_some_and(|token| {
            !token.capital && matches!(token.kind, Kind::Other | Kind::Words(_))
        });
        self.is(before, Word::Of) || self.table.years_alone && year % 100 != 0 && verb
    }
}
