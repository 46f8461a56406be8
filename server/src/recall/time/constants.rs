//! The numbers of reading dates.

use std::ops::RangeInclusive;

/// Bytes of a question that is read at all: a longer text is a document, whose dates say nothing
/// about when its answer was told.
pub const LONGEST_QUESTION_BYTES: usize = 4096;

/// Periods kept of a question, the first ones, so that agreement costs the same for any text.
pub const MOST_PERIODS: usize = 16;

/// Years that a number may mean. Earlier ones are history, which entries tell about but don't come
/// from, and other numbers of four digits are mostly amounts.
pub const YEARS: RangeInclusive<i32> = 1900..=2099;

/// From the year of the Thai calendar to the Gregorian one.
pub const BUDDHIST_ERA: i32 = -543;

/// How many days, weeks, months or years ago something may be. More is geology.
pub const MOST_UNITS_AGO: u32 = 120;

/// The agreement of a day in the margin of a period, where things are told a little late.
pub const MARGIN_AGREEMENT: f64 = 0.5;

/// Days before and after a named day that still are the day itself: zones, and nights.
pub const DAY_SLACK: i64 = 1;

/// Margin after a full date, and on both sides of a day of any year, in days.
pub const DAY_MARGIN: i64 = 7;

/// Margin after a month or a season of a year, in days.
pub const MONTH_MARGIN: i64 = 10;

/// How often what is left of a question is read again; nearly always it holds nothing.
pub const MOST_PASSES: usize = 4;
