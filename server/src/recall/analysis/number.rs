//! Numbers of several groups of digits: one form for one number, however its groups are parted.
//!
//! `1,234,567`, `1.234.567` and `1 234 567` are 1234567; `3,50` and `3.5` are 3.5; `030/123-4567`
//! and `(030) 1234 567` are 0301234567. Dates, ranges and scores stay the words that they are.

use std::ops::Range;

use super::digits::{Digits, Parting, read_groups};

/// The most groups of one number; what has more is a list.
const MAX_GROUPS: usize = 8;

/// Digits of a telephone number, by E.164 at most; fewer than seven are as likely anything else.
const PHONE_DIGITS: Range<usize> = 7..16;

/// Digits at the end of a telephone number that stay the same whatever code is dialled before them.
const LOCAL_DIGITS: usize = 7;

/// Groups of a telephone number of North America, of a payment card, and the like: by their
/// lengths, when no leading zero, bracket or plus tells.
const KNOWN_LENGTHS: [&[usize]; 5] =
    [&[3, 4], &[3, 3, 4], &[1, 3, 3, 4], &[4, 4, 4, 4], &[4, 6, 5]];

/// What some groups of digits are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    Number(Number),
    /// Words of their own, up to this byte.
    Apart(usize),
    /// Anything else, such as the start of a name; no number begins before this byte.
    NoNumber(usize),
}

/// A number of several groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// ASCII digits, with a point before decimals or between the groups of a version or address.
    pub form: String,
    /// A second way to read it: `1,234` may be 1.234.
    pub other_form: Option<String>,
    /// The groups that say something by themselves, as places in the text.
    pub groups: Vec<Range<usize>>,
    /// Whether the groups are no words of their own: `10 000` may be two numbers side by side.
    pub sure: bool,
    /// Byte after the last group.
    pub end: usize,
}

/// Reads the groups at the start of `text`, which follows on `before`.
pub(super) fn read_number(before: &str, text: &str) -> Reading {
    let digits = match read_groups(text) {
        Ok(digits) => digits,
        Err(end) => return Reading::NoNumber(end),
    };
    if digits.len() > MAX_GROUPS {
        return Reading::Apart(digits.end());
    }
    let reading = dialled(before, &digits)
        .or_else(|| digits.tight().filter(|tight| tight.len() > 1).map(|tight| written(&tight)))
        .or_else(|| spaced(&digits));
    reading.unwrap_or_else(|| Reading::Apart(digits.first_end()))
}

/// A telephone number that a plus, a bracket or a leading zero tells.
fn dialled(before: &str, digits: &Digits<'_>) -> Option<Reading> {
    let first_parting = digits.parting(0);
    let told = before.ends_with('+')
        || (before.ends_with('(') && first_parting == Some(Parting::Bracket))
        || (digits.group(0).starts_with('0') && digits.group(0).len() > 1);
    if !told {
        return None;
    }
    let mut dialled = digits.while_parting(|parting| {
        !matches!(parting, Parting::Comma | Parting::Apostrophe | Parting::Decimal)
    });
    while dialled.count_digits() >= PHONE_DIGITS.end {
        dialled.drop_last();
    }
    if dialled.len() < 2
        || !PHONE_DIGITS.contains(&dialled.count_digits())
        || begins_with_date(&dialled)
    {
        return None;
    }
    Some(phone(&dialled))
}

/// Whether a date stands before what else may follow.
fn begins_with_date(digits: &Digits<'_>) -> bool {
    // 06 12 34 56 78 goes on as it began; a time after 05/07/23 doesn't.
    let goes_on =
        digits.lengths().starts_with(&[2, 2, 2]) && digits.parting(2) == digits.parting(0);
    is_date(&digits.leading(3)) && !goes_on
}

fn phone(digits: &Digits<'_>) -> Reading {
    let form = digits.joined();
    let local = form.len().checked_sub(LOCAL_DIGITS).filter(|&start| start > 0);
    let other_form = local.map(|start| form[start..].to_owned());
    Reading::Number(Number {
        form,
        other_form,
        groups: digits.groups_of_two_digits(),
        sure: true,
        end: digits.end(),
    })
}

/// What groups without spaces between them are.
fn written(tight: &Digits<'_>) -> Reading {
    let apart = Reading::Apart(tight.end());
    let Some(parting) = tight.parting(0) else {
        return apart;
    };
    let even = tight.while_parting(|other| other == parting);
    match parting {
        Parting::Dot | Parting::Comma | Parting::Apostrophe | Parting::Thousands
            if in_thousands(&even) =>
        {
            amount(tight, &even).unwrap_or(apart)
        }
        Parting::Dot | Parting::Comma | Parting::Decimal if even.len() == 2 => {
            if tight.len() > 2 {
                apart
            } else {
                decimal(&even).unwrap_or(apart)
            }
        }
        Parting::Dot if !is_date(&even) => dotted(&even),
        Parting::Dash | Parting::Dot if KNOWN_LENGTHS.contains(&&*tight.lengths()) => phone(tight),
        _ => apart,
    }
}

