//! What is asked.

use super::asking::asks_for_anything;
use crate::domain::Calibration;
use crate::recall::analysis::Query;
use crate::recall::constants::{FEW_WORDS, FEW_WORDS_SETTLE, WORDS_SETTLE};
use crate::recall::vector::QueryVector;

/// A question as ranking takes it.
pub struct Question<'a> {
    /// Its words, date words included.
    pub words: Query,
    /// When it names days.
    pub dated: Option<Dated<'a>>,
    /// What it means; without it, ranking is by words.
    pub meaning: Option<Meaning>,
    /// Which of both decide.
    pub mode: Mode,
}

impl Question<'_> {
    /// A question of words only.
    pub fn of_words(words: Query) -> Self {
        Self { words, dated: None, meaning: None, mode: Mode::Hybrid }
    }

    /// Whether words settle the question, given [`Ranking::best_by_words`](super::Ranking): what it
    /// means would change nothing worth the encoder's time.
    pub fn is_settled_by(&self, best_by_words: f64) -> bool {
        // Nothing but a time is asked for: "what happened" means nothing that an entry could mean.
        if self.dated.as_ref().is_some_and(|dated| asks_for_anything(&dated.rest)) {
            return true;
        }
        let few = self.words.terms().len() <= FEW_WORDS;
        best_by_words >= if few { FEW_WORDS_SETTLE } else { WORDS_SETTLE }
    }
}

/// The days that a question names.
pub struct Dated<'a> {
    /// The question without its date words.
    pub rest: Query,
    /// How well a day agrees, in days since 1970-01-01 UTC: 1 fully, 0 not at all.
    pub agreement: &'a dyn Fn(i32) -> f64,
}

/// What a question means.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// Of the same embedder as the entries' vectors.
    pub vector: QueryVector,
    /// What this embedder's likeness is worth.
    pub calibration: Calibration,
}

/// Which evidence decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Words, and meaning if there is any.
    #[default]
    Hybrid,
    /// Words only.
    Lexical,
    /// Meaning only; without any, nothing is found.
    Semantic,
}
