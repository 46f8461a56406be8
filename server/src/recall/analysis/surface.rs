//! Surfaces: the words of a text, folded but whole.

use super::digits::{ascii_digit, digits_end};
use super::fold::{fold_unspaced, fold_word};
use super::identifier::{for_each_other_form, for_each_part};
use super::joined::{Inside, Joined, read_joined, without_hyphens, without_letter_of_version};
use super::normal::normal_form;
use super::number::{Number, Reading, read_number};
use super::runs::{Run, RunKind, Runs};
use super::script::Script;
use super::unit::{currency_before, unit_behind, unit_form};
use super::vietnamese::{as_written, is_vietnamese};

/// Letters that make an ordinal of an English number: the 20th century has nothing of twenty.
const ORDINAL_ENDINGS: [&str; 4] = ["st", "nd", "rd", "th"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SurfaceKind {
    Word,
    /// A word within the joined name that was the last `Word`.
    Member,
    /// A part of the identifier that was the last `Word` or `Member`.
    Part,
    /// Another form of a word beside it, or a bit of a number: search finds by it, but the text
    /// doesn't hold it as a word.
    Hint,
    /// A line of Han and Kana.
    Ideographs,
    /// A word of Hangul, its particles included.
    Hangul,
    /// A line of Thai or another script without spaces.
    Unspaced,
    Pictograph,
}

/// A piece of a text as its reader sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface<'a> {
    pub kind: SurfaceKind,
    /// The script of a word that has letters.
    pub script: Option<Script>,
    /// Never empty.
    pub folded: &'a str,
}

/// Calls `visit` with the surfaces of `text` in order.
pub(super) fn for_each_surface(text: &str, visit: &mut dyn FnMut(Surface<'_>)) {
    let normal_text = normal_form(text);
    let mut runs = Runs::of(&normal_text);
    let mut splitter = Splitter {
        text: &normal_text,
        vietnamese: is_vietnamese(&normal_text),
        folded: String::new(),
        visit,
        name_end: 0,
        inside: SurfaceKind::Member,
        apart_end: 0,
        no_number_end: 0,
        measured_end: 0,
    };
    while let Some(run) = runs.next() {
        let Run { kind, start: _, raw } = run;
        match kind {
            RunKind::Word(script) => {
                if let Some(go_on_at) = splitter.visit_word_run(&run, script) {
                    runs.go_on_at(go_on_at);
                }
            }
            RunKind::Ideographs => splitter.visit_unspaced(raw, SurfaceKind::Ideographs),
            RunKind::Hangul => splitter.visit_unspaced(raw, SurfaceKind::Hangul),
            RunKind::Unspaced => splitter.visit_unspaced(raw, SurfaceKind::Unspaced),
            RunKind::Pictograph | RunKind::HalfFlag => {
                splitter.give(SurfaceKind::Pictograph, None, raw);
            }
        }
    }
}

/// What the runs of a text are, given what stands around them.
struct Splitter<'t, 'v> {
    text: &'t str,
    /// Whether accents tell words apart.
    vietnamese: bool,
    /// Room for one folded word.
    folded: String,
    visit: &'v mut dyn FnMut(Surface<'_>),
    /// Where the joined name that was met last ends.
    name_end: usize,
    /// What the words in it are.
    inside: SurfaceKind,
    /// Up to here digits have been read already, and found to be words of their own.
    apart_end: usize,
    /// Up to here digits have been read already, and no number of several groups begins.
    no_number_end: usize,
    /// Up to here digits have been given with their unit already.
    measured_end: usize,
}

impl Splitter<'_, '_> {
    fn give(&mut self, kind: SurfaceKind, script: Option<Script>, folded: &str) {
        if !folded.is_empty() {
            (self.visit)(Surface { kind, script, folded });
        }
    }

    fn give_folded(&mut self, kind: SurfaceKind, script: Option<Script>, raw: &str) {
        self.folded.clear();
        fold_word(raw, &mut self.folded);
        if !self.folded.is_empty() {
            (self.visit)(Surface { kind, script, folded: &self.folded });
        }
    }

