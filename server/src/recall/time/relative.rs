//! Dates that depend on the reference: yesterday, last week, three days ago, on Monday.

use super::calendar;
use super::period::Period;
use super::reader::{Context, Match, Reader, Source};
use super::word::{Role, Unit, Word};

/// Which one of the days or periods of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// The latest one that is over.
    Last,
    This,
    Next,
}

/// What "last" and the like may stand beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    Unit(Unit),
    Weekday(i64),
    Weekend,
    Season(u32),
    Month(u32),
}

impl Reader<'_> {
    /// A date that depends on the reference.
    pub(super) fn relative(&self, at: usize) -> Option<Match> {
        let (period, end) = self
            .days_ago(at)
            .or_else(|| self.qualified(at))
            .or_else(|| self.whole_expression(at))
            .or_else(|| self.nearest_weekday(at))?;
        Some(Match::new(period, Source::Reference, end))
    }

    /// "three days ago", "il y a trois jours".
    fn days_ago(&self, at: usize) -> Option<(Period, usize)> {
        let ahead = self.is_ahead(at, Role::Ago);
        let (count, unit, end) = self.units(at + usize::from(ahead))?;
        let behind = self.is_behind(end, Role::Ago);
        // "five months before" something else, or the year of a number
        if self.is(end, Word::From) && ahead || self.number(end).is_some() {
            return None;
        }
        (ahead || behind).then(|| (Period::ago(self.today, count, unit), end + usize::from(behind)))
    }

    /// "last week", "la semaine dernière", "the last two weeks".
    fn qualified(&self, at: usize) -> Option<(Period, usize)> {
        let start = self.lead(at, Context::Nothing).end;
        // A weekday may have been taken for the beginning of a date.
        let starts = [start, start.saturating_sub(1), at];
        starts.into_iter().filter(|&start| start >= at).find_map(|start| self.qualified_from(start))
    }

    fn qualified_from(&self, start: usize) -> Option<(Period, usize)> {
        let which = |at: usize, is: fn(&Self, usize, Role) -> bool| {
            [(Role::Last, Which::Last), (Role::This, Which::This), (Role::Next, Which::Next)]
                .into_iter()
                .find_map(|(role, which)| is(self, at, role).then_some(which))
        };
        if let Some(ahead) = which(start, Self::is_ahead) {
            if let Some(found) = self.named(start + 1).and_then(|named| self.period(named, ahead)) {
                return Some((found, start + 2));
            }
            let (count, unit, end) = self.units(start + 1)?;
            return Some((self.past_units(count, unit, ahead)?, end));
        }
        if let Some(named) = self.named(start)
            && let Some(behind) = which(start + 1, Self::is_behind)
        {
            return Some((self.period(named, behind)?, start + 2));
        }
        let (count, unit, end) = self.units(start)?;
        let behind = which(end, Self::is_behind)?;
        Some((self.past_units(count, unit, behind)?, end + 1))
    }

    /// "last year", where a month or a season stands beside it.
    pub(super) fn relative_year(&self, at: usize) -> Option<(i32, usize)> {
        let this_year = calendar::month_of(self.today).div_euclid(12);
        let year = |offset: i64| i32::try_from(this_year + offset).ok();
        let whole = self.find(at, |word| match word {
            Word::Period(Unit::Year, offset) => Some(offset),
            _ => None,
        });
        if let Some(offset) = whole {
            return Some((year(offset)?, at + 1));
        }
        let is_year = |at| self.unit(at) == Some(Unit::Year);
        let offsets = [(Role::Last, -1), (Role::This, 0), (Role::Next, 1)];
        offsets.into_iter().find_map(|(role, offset)| {
            let beside = self.is_ahead(at, role) && is_year(at + 1)
                || is_year(at) && self.is_behind(at + 1, role);
            if beside { Some((year(offset)?, at + 2)) } else { None }
        })
    }

    fn past_units(&self, count: u32, unit: Unit, which: Which) -> Option<Period> {
        let days = i64::from(count) * days_of(unit);
        match which {
            Which::Last => Some(Period::days(self.today - days, self.today)),
            Which::Next => Some(Period::days(self.today, self.today + days)),
            Which::This => None,
        }
    }

    fn named(&self, at: usize) -> Option<Named> {
        self.find(at, |word| match word {
            Word::Unit(unit) if unit != Unit::Day => Some(Named::Unit(unit)),
            Word::Weekday(weekday) => Some(Named::Weekday(weekday)),
            Word::Weekend => Some(Named::Weekend),
            Word::Season(season) => Some(Named::Season(season)),
            Word::Month(month, _) => Some(Named::Month(month)),
            _ => None,
        })
    }

    fn period(&self, named: Named, which: Which) -> Option<Period> {
        let offset = match which {
            Which::Last => -1,
            Which::This => 0,
            Which::Next => 1,
        };
        let monday = calendar::monday_of(self.today);
        match named {
            Named::Unit(unit) => Period::unit_from(self.today, unit, offset),
            Named::Weekday(weekday) => Some(Period::near_day(match which {
                Which::Last => latest_weekday(self.today, weekday),
                Which::This => monday + weekday,
                Which::Next => latest_weekday(self.today, weekday) + 7 + self.is_today(weekday),
            })),
            Named::Weekend => Some(weekend(monday + 5 + 7 * offset)),
            Named::Season(season) => self.months_near(|year| Period::season(year, season), which),
            Named::Month(month) => {
                self.months_near(|year| Period::month_of_year(year, month), which)
            }
        }
    }

    /// 7 if the reference is this weekday, whose next one is then a week away.
    fn is_today(&self, weekday: i64) -> i64 {
        if calendar::monday_of(self.today) + weekday == self.today { 7 } else { 0 }
    }

    /// The one of a period of every year that is meant.
    fn months_near(&self, of_year: impl Fn(i32) -> Option<Period>, which: Which) -> Option<Period> {
        let year = i32::try_from(calendar::month_of(self.today).div_euclid(12)).ok()?;
        let mut years = (year - 2..=year + 1).filter_map(of_year);
        let today = self.today;
        match which {
            Which::Last => years.rfind(|period| period.last_day() < today),
            Which::This => {
                let near = |period: &Period| period.last_day() >= today;
                years.find(near).filter(|period| period.first_day() <= today + 270)
            }
            Which::Next => years.find(|period| period.first_day() > today),
        }
    }

    /// "yesterday", "先週".
    fn whole_expression(&self, at: usize) -> Option<(Period, usize)> {
        let start = self.skip(at, 2, |at| {
            self.is_ahead(at, Role::On) || self.is_ahead(at, Role::In) || self.is(at, Word::Article)
        });
        let period = self.find(start, |word| match word {
            Word::Day(offset) => Some(Period::near_day(self.today + offset)),
            Word::Period(unit, offset) => Period::unit_from(self.today, unit, offset),
            _ => None,
        })?;
        Some((period, start + 1))
    }

    /// "on Monday", "over the weekend": the latest one.
    fn nearest_weekday(&self, at: usize) -> Option<(Period, usize)> {
        let start =
            self.skip(at, 3, |at| self.is_ahead(at, Role::On) || self.is(at, Word::Article));
        let on = (at..start).any(|at| self.is_ahead(at, Role::On));
        let behind = self.is_behind(start + 1, Role::On);
        let named = self.named(start)?;
        // "le lundi" is every Monday.
        let after_article = start.checked_sub(1).is_some_and(|at| self.is(at, Word::Article));
        let alone = self.table.weekdays_alone
            && matches!(named, Named::Weekday(_))
            && !after_article
            && !self.is_name(start);
        if !(on || behind || alone) {
            return None;
        }
        let period = match named {
            Named::Weekday(weekday) => Period::near_day(latest_weekday(self.today, weekday)),
            Named::Weekend => weekend(latest_weekday(self.today + 1, 5)),
            Named::Unit(_) | Named::Season(_) | Named::Month(_) => return None,
        };
        Some((period, start + 1 + usize::from(behind)))
    }

    /// Whether a word is capitalised within a text, where its language doesn't.
    fn is_name(&self, at: usize) -> bool {
        at > 0 && self.tokens.get(at).is_some_and(|token| token.capital)
    }

    /// "the week before 3 August 2023": read from that date, where it was told too.
    pub(super) fn anchored(&self, at: usize) -> Option<Match> {
        let lead = self.skip(at, 3, |at| {
            self.is_ahead(at, Role::On)
                || self.is_ahead(at, Role::In)
                || self.is_ahead(at, Role::Last)
                || self.is(at, Word::Article)
        });
        let units = self.units(lead);
        let end = units.map_or(lead + 1, |(_, _, end)| end);
        let before = self.is_ahead(end, Role::Before);
        if !before && !self.is_ahead(end, Role::After) {
            return None;
        }
        let date = self.written(end + 1, Context::Nothing)?;
        let Source::FullDate(day) = date.source else {
            return None;
        };
        let there = Reader { today: day, ..*self };
        let which = if before { Which::Last } else { Which::Next };
        let period = match units {
            Some((count, unit, _)) if before => Period::ago(day, count, unit),
            Some((count, unit, _)) => {
                Period::ago(day + 2 * i64::from(count) * days_of(unit), count, unit)
            }
            None => match there.named(lead)? {
                Named::Weekend if before => weekend(latest_weekday(day, 5)),
                Named::Unit(unit) => there.past_units(1, unit, which)?,
                named => there.period(named, which)?,
            },
        };
        let periods = [period, Period::full_date(day)].to_vec();
        Some(Match { periods, source: Source::FullDate(day), end: date.end })
    }
}

/// The last such weekday before a day.
fn latest_weekday(today: i64, weekday: i64) -> i64 {
    let this_week = calendar::monday_of(today) + weekday;
    if this_week < today { this_week } else { this_week - 7 }
}

/// A weekend that begins on a Saturday; Friday's evening and Monday's telling are near.
fn weekend(saturday: i64) -> Period {
    Period::Span { first: saturday, last: saturday + 1, before: 1, after: 1 }
}

fn days_of(unit: Unit) -> i64 {
    match unit {
        Unit::Day => 1,
        Unit::Week => 7,
        Unit::Month => 30,
        Unit::Year => 365,
    }
}
