//! What an apostrophe joins to a word and is none: `l'` of `l'avion`, `'s` of `Bob's`.

use super::script::starts_within_word;

/// Articles, pronouns and prepositions of French, Italian and Catalan before a vowel.
const ELISIONS: [&str; 26] = [
    "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu", "un",
    "all", "dall", "dell", "nell", "sull", "coll", "quell", "quest", "bell", "sant", "gl", "anch",
];

/// Endings of English: the possessive, and verbs that are stop words.
const ENGLISH: [&str; 7] = ["s", "t", "d", "m", "ll", "re", "ve"];

/// What follows an apostrophe at the start of `text`.
fn behind_apostrophe(text: &str) -> Option<&str> {
    text.strip_prefix(['\'', '\u{2019}', '\u{2bc}'])
}

/// Whether a Latin word is elided before what follows, and so is no word that says something.
pub(super) fn is_elided(word: &str, after: &str) -> bool {
    let Some(next) = behind_apostrophe(after) else {
        return false;
    };
    ELISIONS.iter().any(|elision| word.eq_ignore_ascii_case(elision))
        && next.chars().next().is_some_and(char::is_alphabetic)
}

/// What follows a Latin word or a number, without an ending that an apostrophe joins to it.
pub(super) fn without_ending(after: &str) -> &str {
    let Some(behind) = behind_apostrophe(after) else {
        return after;
    };
    // One of the apostrophes is a letter itself: looking for the end of the letters behind each
    // could take the rest of the text.
    let rest = ENGLISH.iter().find_map(|english| {
        let (ending, rest) = behind.split_at_checked(english.len())?;
        let ends = !rest.starts_with(char::is_alphabetic) && !starts_within_word(rest);
        (ends && ending.eq_ignore_ascii_case(english)).then_some(rest)
    });
    rest.unwrap_or(after)
}
