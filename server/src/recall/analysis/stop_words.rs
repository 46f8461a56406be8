//! Words so common that they decide nothing while a query has others.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::fold::fold_word;

/// One word a line; English, German, Spanish, Russian and Arabic.
const LIST: &str = include_str!("stopwords.txt");

struct StopWords {
    words: HashSet<String>,
    /// Bytes of the longest one, so that most words need no look-up.
    longest: usize,
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
    let longest = words.iter().map(String::len).max().unwrap_or(0);
    StopWords { words, longest }
});

/// Whether a folded word is a stop word.
pub(super) fn is_stop_word(folded: &str) -> bool {
    folded.len() <= STOP_WORDS.longest && STOP_WORDS.words.contains(folded)
}
