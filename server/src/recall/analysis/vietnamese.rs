//! Vietnamese, where accents tell words apart: bạn is a friend, bán sells, ban is neither.
//!
//! Such words are found without their accents, as they are often typed, and as they are written,
//! so that what is written alike comes first.

/// Whether a text in NFKC has a letter that hardly any other language has.
pub(super) fn is_vietnamese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{1ea0}'..='\u{1ef9}' | 'Ơ' | 'ơ' | 'Ư' | 'ư'))
}

/// A word of such a text with its accents, if it has any.
pub(super) fn as_written(word: &str) -> Option<String> {
    (!word.is_ascii()).then(|| word.chars().flat_map(char::to_lowercase).collect())
}