/// Groups of three digits after the first, perhaps with decimals behind them.
fn amount(tight: &Digits<'_>, even: &Digits<'_>) -> Option<Reading> {
    let whole = even.joined();
    let mut other_form = None;
    let mut form = whole.clone();
    let mut end = even.end();
    match tight.len() - even.len() {
        0 if even.len() == 2 => {
            other_form = ambiguous_decimal(even);
            // Most of what is written with a point in computing is a decimal.
            if even.parting(0) == Some(Parting::Dot)
                && let Some(decimal) = other_form.as_mut()
            {
                std::mem::swap(&mut form, decimal);
            }
        }
        0 => {}
        1 if is_decimal_sign(tight.parting(even.len() - 1)) => {
            form = with_decimals(&whole, &tight.joined()[whole.len()..]);
            end = tight.end();
        }
        _ => return None,
    }
    Some(Reading::Number(Number { form, other_form, groups: Vec::new(), sure: true, end }))
}

fn is_decimal_sign(parting: Option<Parting>) -> bool {
    matches!(parting, Some(Parting::Dot | Parting::Comma | Parting::Decimal))
}

/// `1,234` and `1.234` read as decimals, which hardly end with a zero.
fn ambiguous_decimal(even: &Digits<'_>) -> Option<String> {
    (is_decimal_sign(even.parting(0)) && !even.ascii_group(1).ends_with('0'))
        .then(|| with_decimals(&even.ascii_group(0), &even.ascii_group(1)))
}

fn decimal(even: &Digits<'_>) -> Option<Reading> {
    let whole = even.ascii_group(0);
    // A day with a month, or the start of a code.
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let form = with_decimals(&whole, &even.ascii_group(1));
    Some(Reading::Number(Number {
        form,
        other_form: None,
        groups: even.first_group_and_those_of_two_digits(),
        sure: true,
        end: even.end(),
    }))
}

fn with_decimals(whole: &str, decimals: &str) -> String {
    let decimals = decimals.trim_end_matches('0');
    if decimals.is_empty() { whole.to_owned() } else { format!("{whole}.{decimals}") }
}

/// A version or an address of the Internet.
fn dotted(even: &Digits<'_>) -> Reading {
    let groups: Vec<_> = (0..even.len()).map(|place| even.ascii_group(place)).collect();
    Reading::Number(Number {
        form: groups.join("."),
        other_form: None,
        groups: even.groups_of_two_digits(),
        sure: true,
        end: even.end(),
    })
}

/// What groups with single spaces between them may be, beside words of their own.
fn spaced(digits: &Digits<'_>) -> Option<Reading> {
    let even = digits.while_parting(|parting| parting == Parting::Space);
    let number = |form: String, end: usize| {
        Reading::Number(Number { form, other_form: None, groups: Vec::new(), sure: false, end })
    };
    let in_threes = even.leading(1 + even.lengths()[1..].iter().take_while(|&&n| n == 3).count());
    if in_threes.len() > 1 && in_thousands(&in_threes) {
        let whole = in_threes.joined();
        // 1 234 567,89
        if is_decimal_sign(digits.parting(in_threes.len() - 1)) {
            let decimals = digits.ascii_group(in_threes.len());
            return Some(number(
                with_decimals(&whole, &decimals),
                digits.leading(in_threes.len() + 1).end(),
            ));
        }
        return Some(number(whole, in_threes.end()));
    }
    KNOWN_LENGTHS.contains(&&*even.lengths()).then(|| number(even.joined(), even.end()))
}

/// Whether groups are of three digits, or of two before the last as in India, after a first that
/// doesn't start with zero.
fn in_thousands(digits: &Digits<'_>) -> bool {
    let lengths = digits.lengths();
    let [first, between @ .., last] = &*lengths else {
        return false;
    };
    *last == 3
        && (1..=3).contains(first)
        && !digits.ascii_group(0).starts_with('0')
        && (between.iter().all(|&length| length == 3)
            || (*first < 3 && between.iter().all(|&length| length == 2)))
}

/// A year, a month and a day, in any order.
fn is_date(digits: &Digits<'_>) -> bool {
    matches!(*digits.lengths(), [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4] | [2, 2, 2])
}
