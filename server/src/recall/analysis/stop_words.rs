//! Words so common that they decide nothing while a query has others.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::fold::fold_word;

/// One word a line, of the languages that the encoder knows and Greek, Hindi and Swedish: words
/// that no other of them has a better use for. Of Chinese single letters, of Korean the pairs of
/// syllables that endings are.
const LIST: &str = include_str!("stopwords.txt");

struct StopWords {
    words: HashSet<String>,
    /// Bytes of the longest one by its first byte, so that most words need no look-up.
    longest: [usize; 256],
}

static STOP_WORDS: LazyLock<StopWords> = LazyLock::new(|| {
    let words: HashSet<String> = LIST
        .lines()
        .map(|line| {
            let mut folded = String::new();
            fold_word(line.trim(), &mut folded);
            folded
        })
        .filter(|word| !word.is_empty())
        .collect();
    let mut longest = [0; 256];
    for word in &words {
        if let Some(slot) =
            word.bytes().next().and_then(|first| longest.get_mut(usize::from(first)))
        {
            *slot = word.len().max(*slot);
        }
    }
    StopWords { words, longest }
});

/// Whether a folded word, or an n-gram, is a stop word.
pub(super) fn is_stop_word(folded: &str) -> bool {
    let stop_words = &*STOP_WORDS;
    let longest =
        folded.bytes().next().and_then(|first| stop_words.longest.get(usize::from(first)));
    longest.is_some_and(|&longest| folded.len() <= longest && stop_words.words.contains(folded))
        || is_one_hiragana(folded)
}

/// Hiragana alone are particles, or bits of a word.
fn is_one_hiragana(folded: &str) -> bool {
    let mut letters = folded.chars();
    letters.next().is_some_and(|letter| ('ぁ'..='ん').contains(&letter)) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_stop_word_and_in_its_order() {
        let lines: Vec<&str> = LIST.lines().collect();
        assert!(lines.iter().all(|line| !line.is_empty() && line.trim() == *line));
        assert!(lines.is_sorted());
        assert!(lines.iter().all(|line| is_stop_word(&fold(line))));
    }

    fn fold(word: &str) -> String {
        let mut folded = String::new();
        fold_word(word, &mut folded);
        folded
    }

    #[test]
    fn words_that_say_something_elsewhere_are_none() {
        for word in [
            "ai", "eu", "dig", "men", "dove", "kim", "ben", "ten", "met", "van", "door", "pour",
            "com",
        ] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
