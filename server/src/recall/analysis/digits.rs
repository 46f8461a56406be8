//! Groups of digits with what parts them.

use std::ops::Range;

use super::script::{decimal_digit, starts_within_word};
use super::unit::starts_with_unit;

/// What stands between two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parting {
    Space,
    Bracket,
    Dash,
    Slash,
    Dot,
    Comma,
    Apostrophe,
    /// The decimal sign of Arabic.
    Decimal,
    /// The thousands sign of Arabic.
    Thousands,
}

/// Signs that part groups, longest first.
const PARTINGS: [(&str, Parting); 20] = [
    (" / ", Parting::Slash),
    (" - ", Parting::Dash),
    (") -", Parting::Bracket),
    (")-", Parting::Bracket),
    (")/", Parting::Bracket),
    (") ", Parting::Bracket),
    (" (", Parting::Bracket),
    (")", Parting::Bracket),
    ("(", Parting::Bracket),
    (" ", Parting::Space),
    ("-", Parting::Dash),
    ("\u{2010}", Parting::Dash),
    ("/", Parting::Slash),
    (".", Parting::Dot),
    (",", Parting::Comma),
    ("'", Parting::Apostrophe),
    ("\u{2019}", Parting::Apostrophe),
    ("\u{66b}", Parting::Decimal),
    ("\u{66c}", Parting::Thousands),
    ("\u{60c}", Parting::Comma),
];

/// At least one group of digits, of any script.
#[derive(Clone, Debug)]
pub(super) struct Digits<'a> {
    text: &'a str,
    groups: Vec<Range<usize>>,
    /// One fewer than groups; the second says whether a space is part of it.
    partings: Vec<(Parting, bool)>,
}

/// The groups at the start of `text`. If there is but one, or if they end within a word, the byte
/// before which no such groups begin: whoever reads on need not try again at each group.
pub(super) fn read_groups(text: &str) -> Result<Digits<'_>, usize> {
    let mut digits = Digits { text, groups: Vec::new(), partings: Vec::new() };
    let mut start = 0;
    let mut read_end = 0;
    let mut parting: Option<(Parting, bool)> = None;
    loop {
        let end = digits_end(text, start);
        if end == start {
            break;
        }
        if !is_whole_group(&text[end..]) {
            // 1.2.3rc1 is no number; in "3.5 1st" the number ends before.
            if parting.is_none_or(|(_, spaced)| !spaced) {
                return Err(end);
            }
            break;
        }
        read_end = end;
        digits.partings.extend(parting);
        digits.groups.push(start..end);
        let Some((sign, kind)) = parting_at(&text[end..]) else {
            break;
        };
        parting = Some((kind, sign.contains(' ')));
        start = end + sign.len();
    }
    if digits.groups.len() > 1 { Ok(digits) } else { Err(read_end) }
}

fn parting_at(text: &str) -> Option<(&'static str, Parting)> {
    PARTINGS.into_iter().find(|(sign, _)| text.starts_with(sign))
}

/// The ASCII digit of the value of `c`.
pub(super) fn ascii_digit(c: char) -> Option<char> {
    if c.is_ascii_digit() { Some(c) } else { decimal_digit(c) }
}

/// The byte after the digits that start at `start`.
pub(super) fn digits_end(text: &str, start: usize) -> usize {
    let length = text[start..].find(|c| ascii_digit(c).is_none());
    length.map_or(text.len(), |length| start + length)
}

/// Whether a group ends where `after` begins: not in the middle of a word, but for a unit.
fn is_whole_group(after: &str) -> bool {
    !starts_within_word(after) || starts_with_unit(after)
}

impl Digits<'_> {
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The byte after the last group.
    pub(super) fn end(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    /// The byte after the first group.
    pub(super) fn first_end(&self) -> usize {
        self.groups.first().map_or(0, |group| group.end)
    }

    /// A group as written; empty if there is no such group.
    pub(super) fn group(&self, place: usize) -> &str {
        self.groups.get(place).map_or("", |group| &self.text[group.clone()])
    }

    pub(super) fn ascii_group(&self, place: usize) -> String {
        self.group(place).chars().filter_map(ascii_digit).collect()
    }

    /// What stands between the group at `place` and the next.
    pub(super) fn parting(&self, place: usize) -> Option<Parting> {
        self.partings.get(place).map(|&(parting, _)| parting)
    }

    /// The digits of all groups.
    pub(super) fn joined(&self) -> String {
        (0..self.len()).map(|place| self.ascii_group(place)).collect()
    }

    pub(super) fn count_digits(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// How many digits each group has.
    pub(super) fn lengths(&self) -> Vec<usize> {
        (0..self.len()).map(|place| self.group(place).chars().count()).collect()
    }

    /// The first `count` groups.
    pub(super) fn leading(&self, count: usize) -> Self {
        let mut leading = self.clone();
        leading.groups.truncate(count);
        leading.partings.truncate(count.saturating_sub(1));
        leading
    }

    pub(super) fn drop_last(&mut self) {
        self.groups.pop();
        self.partings.pop();
    }

    /// The leading groups between which every parting fulfils a condition.
    pub(super) fn while_parting(&self, condition: impl Fn(Parting) -> bool) -> Self {
        let joined = self.partings.iter().take_while(|&&(parting, _)| condition(parting)).count();
        self.leading(joined + 1)
    }

    /// The leading groups that stand together without spaces or brackets.
    pub(super) fn tight(&self) -> Option<Self> {
        let is_tight =
            |&&(parting, spaced): &&(Parting, bool)| !spaced && parting != Parting::Bracket;
        let joined = self.partings.iter().take_while(is_tight).count();
        (joined > 0).then(|| self.leading(joined + 1))
    }

    pub(super) fn groups_of_two_digits(&self) -> Vec<Range<usize>> {
        let long = |place: &usize| self.group(*place).chars().nth(1).is_some();
        (0..self.len()).filter(long).filter_map(|place| self.groups.get(place).cloned()).collect()
    }

    /// The first group says how much it is, zero apart; one digit of the others nothing.
    pub(super) fn first_group_and_those_of_two_digits(&self) -> Vec<Range<usize>> {
        let mut groups = self.groups_of_two_digits();
        let first = self.groups.first().filter(|_| self.ascii_group(0) != "0").cloned();
        if first.is_some() && groups.first() != first.as_ref() {
            groups.splice(0..0, first);
        }
        groups
    }
}
