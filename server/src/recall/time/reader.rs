//! Looking at the tokens of a question from a place on.

use super::constants::MOST_UNITS_AGO;
use super::digits::{Digits, year_of};
use super::numeral::Number;
use super::period::Period;
use super::table::Table;
use super::token::{Kind, Token};
use super::word::{Role, Side, Unit, Word};

/// The tokens of a question in one language, and the day it refers to.
pub(super) struct Reader<'a> {
    pub tokens: &'a [Token],
    pub table: &'static Table,
    pub today: i64,
    /// Whether a word tells that the text is in the language.
    pub told: bool,
}

/// What stands before an expression and makes numbers and ambiguous names dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Context {
    Nothing,
    /// Words such as "before": enough for a year, too little for "May".
    Range,
    Within,
}

/// How a match came to its days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A day of a year, which other words of the question may refer to.
    FullDate(i64),
    /// Any other words that don't depend on the reference.
    Calendar,
    Reference,
}

/// An expression that was understood.
#[derive(Clone, Debug)]
pub(super) struct Match {
    /// None for an expression that is no date in its language, and so in none.
    pub periods: Vec<Period>,
    pub source: Source,
    /// The index of the token after it.
    pub end: usize,
}

impl Match {
    pub(super) fn new(period: Period, source: Source, end: usize) -> Self {
        Self { periods: vec![period], source, end }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn of(tokens: &'a [Token], table: &'static Table, today: i64) -> Self {
        let telling = |token: &Token| matches!(token.kind, Kind::Words(words) if words.contains(&Word::Telling));
        Self { tokens, table, today, told: tokens.iter().any(telling) }
    }
    pub(super) fn words(&self, at: usize) -> &'static [Word] {
        match self.tokens.get(at).map(|token| token.kind) {
            Some(Kind::Words(words)) if self.told || !words.contains(&Word::Doubtful) => words,
            _ => &[],
        }
    }

    pub(super) fn is(&self, at: usize, word: Word) -> bool {
        self.words(at).contains(&word)
    }

    pub(super) fn is_ahead(&self, at: usize, role: Role) -> bool {
        self.is(at, Word::Mark(role, Side::Ahead))
    }

    pub(super) fn is_behind(&self, at: usize, role: Role) -> bool {
        self.is(at, Word::Mark(role, Side::Behind))
    }

    pub(super) fn is_sign(&self, at: usize, signs: &[char]) -> bool {
        matches!(self.tokens.get(at).map(|token| token.kind),
            Some(Kind::Sign(sign)) if signs.contains(&sign))
    }

    pub(super) fn is_suffixed(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.suffixed)
    }

    /// The index after as many tokens as `skipped` accepts, at most `most`.
    pub(super) fn skip(&self, at: usize, most: usize, skipped: impl Fn(usize) -> bool) -> usize {
        (at..at + most).find(|&at| !skipped(at)).unwrap_or(at + most)
    }

    /// What the first meaning of a token that `meaning` accepts is.
    pub(super) fn find<T>(&self, at: usize, meaning: impl Fn(Word) -> Option<T>) -> Option<T> {
        self.words(at).iter().find_map(|&word| meaning(word))
    }

    pub(super) fn unit(&self, at: usize) -> Option<Unit> {
        self.find(at, |word| match word {
            Word::Unit(unit) => Some(unit),
            _ => None,
        })
    }

    pub(super) fn digits(&self, at: usize) -> Option<Digits> {
        match self.tokens.get(at).map(|token| token.kind) {
            Some(Kind::Digits(digits)) => Some(digits),
            _ => None,
        }
    }

    pub(super) fn number(&self, at: usize) -> Option<Number> {
        match self.digits(at) {
            Some(Digits::Number(number)) => Some(number),
            _ => None,
        }
    }

    /// A number in digits or in words.
    pub(super) fn count(&self, at: usize) -> Option<u32> {
        let in_words = || {
            self.find(at, |word| match word {
                Word::Number(number) => Some(number),
                _ => None,
            })
        };
        let count = self.number(at).map(|number| number.value).or_else(in_words)?;
        (1..=MOST_UNITS_AGO).contains(&count).then_some(count)
    }

    /// A number of a day of a month.
    pub(super) fn day_number(&self, at: usize) -> Option<u32> {
        let number = self.number(at)?;
        (number.digits <= 2 && (1..=31).contains(&number.value)).then_some(number.value)
    }

    /// A number of four digits that can be a year, whatever stands beside it.
    pub(super) fn year_number(&self, at: usize) -> Option<i32> {
        year_of(self.number(at)?, self.table.buddhist)
    }

    /// "3 days", "two weeks", "неделю": how many of which unit.
    pub(super) fn units(&self, at: usize) -> Option<(u32, Unit, usize)> {
        if let Some(count) = self.count(at)
            && let Some(unit) = self.unit(at + 1)
        {
            return Some((count, unit, at + 2));
        }
        self.find(at, |word| match word {
            Word::Units(count, unit) => Some((count, unit, at + 1)),
            _ => None,
        })
    }

    /// Whether there is a word that a date can be made of; most questions have none.
    pub(super) fn may_hold_dates(&self) -> bool {
        self.tokens.iter().any(|token| match token.kind {
            Kind::Digits(Digits::Number(number)) => number.digits == 4,
            Kind::Digits(digits) => digits != Digits::NoDate,
            Kind::Words(words) => words.iter().any(|word| word.names_time()),
            Kind::Sign(_) | Kind::Other => false,
        })
    }

    /// Whether a word is something that a number may count.
    pub(super) fn is_counted(&self, at: usize) -> bool {
        self.unit(at).is_some() || self.is(at, Word::Amount)
    }

    /// An expression that looks like a date, in this language or another.
    pub(super) fn no_date(&self, at: usize) -> Option<Match> {
        let number = at + usize::from(self.is_ahead(at, Role::In));
        let end = if self.is(at, Word::Nothing) {
            at + 1
        } else if self.year_number(number).is_some() && self.is_counted(number + 1) {
            // "in 2000 years", which another language takes for a year
            number + 2
        } else {
            return None;
        };
        Some(Match { periods: Vec::new(), source: Source::Calendar, end })
    }

    /// Whether a match may end before a token: no number is cut off its word.
    pub(super) fn may_end(&self, end: usize) -> bool {
        self.tokens.get(end).is_none_or(|token| !token.glued)
    }
}
