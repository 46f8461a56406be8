//! Splitting a question into what a language sees in it.

use super::digits::{Digits, read_digits};
use super::lexicon::Lexicon;
use super::numeral::han_number;
use super::text::{BREAK, Class, Text};
use super::word::Word;

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// An expression of the language's table, with all it may mean.
    Words(&'static [Word]),
    Digits(Digits),
    Sign(char),
    /// Any other word.
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// In bytes of the normal text.
    pub start: usize,
    pub end: usize,
    /// Whether it is one word with the number before it.
    pub glued: bool,
    pub suffixed: bool,
    pub capital: bool,
}

/// The tokens of a text in one language.
pub(super) fn tokens(text: &Text<'_>, lexicon: &'static Lexicon) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(c) = text.chars.get(at) {
        if c.class == Class::Space {
            at += 1;
            continue;
        }
        let (kind, end, suffixed) = next_token(text, lexicon, at);
        let after_digit = at.checked_sub(1).is_some_and(|at| text.class(at) == Class::Digit);
        tokens.push(Token {
            kind,
            start: c.start,
            // Marks that folding dropped belong to the letter before them.
            end: text.start(end),
            glued: after_digit && text.is_spaced_letter(at),
            suffixed,
            capital: c.capital,
        });
        at = end.max(at + 1);
    }
    tokens
}

fn next_token(text: &Text<'_>, lexicon: &'static Lexicon, at: usize) -> (Kind, usize, bool) {
    if !text.is_within_word(at)
        && let Some(found) = lexicon.longest(text, at)
    {
        return (Kind::Words(found.words), found.end, found.suffixed);
    }
    let rest = text.chars.get(at..).unwrap_or_default();
    match text.class(at) {
        Class::Digit => {
            let (digits, end) = read_digits(text, at, lexicon.table.buddhist);
            if text.is_spaced_letter(end) && lexicon.longest(text, end).is_none() {
                return (Kind::Other, word_end(text, end), false);
            }
            let (end, suffixed) = lexicon.word_end(text, end).unwrap_or((end, false));
            (Kind::Digits(digits), end, suffixed)
        }
        Class::Letter(_) => {
            if lexicon.table.han_numerals
                && let Some((number, length)) = han_number(rest.iter().map(|c| c.folded))
            {
                return (Kind::Digits(Digits::Number(number)), at + length, false);
            }
            (Kind::Other, word_end(text, at), false)
        }
        Class::Space | Class::Sign => {
            let sign = text.folded(at).unwrap_or(BREAK);
            (Kind::Sign(sign), at + 1, false)
        }
    }
}

/// The index after the word that `at` is in.
fn word_end(text: &Text<'_>, at: usize) -> usize {
    let mut end = at + 1;
    while end < text.chars.len()
        && (text.is_within_word(end)
            || text.class(end - 1) == Class::Digit && text.is_spaced_letter(end))
    {
        end += 1;
    }
    end
}
