//! Folding: what is the same word to a reader becomes the same letters.

use std::sync::LazyLock;

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

use super::script::{decimal_digit, is_invisible};

/// Above every letter of Latin, Greek, Cyrillic, Hebrew and Arabic as usually written, and below the
/// first mark that folding keeps: up to here a letter folds the same in every word.
const END_OF_TABLE: char = '\u{700}';

/// Devanagari, whose letters fold alone as well once they are in NFKC: the marks that folding keeps
/// stand in order already, and none of them makes one letter with what stands before it.
const DEVANAGARI: std::ops::Range<char> = '\u{900}'..'\u{980}';

/// The folded forms of all characters below [`END_OF_TABLE`], then of [`DEVANAGARI`]: at most two
/// letters, made once by [`fold_in_full`].
static TABLE: LazyLock<Vec<[Option<char>; 2]>> = LazyLock::new(|| {
    ('\0'..END_OF_TABLE)
        .chain(DEVANAGARI)
        .map(|c| {
            let mut folded = String::new();
            fold_in_full(c.encode_utf8(&mut [0; 4]), &mut folded);
            let mut letters = folded.chars();
            [letters.next(), letters.next()]
        })
        .collect()
});

/// Appends the folded form of a word to `folded`: case, accents of Latin, Greek and Cyrillic, and
/// points of Hebrew and Arabic go; vowel signs and voicing marks of other scripts stay.
pub(in crate::recall) fn fold_word(raw: &str, folded: &mut String) {
    if raw.is_ascii() {
        folded.extend(raw.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    if raw.chars().any(|c| place_in_table(c).is_none()) {
        fold_in_full(raw, folded);
        return;
    }
    let table = &*TABLE;
    for letters in raw.chars().filter_map(|c| table.get(place_in_table(c)?)) {
        folded.extend(letters.iter().flatten());
    }
}

fn place_in_table(c: char) -> Option<usize> {
    if c < END_OF_TABLE {
        Some(c as usize)
    } else if DEVANAGARI.contains(&c) {
        Some(END_OF_TABLE as usize + c as usize - DEVANAGARI.start as usize)
    } else {
        None
    }
}

fn fold_in_full(raw: &str, folded: &mut String) {
    let letters = raw
        .chars()
        .filter(|&c| !is_invisible(c))
        .default_case_fold()
        .nfd()
        .filter(|&c| !is_dropped_mark(c))
        .flat_map(|c| folded_letters(c).into_iter().flatten());
    folded.extend(letters.nfc());
}

/// Appends a run of a script without case or accents, in NFKC, to `folded`.
pub(super) fn fold_unspaced(raw: &str, folded: &mut String) {
    folded.extend(raw.chars().filter(|&c| !is_invisible(c) && !is_dropped_mark(c)));
}

/// Marks that readers leave out at will.
fn is_dropped_mark(c: char) -> bool {
    matches!(c,
        // accents, whatever they stand on
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}'
        // the point of Devanagari letters for sounds of Persian and English
        | '\u{93c}'
        // Hebrew points
        | '\u{591}'..='\u{5bd}'
        | '\u{5bf}'
        | '\u{5c1}'..='\u{5c2}'
        | '\u{5c4}'..='\u{5c5}'
        | '\u{5c7}'
        // Arabic marks and tatweel
        | '\u{610}'..='\u{61a}'
        | '\u{640}'
        | '\u{64b}'..='\u{65f}'
        | '\u{670}'
        | '\u{6d6}'..='\u{6dc}'
        | '\u{6df}'..='\u{6e8}'
        | '\u{6ea}'..='\u{6ed}'
        | '\u{8ca}'..='\u{8ff}')
}

/// The one or two letters that stand for `c`, a letter without its accents.
fn folded_letters(c: char) -> [Option<char>; 2] {
    let single = match c {
        'ا' | 'ٱ' => 'ا',
        'ى' | 'ی' => 'ي',
        'ة' => 'ه',
        'ک' => 'ك',
        // moon and dot above a nasal vowel, which writers of Hindi mix
        'ँ' => 'ं',
        // letters whose stroke is no combining mark, but left out in the same way
        'ı' => 'i',
        'ø' => 'o',
        'đ' | 'ð' => 'd',
        'ł' => 'l',
        'ħ' => 'h',
        'ŧ' => 't',
        'æ' => return [Some('a'), Some('e')],
        'œ' => return [Some('o'), Some('e')],
        'þ' => return [Some('t'), Some('h')],
        _ => decimal_digit(c).unwrap_or(c),
    };
    [Some(single), None]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_table_folds_as_in_full(word in "[\u{80}-\u{6ff}a-zA-Z0-9]{0,12}") {
            let [mut by_table, mut in_full] = [String::new(), String::new()];
            fold_word(&word, &mut by_table);
            fold_in_full(&word, &mut in_full);
            prop_assert_eq!(by_table, in_full);
        }

        #[test]
        fn devanagari_in_nfkc_folds_as_in_full(word in "[\u{900}-\u{97f}a-z\u{300}]{0,12}") {
            let word: String = word.nfkc().collect();
            let [mut by_table, mut in_full] = [String::new(), String::new()];
            fold_word(&word, &mut by_table);
            fold_in_full(&word, &mut in_full);
            prop_assert_eq!(by_table, in_full);
        }

        #[test]
        fn folding_twice_changes_nothing(word in "\\PC{0,12}") {
            let word: String = word.nfkc().collect();
            let [mut once, mut twice] = [String::new(), String::new()];
            fold_word(&word, &mut once);
            fold_word(&once, &mut twice);
            prop_assert_eq!(once, twice);
        }
    }

    #[test]
    fn a_letter_of_the_table_folds_to_two_at_most() {
        for c in '\0'..END_OF_TABLE {
            let mut folded = String::new();
            fold_in_full(&c.to_string(), &mut folded);
            assert!(folded.chars().count() <= 2, "{c}");
        }
    }
}
