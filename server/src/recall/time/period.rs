//! What date words mean: days that agree, fully or half.

use chrono::Datelike;

use super::calendar;
use super::constants::{DAY_MARGIN, DAY_SLACK, MARGIN_AGREEMENT, MONTH_MARGIN};
use super::word::Unit;

/// Days that a question speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Period {
    /// Days `first` to `last`, and margins of half agreement around them.
    Span { first: i64, last: i64, before: i64, after: i64 },
    /// A month, 1 to 12, of any year.
    Month(u32),
    /// A day of a month of any year.
    MonthDay(u32, u32),
}

/// The beginning, the middle or the end of a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Third {
    First,
    Middle,
    Last,
}

impl Period {
    /// A date in full: things of that day are told on the day or in the week after.
    pub(super) fn full_date(day: i64) -> Self {
        Self::Span {
            first: day - DAY_SLACK,
            last: day + DAY_SLACK,
            before: 0,
            after: DAY_MARGIN - DAY_SLACK,
        }
    }

    /// A day near the reference, such as yesterday, which people don't confuse with its neighbours;
    /// zones do.
    pub(super) fn near_day(day: i64) -> Self {
        Self::Span { first: day, last: day, before: DAY_SLACK, after: DAY_SLACK }
    }

    pub(super) fn days(first: i64, last: i64) -> Self {
        Self::Span { first, last, before: 0, after: 0 }
    }

    pub(super) fn month_of_year(year: i32, month: u32) -> Option<Self> {
        let (first, last) = calendar::months(i64::from(year) * 12 + i64::from(month) - 1, 1)?;
        Some(Self::Span { first, last, before: 0, after: MONTH_MARGIN })
    }

    pub(super) fn years(first_year: i32, count: i64) -> Option<Self> {
        let (first, last) = calendar::months(i64::from(first_year) * 12, count * 12)?;
        Some(Self::days(first, last))
    }

    /// The season that begins in a year: 0 is spring, of the northern half of the world.
    pub(super) fn season(year: i32, season: u32) -> Option<Self> {
        let (first, last) = calendar::months(i64::from(year) * 12 + 2 + i64::from(season) * 3, 3)?;
        Some(Self::Span { first, last, before: 0, after: MONTH_MARGIN })
    }

    /// So many calendar units from the reference's own: −1 is last week, month, year.
    pub(super) fn unit_from(reference: i64, unit: Unit, offset: i64) -> Option<Self> {
        match unit {
            Unit::Day => Some(Self::near_day(reference + offset)),
            Unit::Week => {
                let first = calendar::monday_of(reference) + 7 * offset;
                // On Sunday "last week" may be the days just gone, or begin on a Sunday.
                let (before, after) = if offset == 0 { (1, 1) } else { (1, 3) };
                Some(Self::Span { first, last: first + 6, before, after })
            }
            Unit::Month => {
                let (first, last) = calendar::months(calendar::month_of(reference) + offset, 1)?;
                Some(Self::Span { first, last, before: 0, after: MONTH_MARGIN })
            }
            Unit::Year => {
                let year = calendar::month_of(reference).div_euclid(12) + offset;
                Self::years(i32::try_from(year).ok()?, 1)
            }
        }
    }

    /// So many units ago: the rounder the number, the wider the period.
    pub(super) fn ago(reference: i64, count: u32, unit: Unit) -> Self {
        let (days, slack) = match unit {
            Unit::Day => (1, 0),
            Unit::Week => (7, 3),
            Unit::Month => (30, 15),
            Unit::Year => (365, 183),
        };
        let middle = reference - days * i64::from(count);
        let margin = slack.max(1);
        Self::Span { first: middle - slack, last: middle + slack, before: margin, after: margin }
    }

    /// A third of the period, if it is one of a given year.
    pub(super) fn third(self, third: Third) -> Self {
        let Self::Span { first, last, before, after } = self else {
            return self;
        };
        let part = ((last - first + 1) / 3).max(1);
        let (first, last) = match third {
            Third::First => (first, first + part - 1),
            Third::Middle => (first + part, last - part),
            Third::Last => (last - part + 1, last),
        };
        Self::Span { first, last: last.max(first), before, after }
    }

    pub(super) fn first_day(&self) -> i64 {
        match *self {
            Self::Span { first, .. } => first,
            Self::Month(_) | Self::MonthDay(..) => calendar::FIRST,
        }
    }

    pub(super) fn last_day(&self) -> i64 {
        match *self {
            Self::Span { last, .. } => last,
            Self::Month(_) | Self::MonthDay(..) => calendar::LAST,
        }
    }

    /// First and last day; of one of any year, the latest that has begun.
    pub(super) fn latest(&self, today: i64) -> (i64, i64) {
        let year = calendar::date(today).year();
        let in_year = |year: i32| match *self {
            Self::Span { first, last, .. } => Some((first, last)),
            Self::Month(month) => calendar::months(i64::from(year) * 12 + i64::from(month) - 1, 1),
            Self::MonthDay(month, day) => calendar::day(year, month, day).map(|day| (day, day)),
        };
        let begun = |&(first, _): &(i64, i64)| first <= today;
        // A leap day may be eight years ago.
        let latest = (0..=8).filter_map(|ago| in_year(year - ago)).find(begun);
        latest.or_else(|| in_year(year)).unwrap_or((calendar::FIRST, calendar::LAST))
    }

    /// 1 inside, a half in the margins, else 0.
    pub(super) fn agreement(&self, day: i64) -> f64 {
        match *self {
            Self::Span { first, last, before, after } => {
                if (first..=last).contains(&day) {
                    1.0
                } else if (first - before..=last + after).contains(&day) {
                    MARGIN_AGREEMENT
                } else {
                    0.0
                }
            }
            Self::Month(month) => f64::from(u8::from(calendar::date(day).month() == month)),
            Self::MonthDay(month, day_of_month) => {
                let year = calendar::date(day).year();
                let nearest = (year - 1..=year + 1)
                    .filter_map(|year| calendar::day(year, month, day_of_month))
                    .map(|named| (named - day).abs())
                    .min();
                match nearest {
                    Some(0) => 1.0,
                    Some(distance) if distance <= DAY_MARGIN => MARGIN_AGREEMENT,
                    _ => 0.0,
                }
            }
        }
    }
}
