//! Days of the Gregorian calendar, counted from 1970-01-01.

use chrono::{Datelike, NaiveDate};

/// From the day 0001-01-01, which is 1 to chrono, to days since 1970-01-01.
const EPOCH: i64 = 719_163;

/// 0001-01-01 and 9999-12-31: the times that an entry can have.
pub(super) const FIRST: i64 = -719_162;
pub(super) const LAST: i64 = 2_932_896;

/// A day of the calendar; days outside the years 1 to 9999 become the nearest one inside.
pub(super) fn date(day: i64) -> NaiveDate {
    let from_ce = day.clamp(FIRST, LAST) + EPOCH;
    i32::try_from(from_ce)
        .ok()
        .and_then(NaiveDate::from_num_days_from_ce_opt)
        .unwrap_or(NaiveDate::MIN)
}

/// The day of a date; none if there is no such date.
pub(super) fn day(year: i32, month: u32, day_of_month: u32) -> Option<i64> {
    let date = NaiveDate::from_ymd_opt(year, month, day_of_month)?;
    Some(i64::from(date.num_days_from_ce()) - EPOCH)
}

/// First and last day of so many months from a month, which is counted from January of year 0.
pub(super) fn months(first_month: i64, count: i64) -> Option<(i64, i64)> {
    let start = |month: i64| {
        let year = i32::try_from(month.div_euclid(12)).ok()?;
        day(year, u32::try_from(month.rem_euclid(12)).ok()? + 1, 1)
    };
    Some((start(first_month)?, start(first_month.checked_add(count)?)? - 1))
}

/// The month of a day, counted from January of year 0.
pub(super) fn month_of(day: i64) -> i64 {
    let date = date(day);
    i64::from(date.year()) * 12 + i64::from(date.month0())
}

/// The Monday of a day's week.
pub(super) fn monday_of(day: i64) -> i64 {
    // 1970-01-01 was a Thursday.
    day - (day + 3).rem_euclid(7)
}
