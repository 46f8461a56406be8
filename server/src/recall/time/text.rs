//! A question as a row of folded characters that know where they came from.

use std::borrow::Cow;

use super::table::Script;
use crate::recall::analysis::{fold_word, normal_form};

/// Stands in the rest of a question where date words were. No date spans it, so nothing that it
/// parts becomes a date.
pub(super) const BREAK: char = '\u{2029}';

/// What a character is to the lexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Space,
    Digit,
    /// A letter, with its script if that is one of the tables'.
    Letter(Option<Script>),
    Sign,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Char {
    /// Folded as words are: without case and accents.
    pub folded: char,
    /// Without case, but with accents.
    pub accented: char,
    pub class: Class,
    /// Where it starts in the normal text, in bytes.
    pub start: usize,
    pub capital: bool,
}

pub(super) struct Text<'a> {
    pub normal: Cow<'a, str>,
    /// Spaces are one each.
    pub chars: Vec<Char>,
}

impl<'a> Text<'a> {
    pub(super) fn of(question: &'a str) -> Self {
        let normal = normal_form(question);
        let chars = folded_chars(&normal);
        Self { normal, chars }
    }

    /// Where the character of this index starts in the normal text, or its end.
    pub(super) fn start(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.normal.len(), |c| c.start)
    }

    pub(super) fn class(&self, at: usize) -> Class {
        self.chars.get(at).map_or(Class::Space, |c| c.class)
    }

    pub(super) fn folded(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|c| c.folded)
    }

    /// Whether a word runs on from the character before `at` into the one at it.
    pub(super) fn is_within_word(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|before| self.class(before)) else {
            return false;
        };
        match (before, self.class(at)) {
            (_, Class::Letter(Some(Script::Thai))) => self.folded(at).is_some_and(is_thai_mark),
            (Class::Letter(left), Class::Letter(right)) => left == right && is_spaced(left),
            (Class::Letter(left), Class::Digit) => is_spaced(left) && !writes_digits_apart(left),
            (Class::Digit, Class::Digit) => true,
            _ => false,
        }
    }

    /// Whether a letter of a script with spaces, which would be one word with a number before it.
    pub(super) fn is_spaced_letter(&self, at: usize) -> bool {
        matches!(self.class(at), Class::Letter(script)
            if is_spaced(script) && script != Some(Script::Hangul))
    }

    pub(super) fn has_script(&self, scripts: &[Script]) -> bool {
        let in_scripts =
            |c: &Char| matches!(c.class, Class::Letter(Some(script)) if scripts.contains(&script));
        self.chars.iter().any(in_scripts)
    }
}

fn folded_chars(normal: &str) -> Vec<Char> {
    let mut chars: Vec<Char> = Vec::with_capacity(normal.len());
    let mut folded = String::new();
    for (start, raw) in normal.char_indices() {
        folded.clear();
        fold_word(raw.encode_utf8(&mut [0; 4]), &mut folded);
        let capital = raw.is_uppercase();
        for (nth, folded_char) in folded.chars().enumerate() {
            let c = plain_sign(folded_char);
            let class = classify(c);
            if class == Class::Space && chars.last().is_some_and(|last| last.class == class) {
                continue;
            }
            let lower = if nth == 0 { raw.to_lowercase().next() } else { None };
            let accented = lower.filter(|_| c.is_alphabetic()).unwrap_or(c);
            chars.push(Char { folded: c, accented, class, start, capital });
        }
    }
    chars
}

/// Dashes and apostrophes as typed on a keyboard.
fn plain_sign(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        BREAK => BREAK,
        _ if c.is_whitespace() => ' ',
        _ => c,
    }
}

fn classify(c: char) -> Class {
    match c {
        ' ' => Class::Space,
        '0'..='9' => Class::Digit,
        'a'..='z' => Class::Letter(Some(Script::Latin)),
        '_' => Class::Letter(None),
        '\0'..='\u{7f}' => Class::Sign,
        _ => match script_of(c) {
            Some(script) => Class::Letter(Some(script)),
            None if c.is_alphanumeric() => Class::Letter(None),
            None => Class::Sign,
        },
    }
}

fn script_of(c: char) -> Option<Script> {
    match c {
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Some(Script::Latin),
        '\u{370}'..='\u{3ff}' => Some(Script::Greek),
        '\u{400}'..='\u{52f}' => Some(Script::Cyrillic),
        '\u{620}'..='\u{6d3}' => Some(Script::Arabic),
        '\u{900}'..='\u{963}' | '\u{970}'..='\u{97f}' => Some(Script::Devanagari),
        '\u{e01}'..='\u{e4e}' => Some(Script::Thai),
        '\u{ac00}'..='\u{d7a3}' => Some(Script::Hangul),
        '\u{3041}'..='\u{30ff}' => Some(Script::Kana),
        '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{9fff}' => Some(Script::Han),
        _ => None,
    }
}

/// Scripts whose particles stand before a number without a space.
fn writes_digits_apart(script: Option<Script>) -> bool {
    matches!(script, Some(Script::Hangul | Script::Arabic))
}

fn is_spaced(script: Option<Script>) -> bool {
    !matches!(script, Some(Script::Thai | Script::Kana | Script::Han))
}

/// Signs that are written on the letter before them.
fn is_thai_mark(c: char) -> bool {
    matches!(c, '\u{e31}' | '\u{e33}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}')
}
