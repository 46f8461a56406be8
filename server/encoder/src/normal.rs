//! The form of a text that models read: NFKC, with words marked instead of parted by spaces.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// SentencePiece's mark for the start of a word.
pub(crate) const WORD: char = '\u{2581}';

/// How many bytes of a text, after leading space, are looked at.
const MOST_BYTES: usize = 64 << 10;

/// How many characters of a text are read, in NFKC, a word's mark counting as one: a thousand
/// English pieces. Both models take time in proportion to what they read.
pub const MOST_CHARACTERS: usize = 4096;

/// The words of `text` in NFKC, each with a mark in front; empty if there are none. Reads at most
/// [`MOST_CHARACTERS`] and at most 64 KiB.
pub(crate) fn marked(text: &str) -> String {
    let text = text.trim_start_matches(is_space);
    let text = text.get(..text.floor_char_boundary(MOST_BYTES)).unwrap_or(text);
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        mark(text.chars(), text.len())
    } else {
        mark(text.nfkc(), text.len())
    }
}

fn mark(characters: impl Iterator<Item = char>, size: usize) -> String {
    let mut marked = String::with_capacity(size.min(4 * MOST_CHARACTERS) + 16);
    let mut count = 0;
    let mut word_starts = true;
    for character in characters {
        if is_space(character) {
            word_starts = true;
            continue;
        }
        if count + 1 + usize::from(word_starts) > MOST_CHARACTERS {
            break;
        }
        if std::mem::take(&mut word_starts) {
            marked.push(WORD);
            count += 1;
        }
        marked.push(character);
        count += 1;
    }
    marked
}

/// What Python's `str.split` parts words at: Unicode's white space and the four ASCII separators.
fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1c}'..='\u{1f}')
}
