//! English endings, by Porter's second stemmer ("The English (Porter2) stemming algorithm", 2002).

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// Porter2, but for words that it would give back as they are.
pub(super) struct EnglishStemmer {
    porter2: Stemmer,
}

impl EnglishStemmer {
    pub(super) fn new() -> Self {
        Self { porter2: Stemmer::create(Algorithm::English) }
    }

    /// The stem of a word of lower-case ASCII letters.
    pub(super) fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if has_ending(word) { self.porter2.stem(word) } else { Cow::Borrowed(word) }
    }
}

/// The last two letters of the endings that do not end in e, i, s or y.
const DOUBLE_ENDINGS: [[u8; 2]; 11] =
    [*b"ed", *b"ng", *b"er", *b"or", *b"al", *b"ul", *b"ll", *b"ic", *b"nt", *b"sm", *b"on"];

/// Whether `word` ends like any suffix, or any exception, of the algorithm: stemming costs as
/// much as all the rest of the analysis, and three words in ten need none.
fn has_ending(word: &str) -> bool {
    word.ends_with(['e', 'i', 's', 'y'])
        || word.as_bytes().last_chunk().is_some_and(|last_two| DOUBLE_ENDINGS.contains(last_two))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_word_without_ending_is_its_own_stem(
            word in "[a-z]{0,6}(tion|eed|succeed|y|ogi|ll|ful|ism|ment|ic|er|ator|d|g|t|m|c|l|n|r)?",
        ) {
            let porter2 = Stemmer::create(Algorithm::English);
            prop_assert_eq!(EnglishStemmer::new().stem(&word), porter2.stem(&word));
        }
    }

    #[test]
    fn endings_go() {
        let stemmer = EnglishStemmer::new();
        for (word, stem) in [
            ("painting", "paint"),
            ("skies", "sky"),
            ("happily", "happili"),
            ("weekend", "weekend"),
            ("hopping", "hop"),
        ] {
            assert_eq!(stemmer.stem(word), stem);
        }
    }
}
