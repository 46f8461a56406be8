//! Words so common that they would drown the rest of a sum.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use crate::normal::WORD;

/// One word a line; English, German, Spanish, Russian and Arabic.
static STOP_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let lines = include_str!("../../model/stopwords.txt").lines();
    lines.map(|word| word.nfkc().collect::<String>().to_lowercase()).collect()
});

/// Whether a word is a stop word, whatever its case and the punctuation around it.
fn is_stop_word(word: &str) -> bool {
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    STOP_WORDS.contains(word.to_lowercase().as_str())
}

/// Takes the stop words, with their punctuation, out of a text whose words are marked. All are kept
/// when there is no other word.
pub(super) fn drop_stop_words(marked: &mut String) {
    let mut kept = String::with_capacity(marked.len());
    for word in marked.split(WORD).filter(|word| !word.is_empty() && !is_stop_word(word)) {
        kept.push(WORD);
        kept.push_str(word);
    }
    if !kept.is_empty() {
        *marked = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str) -> String {
        let mut text = text.to_owned();
        drop_stop_words(&mut text);
        text
    }

    #[test]
    fn stop_words_go_in_any_case_with_their_punctuation() {
        assert_eq!(without("▁What▁is▁THE▁boiling▁point,▁then?"), "▁boiling▁point,");
    }

    #[test]
    fn a_text_of_stop_words_is_kept() {
        assert_eq!(without("▁To▁be▁or▁not▁to▁be?"), "▁To▁be▁or▁not▁to▁be?");
    }

    #[test]
    fn punctuation_alone_is_no_stop_word() {
        assert_eq!(without("▁a▁→▁b"), "▁→▁b");
    }
}
