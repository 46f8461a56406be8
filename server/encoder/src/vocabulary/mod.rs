//! The pieces that text is cut into before it is turned into a vector.

mod builder;
mod prepare;
mod segment;
#[cfg(test)]
mod tests;
mod trie;

use std::borrow::Cow;

use crate::error::ModelError;
pub use prepare::PrepareError;
pub(crate) use prepare::{Piece, prepare};
use trie::Trie;

/// The double array of the built-in pieces, laid out by the build script.
#[cfg(any(feature = "encoder", feature = "static"))]
const BUILTIN_TRIE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/trie.bin"));
#[cfg(any(feature = "encoder", feature = "static"))]
const BUILTIN_SCORES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/scores.bin"));

/// A unigram vocabulary, as SentencePiece trains it: pieces with the logarithms of their
/// probabilities.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    trie: Cow<'static, [u8]>,
    /// Of every piece, then of an unknown character; 8 bytes each, so that sums are the same as the
    /// reference's to the last bit.
    scores: Cow<'static, [u8]>,
    /// The piece of characters that are in no piece.
    unknown: u32,
}

impl Vocabulary {
    /// The vocabulary of both built-in models: 128,000 pieces, read in place.
    #[cfg(any(feature = "encoder", feature = "static"))]
    pub fn builtin() -> Self {
        Self {
            trie: Cow::Borrowed(BUILTIN_TRIE),
            scores: Cow::Borrowed(BUILTIN_SCORES),
            unknown: 0,
        }
    }

    /// Reads a `vocab.tsv`: a piece, a tab and a score on every line, the line's number from 0
    /// being the piece. The first three are the marks for unknown, start and end.
    ///
    /// # Errors
    /// [`ModelError::Vocabulary`] says which line or piece is wrong.
    pub fn from_tsv(text: &str) -> Result<Self, ModelError> {
        Self::from_pieces(&prepare::parse_tsv(text)?, 0)
    }

    pub(crate) fn from_pieces(pieces: &[Piece<'_>], unknown: u32) -> Result<Self, ModelError> {
        let prepared = prepare(pieces)?;
        Ok(Self { trie: Cow::Owned(prepared.trie), scores: Cow::Owned(prepared.scores), unknown })
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.all_scores().len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The piece that stands for a run of characters that are in no piece.
    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    fn trie(&self) -> Trie<'_> {
        Trie::new(&self.trie)
    }

    fn all_scores(&self) -> &[[u8; 8]] {
        self.scores.as_chunks().0
    }
}
