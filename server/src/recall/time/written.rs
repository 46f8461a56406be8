//! Dates of the calendar: 8 May 2023, May 2023, summer 2023, in 2023, in May.

use super::calendar;
use super::digits::Digits;
use super::lead::Lead;
use super::period::Period;
use super::reader::{Context, Match, Reader, Source};
use super::word::{Needs, Role, Word};
use super::year::MOST_LINKS;

/// The name or the number of a month.
struct Month {
    month: u32,
    needs: Needs,
    capital: bool,
    end: usize,
}

impl Reader<'_> {
    /// A date that doesn't depend on the reference.
    pub(super) fn written(&self, at: usize, context: Context) -> Option<Match> {
        let lead = self.lead(at, context);
        let mut found = self.in_digits(lead.end).or_else(|| {
            let year_first = self.year_first(lead.end);
            let day_first = || self.day_first(lead.end);
            let month_first = || self.month_first(lead.end, &lead);
            let season = || self.season_of_year(lead.end);
            let year = || self.bare_year(lead.end, lead.context);
            year_first.or_else(day_first).or_else(month_first).or_else(season).or_else(year)
        })?;
        if lead.weekday && !matches!(found.source, Source::FullDate(_)) {
            return None;
        }
        if let Some(third) = lead.third {
            found.periods.iter_mut().for_each(|period| *period = period.third(third));
        }
        Some(found)
    }

    fn in_digits(&self, at: usize) -> Option<Match> {
        let end = at + 1;
        match self.digits(at)? {
            Digits::Days(day, other) => {
                let periods = [day].into_iter().chain(other).map(Period::full_date).collect();
                Some(Match { periods, source: Source::FullDate(day), end })
            }
            Digits::Month(year, month) => {
                Some(Match::new(Period::month_of_year(year, month)?, Source::Calendar, end))
            }
            Digits::Years(from, to) => {
                let years = Period::years(from, i64::from(to - from) + 1)?;
                Some(Match::new(years, Source::Calendar, end))
            }
            Digits::Number(_) | Digits::NoDate => None,
        }
    }

    /// 2023年5月8日, and its beginnings.
    fn year_first(&self, at: usize) -> Option<Match> {
        let marked = self.marked_year(at);
        let (year, year_end) = marked.or_else(|| self.relative_year(at))?;
        let next = self.skip(year_end, 1, |at| self.is(at, Word::Of) || self.is_sign(at, &[',']));
        if let Some(Month { month, end, .. }) = self.month(next) {
            if let Some(day) = self.day_number(end)
                && let Some(full) = full_date(year, month, day, end + 1)
            {
                let after_mark = self.skip(end + 1, 1, |at| self.is_behind(at, Role::DayMark));
                return Some(Match { end: after_mark, ..full });
            }
            return Some(Match::new(Period::month_of_year(year, month)?, Source::Calendar, end));
        }
        if let Some(season) = self.season(next) {
            return Some(Match::new(Period::season(year, season)?, Source::Calendar, next + 1));
        }
        marked?;
        Some(Match::new(Period::years(year, 1)?, Source::Calendar, year_end))
    }

    /// 8 May 2023, 8 May.
    fn day_first(&self, at: usize) -> Option<Match> {
        let day = self.day_number(at)?;
        let links = self.skip(at + 1, MOST_LINKS, |at| {
            self.is(at, Word::Ordinal)
                || self.is(at, Word::Of)
                || self.is(at, Word::Article)
                || self.is_behind(at, Role::DayMark)
                || self.is_sign(at, &['.'])
        });
        let ordinal = links > at + 1;
        let month = self.month(links)?;
        if let Some((year, end)) = self.year_after(month.end) {
            return full_date(year, month.month, day, end);
        }
        let sure =
            ordinal || month.needs == Needs::Nothing || month.capital || !self.table.capital_months;
        if !sure || self.is_history(at, month.end) {
            return None;
        }
        month_day(month.month, day, month.end)
    }

    /// May 8th, 2023; May 8; May 2023; in May.
    fn month_first(&self, at: usize, lead: &Lead) -> Option<Match> {
        let month = self.month(at)?;
        let day_at =
            self.skip(month.end, 2, |at| self.is(at, Word::Article) || self.is_sign(at, &['.']));
        if let Some(day) = self.day_number(day_at) {
            let after = self.skip(day_at + 1, 1, |at| {
                self.is(at, Word::Ordinal) || self.is_behind(at, Role::DayMark)
            });
            let marked = after > day_at + 1;
            if let Some((year, end)) = self.year_after(after)
                && (marked || self.table.month_day)
            {
                return full_date(year, month.month, day, end);
            }
            let may_be_day = self.table.month_day
                && (lead.context < Context::Within || lead.on)
                && (month.needs == Needs::Nothing || month.capital || lead.on);
            if self.is_history(at, after) {
                return None;
            }
            if marked || may_be_day {
                return month_day(month.month, day, after);
            }
        }
        if let Some((year, end)) = self.year_after(month.end) {
            return Some(Match::new(
                Period::month_of_year(year, month.month)?,
                Source::Calendar,
                end,
            ));
        }
        if self.is_history(at, month.end) {
            return None;
        }
        let behind = self.is_behind(month.end, Role::In);
        let context = lead.context == Context::Within
            || behind
            || self.is_suffixed(month.end.saturating_sub(1));
        let enough = match month.needs {
            Needs::Nothing => true,
            // neither June's parade nor a street of August Bebel
            Needs::Context => context && !self.is_part_of_name(month.end),
            Needs::Number => false,
        };
        let end = month.end + usize::from(behind);
        enough.then(|| Match::new(Period::Month(month.month), Source::Calendar, end))
    }

    /// Whether what follows a word, such as `'s`, makes it part of a name.
    fn is_part_of_name(&self, end: usize) -> bool {
        self.is_sign(end, &['-', '\'']) || self.is_behind(end, Role::Decade)
    }

    fn month(&self, at: usize) -> Option<Month> {
        let capital = self.tokens.get(at).is_some_and(|token| token.capital);
        let named = self.find(at, |word| match word {
            Word::Month(month, needs) => Some(Month { month, needs, capital, end: at + 1 }),
            _ => None,
        });
        if named.is_some() {
            return named;
        }
        let ahead = self.is_ahead(at, Role::MonthMark);
        let number_at = at + usize::from(ahead);
        let month = self.count(number_at).filter(|month| (1..=12).contains(month))?;
        let end = number_at + 1;
        let behind = self.is_behind(end, Role::MonthMark) && !self.is_behind(end + 1, Role::Ago);
        (ahead || behind && self.number(number_at).is_some_and(|number| number.digits <= 2))
            .then_some(Month {
                month,
                needs: Needs::Nothing,
                capital,
                end: end + usize::from(behind),
            })
    }

    fn season(&self, at: usize) -> Option<u32> {
        self.find(at, |word| match word {
            Word::Season(season) => Some(season),
            _ => None,
        })
    }

    fn season_of_year(&self, at: usize) -> Option<Match> {
        let season = self.season(at)?;
        let (year, end) = self.year_after(at + 1)?;
        Some(Match::new(Period::season(year, season)?, Source::Calendar, end))
    }
}

fn full_date(year: i32, month: u32, day: u32, end: usize) -> Option<Match> {
    let day = calendar::day(year, month, day)?;
    Some(Match::new(Period::full_date(day), Source::FullDate(day), end))
}

fn month_day(month: u32, day: u32, end: usize) -> Option<Match> {
    // 2000 had every day that a year can have.
    calendar::day(2000, month, day)?;
    Some(Match::new(Period::MonthDay(month, day), Source::Calendar, end))
}
