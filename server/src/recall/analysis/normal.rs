//! The compatible normal form that text is split in.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Signs whose normal form is letters that would glue themselves to the word before.
const LETTER_LIKE_SIGNS: [char; 2] = ['™', '℠'];

/// NFKC of `text`: full-width Latin and half-width kana become the usual ones, composed and
/// decomposed letters the same. Text that is in this form already is not copied.
pub(in crate::recall) fn normal_form(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        return Cow::Borrowed(text);
    }
    let without_signs = text.chars().map(|c| if LETTER_LIKE_SIGNS.contains(&c) { ' ' } else { c });
    Cow::Owned(without_signs.nfkc().collect())
}
