//! The words of a table, ready to be looked up.

use std::sync::LazyLock;

use super::table::Table;
use super::tables::TABLES;
use super::text::Text;
use super::word::{Needs, Role, Side, UNITS, Word};

/// A letter tree of a language's expressions.
pub(super) struct Lexicon {
    pub table: &'static Table,
    /// The root is the first.
    nodes: Vec<Node>,
    /// Endings, as folded characters.
    suffixes: Vec<Vec<char>>,
}

#[derive(Default)]
struct Node {
    /// Characters that go on, in order, with the index of the node they lead to.
    steps: Vec<(char, usize)>,
    /// What the expression that ends here means.
    words: Vec<Word>,
}

impl Node {
    fn step(&self, c: char) -> Result<usize, usize> {
        let at = self.steps.binary_search_by_key(&c, |&(c, _)| c)?;
        self.steps.get(at).map(|&(_, node)| node).ok_or(at)
    }
}

/// An expression found in a text.
pub(super) struct Found {
    pub words: &'static [Word],
    /// The index of the character after it.
    pub end: usize,
    /// Whether it has an ending.
    pub suffixed: bool,
}

static LEXICONS: LazyLock<Vec<Lexicon>> =
    LazyLock::new(|| TABLES.iter().copied().map(Lexicon::of).collect());

/// All languages.
pub(super) fn lexicons() -> &'static [Lexicon] {
    &LEXICONS
}

impl Lexicon {
    fn of(table: &'static Table) -> Self {
        let mut lexicon = Self { table, nodes: vec![Node::default()], suffixes: Vec::new() };
        lexicon.add_names();
        lexicon.add_units();
        lexicon.add_marks();
        for suffix in alternatives(table.suffixes) {
            lexicon.suffixes.push(key(suffix, table));
        }
        lexicon
    }

    fn add(&mut self, listed: &'static str, word: Word) {
        for expression in alternatives(listed) {
            self.add_one(expression, word);
        }
    }

    fn add_one(&mut self, expression: &str, word: Word) {
        let plain = expression.strip_prefix('~');
        let mut node = 0;
        for c in key(plain.unwrap_or(expression), self.table) {
            let new = self.nodes.len();
            let Some(here) = self.nodes.get_mut(node) else {
                return;
            };
            node = match here.step(c) {
                Ok(next) => next,
                Err(at) => {
                    here.steps.insert(at, (c, new));
                    self.nodes.push(Node::default());
                    new
                }
            };
        }
        if let Some(here) = self.nodes.get_mut(node) {
            here.words.push(word);
            here.words.extend(plain.map(|_| Word::Doubtful));
        }
    }

    fn add_names(&mut self) {
        let table = self.table;
        for (month, listed) in (1..).zip(table.months) {
            for name in alternatives(listed) {
                let (name, needs) = match (name.strip_prefix('?'), name.strip_prefix('#')) {
                    (Some(name), _) => (name, Needs::Context),
                    (_, Some(name)) => (name, Needs::Number),
                    _ => (name, Needs::Nothing),
                };
                self.add_one(name, Word::Month(month, needs));
            }
        }
        for (weekday, listed) in (0..).zip(table.weekdays) {
            self.add(listed, Word::Weekday(weekday));
        }
        for (season, listed) in (0..).zip(table.seasons) {
            self.add(listed, Word::Season(season));
        }
        self.add(table.weekend, Word::Weekend);
        for &(offset, listed) in table.days {
            self.add(listed, Word::Day(offset));
        }
        for (number, listed) in (1..).zip(table.numbers) {
            self.add(listed, Word::Number(number));
        }
        for &(years, listed) in table.eras {
            self.add(listed, Word::Era(years));
        }
    }

    fn add_units(&mut self) {
        let table = self.table;
        let offsets = [&[][..], table.weeks, table.month_offsets, table.years];
        for (nth, unit) in UNITS.into_iter().enumerate() {
            self.add(table.units.get(nth).copied().unwrap_or(""), Word::Unit(unit));
            self.add(table.one_unit.get(nth).copied().unwrap_or(""), Word::Units(1, unit));
            self.add(table.two_units.get(nth).copied().unwrap_or(""), Word::Units(2, unit));
            for &(offset, listed) in offsets.get(nth).copied().unwrap_or_default() {
                self.add(listed, Word::Period(unit, offset));
            }
        }
    }

    fn add_marks(&mut self) {
        let table = self.table;
        let pairs = [
            (Role::Last, table.last),
            (Role::This, table.this),
            (Role::Next, table.next),
            (Role::Ago, table.ago),
            (Role::In, table.within),
            (Role::On, table.on),
            (Role::Since, table.since),
            (Role::Until, table.until),
            (Role::Before, table.before),
            (Role::After, table.after),
            (Role::YearMark, table.year_mark),
            (Role::MonthMark, table.month_mark),
            (Role::DayMark, table.day_mark),
            (Role::Decade, table.decade),
        ];
        for (role, (ahead, behind)) in pairs {
            self.add(ahead, Word::Mark(role, Side::Ahead));
            self.add(behind, Word::Mark(role, Side::Behind));
        }
        let singles = [
            (table.of, Word::Of),
            (table.article, Word::Article),
            (table.ordinal, Word::Ordinal),
            (table.between, Word::Between),
            (table.and, Word::And),
            (table.from, Word::From),
            (table.to, Word::To),
            (table.early, Word::Early),
            (table.mid, Word::Mid),
            (table.late, Word::Late),
            (table.unbound, Word::Unbound),
            (table.telling, Word::Telling),
            (table.amounts, Word::Amount),
            (table.nothing, Word::Nothing),
        ];
        for (listed, word) in singles {
            self.add(listed, word);
        }
    }

    /// The longest expression that starts at a character and ends with a word.
    pub(super) fn longest(&'static self, text: &Text<'_>, at: usize) -> Option<Found> {
        let mut longest = None;
        let mut node = self.nodes.first()?;
        for (nth, c) in text.chars.get(at..)?.iter().enumerate() {
            let c = if self.table.keeps_accents { c.accented } else { c.folded };
            let Some(next) = node.step(c).ok().and_then(|next| self.nodes.get(next)) else {
                break;
            };
            node = next;
            let words = node.words.as_slice();
            if words.is_empty() {
                continue;
            }
            if let Some((end, suffixed)) = self.word_end(text, at + nth + 1) {
                longest = Some(Found { words, end, suffixed });
            }
        }
        longest
    }

    /// Where a word ends whose stem or number ends before `at`, and whether an ending is between;
    /// none if the word runs on.
    pub(super) fn word_end(&self, text: &Text<'_>, at: usize) -> Option<(usize, bool)> {
        let has = |suffix: &[char]| {
            suffix.iter().enumerate().all(|(nth, &c)| text.folded(at + nth) == Some(c))
                && !text.is_within_word(at + suffix.len())
        };
        let suffix = self.suffixes.iter().find(|suffix| has(suffix));
        match suffix {
            Some(suffix) => Some((at + suffix.len(), true)),
            None if text.is_within_word(at) => None,
            None => Some((at, false)),
        }
    }
}

fn alternatives(listed: &str) -> impl Iterator<Item = &str> {
    listed.split('|').map(str::trim).filter(|expression| !expression.is_empty())
}

/// An expression as the characters of a text would be.
fn key(expression: &str, table: &Table) -> Vec<char> {
    let text = Text::of(expression);
    let chars = text.chars.iter();
    chars.map(|c| if table.keeps_accents { c.accented } else { c.folded }).collect()
}
