//! A static table: the vector of a text is the sum of its pieces' vectors.

mod format;
mod model2vec;
mod rows;
mod stop_words;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::error::ModelError;
use crate::normal::marked;
use crate::vocabulary::Vocabulary;
use rows::Rows;

/// Names the built-in table and, by the start of its SHA-256, its rows: vectors of different ids
/// can't be compared.
#[cfg(feature = "static")]
pub const TABLE_ID: &str = "mse-128-int4-439503c4";

#[cfg(feature = "static")]
static TABLE: &[u8] = include_bytes!("../../model/mse-128-int4/table.bin");

/// One vector for each piece of a vocabulary; a text's vector is their sum, at unit length.
pub struct StaticTable {
    vocabulary: Vocabulary,
    rows: Rows,
    /// Whether stop words are left out; a table that already gives them little weight keeps them.
    drops_stop_words: bool,
}

impl StaticTable {
    /// The most values that a row may have.
    pub const MOST_DIMENSIONS: usize = 4096;

    /// The table that is built in, `mse-128-int4`: 128 values, read in place.
    ///
    /// # Errors
    /// None in a binary that was built from the table of this version.
    #[cfg(feature = "static")]
    pub fn builtin() -> Result<Self, ModelError> {
        Self::new(format::read(Cow::Borrowed(TABLE))?, Vocabulary::builtin(), true)
    }

    /// A table and a vocabulary of the built-in one's formats: `table.bin` as `model/recipe.py`
    /// writes it, and [`Vocabulary::from_tsv`].
    ///
    /// # Errors
    /// If one of them is damaged, or they have different numbers of pieces.
    pub fn from_bytes(table: Vec<u8>, vocab_tsv: &str) -> Result<Self, ModelError> {
        Self::new(format::read(Cow::Owned(table))?, Vocabulary::from_tsv(vocab_tsv)?, true)
    }

    /// A model2vec folder's `model.safetensors` and `tokenizer.json`, the tokenizer being unigram.
    /// Its own normalisation is not read: text is brought to NFKC, its case kept, and words start
    /// with U+2581.
    ///
    /// # Errors
    /// If one of them is damaged or of a kind that isn't supported, or they have different numbers
    /// of pieces.
    pub fn from_model2vec(safetensors: Vec<u8>, tokenizer_json: &[u8]) -> Result<Self, ModelError> {
        let rows = model2vec::rows(safetensors)?;
        Self::new(rows, model2vec::vocabulary(tokenizer_json)?, false)
    }

    fn new(rows: Rows, vocabulary: Vocabulary, drops_stop_words: bool) -> Result<Self, ModelError> {
        if rows.count() != vocabulary.len() {
            return Err(ModelError::Mismatch { rows: rows.count(), pieces: vocabulary.len() });
        }
        Ok(Self { vocabulary, rows, drops_stop_words })
    }

    /// Values of a vector.
    pub fn dimensions(&self) -> usize {
        self.rows.dimensions()
    }

    /// The vector of `text`, of unit length, without its stop words unless it has no other. Nothing
    /// if no piece of the text is known. Reads the first [`crate::MOST_CHARACTERS`] characters.
    pub fn encode(&self, text: &str) -> Option<Vec<f32>> {
        let mut text = marked(text);
        if self.drops_stop_words {
            stop_words::drop_stop_words(&mut text);
        }
        let mut vector = vec![0.0; self.dimensions()];
        for piece in self.vocabulary.segment(&text) {
            // Its row says nothing of the text, only that there was something.
            if piece != self.vocabulary.unknown() {
                self.rows.add(piece, &mut vector);
            }
        }
        unit_length(vector)
    }
}

/// `vector` at length 1; none if it has no direction.
fn unit_length(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    // In 64 bits no square of a finite value overflows.
    let square: f64 = vector.iter().map(|&value| f64::from(value) * f64::from(value)).sum();
    let length = square.sqrt();
    if !(length.is_finite() && length > 0.0) {
        return None;
    }
    for value in &mut vector {
        *value = (f64::from(*value) / length) as f32;
    }
    Some(vector)
}
