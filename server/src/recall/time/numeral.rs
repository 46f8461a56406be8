//! Numbers written in Han numerals.

/// A number: its value, and its digits as far as they are written one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub value: u32,
    pub digits: u32,
}

/// More numerals than any date has.
const MOST_NUMERALS: usize = 8;

const TEN: u32 = 10;

/// The number that a row of characters starts with, and how many of them it takes.
pub(super) fn han_number(chars: impl Iterator<Item = char>) -> Option<(Number, usize)> {
    let numerals: Vec<u32> = chars.map_while(value_of).take(MOST_NUMERALS).collect();
    let value = match *numerals.as_slice() {
        [] => return None,
        [TEN] => TEN,
        [TEN, ones] if ones < TEN => TEN + ones,
        [tens, TEN] if tens < TEN => tens * TEN,
        [tens, TEN, ones] if tens < TEN && ones < TEN => tens * TEN + ones,
        // 二〇二三; anything else is no number
        ref digits if digits.iter().all(|&digit| digit < TEN) => {
            digits.iter().fold(0, |value, digit| value * TEN + digit)
        }
        _ => return None,
    };
    let digits = u32::try_from(numerals.len()).unwrap_or(u32::MAX);
    Some((Number { value, digits }, numerals.len()))
}

fn value_of(c: char) -> Option<u32> {
    Some(match c {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' | '兩' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        '十' => TEN,
        _ => return None,
    })
}