    /// Gives what a word is, alone or with what follows; the byte to go on at, if not after it.
    fn visit_word_run(&mut self, run: &Run<'_>, script: Option<Script>) -> Option<usize> {
        let &Run { kind: _, start, raw } = run;
        let (before, text) = self.text.split_at(start);
        if start < self.name_end {
            self.visit_word(raw, script, self.inside);
            return None;
        }
        let is_number = raw.starts_with(|first| ascii_digit(first).is_some());
        if is_number && start >= self.apart_end.max(self.no_number_end) {
            match read_number(before, text) {
                Reading::Number(number) => return self.visit_number(start, &number),
                Reading::Apart(end) => self.apart_end = start + end,
                Reading::NoNumber(end) => self.no_number_end = start + end,
            }
        }
        if start >= self.apart_end
            && let Some(joined) = read_joined(before, raw, text)
        {
            return self.visit_joined(start, joined, raw, script);
        }
        if is_number && start >= self.measured_end {
            self.visit_measure(before, raw, text);
        } else if !is_number && let Some(joined) = without_hyphens(raw, text) {
            self.give_folded(SurfaceKind::Hint, script, &joined);
        }
        self.visit_word(raw, script, SurfaceKind::Word);
        None
    }

    fn visit_joined(
        &mut self,
        start: usize,
        joined: Joined,
        first: &str,
        script: Option<Script>,
    ) -> Option<usize> {
        let Joined { whole, end, inside } = joined;
        self.give_folded(SurfaceKind::Word, script, &whole);
        if let Some(version) = without_letter_of_version(&whole) {
            self.give_folded(SurfaceKind::Part, script, version);
        }
        self.inside = match inside {
            Inside::Nothing => return Some(start + end),
            Inside::Names => SurfaceKind::Member,
            Inside::Bits => SurfaceKind::Hint,
        };
        self.name_end = start + end;
        self.visit_word(first, script, self.inside);
        None
    }

    fn visit_number(&mut self, start: usize, number: &Number) -> Option<usize> {
        let Number { form, other_form, groups, sure, end } = number;
        let (before, text) = self.text.split_at(start);
        let kind = if *sure { SurfaceKind::Word } else { SurfaceKind::Hint };
        self.give(kind, None, form);
        if let Some(other) = other_form {
            self.give(SurfaceKind::Hint, None, other);
        }
        let unit = unit_behind(&text[*end..]).or_else(|| currency_before(before));
        if let Some(unit) = unit {
            self.give(SurfaceKind::Hint, None, &format!("{form}{unit}"));
        }
        if *sure {
            for group in groups {
                self.give_folded(SurfaceKind::Hint, None, &text[group.clone()]);
            }
            return Some(start + end);
        }
        // The groups come next, as the words that they may be.
        self.apart_end = start + end;
        self.measured_end = start + end;
        let first_end = digits_end(text, 0);
        self.visit_word(&text[..first_end], None, SurfaceKind::Word);
        None
    }

    /// Gives, beside a word that begins with a digit, the number that it is of what unit.
    fn visit_measure(&mut self, before: &str, raw: &str, text: &str) {
        let digits = digits_end(raw, 0);
        let (number, letters) = raw.split_at(digits);
        let number: String = number.chars().filter_map(ascii_digit).collect();
        if letters.is_empty() {
            let unit = unit_behind(&text[digits..]).or_else(|| currency_before(before));
            if let Some(unit) = unit {
                self.give(SurfaceKind::Hint, None, &format!("{number}{unit}"));
            }
        } else if letters.chars().all(char::is_alphabetic) {
            self.visit_number_in_word(&number, letters);
        }
    }

    fn visit_number_in_word(&mut self, number: &str, letters: &str) {
        self.folded.clear();
        fold_word(letters, &mut self.folded);
        if let Some(unit) = unit_form(&self.folded) {
            if unit != self.folded {
                self.give(SurfaceKind::Hint, None, &format!("{number}{unit}"));
            }
        } else if ORDINAL_ENDINGS.contains(&self.folded.as_str()) {
            return;
        }
        if number.len() > 1 {
            self.give(SurfaceKind::Hint, None, number);
        }
    }

    fn visit_word(&mut self, raw: &str, script: Option<Script>, kind: SurfaceKind) {
        let trimmed = raw.trim_matches('_');
        self.give_folded(kind, script, trimmed);
        if self.vietnamese
            && script == Some(Script::Latin)
            && let Some(written) = as_written(trimmed)
        {
            self.give(SurfaceKind::Hint, None, &written);
        }
        for_each_other_form(trimmed, &mut |form| self.give_folded(SurfaceKind::Hint, script, form));
        if kind == SurfaceKind::Hint {
            return;
        }
        for_each_part(trimmed, &mut |part| self.give_folded(SurfaceKind::Part, script, part));
    }

    fn visit_unspaced(&mut self, raw: &str, kind: SurfaceKind) {
        self.folded.clear();
        fold_unspaced(raw, &mut self.folded);
        if !self.folded.is_empty() {
            (self.visit)(Surface { kind, script: None, folded: &self.folded });
        }
    }
}
