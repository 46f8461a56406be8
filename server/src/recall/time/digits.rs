//! Dates in digits: 2023-05-08, 8.5.2023, 8/5/2023.

use super::calendar;
use super::constants::{BUDDHIST_ERA, YEARS};
use super::numeral::Number;
use super::text::{Class, Text};

/// What a row of digits and the signs between them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digits {
    Number(Number),
    /// A day, or two if day and month may be either way round.
    Days(i64, Option<i64>),
    Month(i32, u32),
    /// From a year to a later one.
    Years(i32, i32),
    /// An amount, a time, a version, an address.
    NoDate,
}

/// More groups than a date has.
const MOST_GROUPS: usize = 4;

/// Digits of one group; longer ones are read, but count as no number.
const MOST_DIGITS: u32 = 6;

/// Reads the digits at a character; answers what they are and the index after them.
pub(super) fn read_digits(text: &Text<'_>, at: usize, buddhist: bool) -> (Digits, usize) {
    let (first, first_end) = group(text, at);
    let mut groups = vec![first];
    let mut end = first_end;
    let mut sign = None;
    let mut uniform = true;
    while let Some(next_sign) =
        text.folded(end).filter(|c| matches!(c, '-' | '.' | '/' | ',' | ':'))
        && text.class(end + 1) == Class::Digit
    {
        uniform &= *sign.get_or_insert(next_sign) == next_sign;
        let (next, next_end) = group(text, end + 1);
        if groups.len() <= MOST_GROUPS {
            groups.push(next);
        }
        end = next_end;
    }
    let Some(sign) = sign else {
        return (Digits::Number(first), first_end);
    };
    if uniform && let Some(date) = date_of(&groups, sign, buddhist) {
        return (date, after_time(text, end));
    }
    // "3-5 May": a dash also stands between numbers.
    if sign == '-' && groups.len() == 2 {
        return (Digits::Number(first), first_end);
    }
    (Digits::NoDate, end)
}

fn group(text: &Text<'_>, at: usize) -> (Number, usize) {
    let mut number = Number { value: 0, digits: 0 };
    let mut end = at;
    while text.class(end) == Class::Digit {
        let digit = text.folded(end).and_then(|c| c.to_digit(10)).unwrap_or(0);
        number.value = number.value.saturating_mul(10).saturating_add(digit);
        number.digits += 1;
        end += 1;
    }
    if number.digits > MOST_DIGITS {
        number.value = u32::MAX;
    }
    (number, end)
}

fn date_of(groups: &[Number], sign: char, buddhist: bool) -> Option<Digits> {
    match *groups {
        [first, second, third] if matches!(sign, '-' | '.' | '/') => {
            if let Some(year) = year_of(first, buddhist) {
                return Some(Digits::Days(day_of(year, second, third)?, None));
            }
            let year = year_of(third, buddhist).or_else(|| short_year(third, sign))?;
            let day_first = day_of(year, second, first);
            let month_first = day_of(year, first, second).filter(|_| sign != '.');
            match (day_first, month_first) {
                (Some(day), other) => Some(Digits::Days(day, other.filter(|&other| other != day))),
                (None, other) => other.map(|day| Digits::Days(day, None)),
            }
        }
        [first, second] if matches!(sign, '-' | '/' | '.') => {
            match (year_of(first, buddhist), year_of(second, buddhist)) {
                (Some(from), Some(to)) if sign != '.' && from < to => Some(Digits::Years(from, to)),
                // 2003-04 is a season of two years.
                (Some(year), None) if sign == '-' && second.digits == 2 => {
                    let follows = u32::try_from((year + 1) % 100) == Ok(second.value);
                    month_of(second).filter(|_| !follows).map(|month| Digits::Month(year, month))
                }
                (None, Some(year)) if sign != '-' => {
                    month_of(first).map(|month| Digits::Month(year, month))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The year that a number of four digits names.
pub(super) fn year_of(number: Number, buddhist: bool) -> Option<i32> {
    let written = i32::try_from(number.value).ok().filter(|_| number.digits == 4)?;
    if YEARS.contains(&written) {
        return Some(written);
    }
    let year = written + BUDDHIST_ERA;
    (buddhist && YEARS.contains(&year)).then_some(year)
}

/// 8/5/23; with other signs it is a time or a version.
fn short_year(number: Number, sign: char) -> Option<i32> {
    let year = i32::try_from(number.value).ok()?;
    (sign == '/' && number.digits == 2).then_some(2000 + year)
}

fn month_of(number: Number) -> Option<u32> {
    (number.digits <= 2 && (1..=12).contains(&number.value)).then_some(number.value)
}

fn day_of(year: i32, month: Number, day: Number) -> Option<i64> {
    if day.digits > 2 {
        return None;
    }
    calendar::day(year, month_of(month)?, day.value)
}

/// The index after the time of day that may follow a date: T10:30:00Z.
fn after_time(text: &Text<'_>, at: usize) -> usize {
    if text.folded(at) != Some('t') || text.class(at + 1) != Class::Digit {
        return at;
    }
    let mut end = at + 1;
    while let Some(c) = text.folded(end) {
        let goes_on = c.is_ascii_digit()
            || c == 'z'
            || matches!(c, ':' | '.' | '+' | '-') && text.class(end + 1) == Class::Digit;
        if !goes_on {
            break;
        }
        end += 1;
    }
    end
}
