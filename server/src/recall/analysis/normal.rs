//! The compatible normal form that text is split in.

use std::borrow::Cow;

use super::digits::ascii_digit;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Signs whose normal form is letters that would glue themselves to the word beside.
const LETTER_LIKE_SIGNS: [char; 3] = ['™', '℠', '№'];

/// Signs of fractions that have a short decimal, with their decimals; NFKC would make 31/2 of 3½.
const FRACTIONS: [(char, &str); 8] = [
    ('½', ".5"),
    ('¼', ".25"),
    ('¾', ".75"),
    ('⅛', ".125"),
    ('⅜', ".375"),
    ('⅝', ".625"),
    ('⅞', ".875"),
    ('⅒', ".1"),
];

/// NFKC of `text`: full-width Latin and half-width kana become the usual ones, composed and
/// decomposed letters the same. Text that is in this form already is not copied.
pub(in crate::recall) fn normal_form(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    let with_decimals = decimals_for_fractions(text);
    let without_signs =
        with_decimals.chars().map(|c| if LETTER_LIKE_SIGNS.contains(&c) { ' ' } else { c });
    Cow::Owned(without_signs.nfkc().collect())
}

/// `text` with 3.5 for 3½, and 0.5 for ½.
fn decimals_for_fractions(text: &str) -> Cow<'_, str> {
    let decimals_of = |c| FRACTIONS.iter().find(|&&(sign, _)| sign == c).map(|&(_, form)| form);
    if !text.contains(|c| decimals_of(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut changed = String::with_capacity(text.len());
    for c in text.chars() {
        let Some(decimals) = decimals_of(c) else {
            changed.push(c);
            continue;
        };
        if !changed.ends_with(|before| ascii_digit(before).is_some()) {
            changed.push_str(" 0");
        }
        changed.push_str(decimals);
        changed.push(' ');
    }
    Cow::Owned(changed)
}
