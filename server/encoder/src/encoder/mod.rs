//! The sentence encoder `use-m3-int4`: a convolutional network over the pieces of a text.
//!
//! The specification is `model/use-m3-int4/encoder_reference.py`. Differences: activations are
//! rounded to 14 bits before they meet a matrix, so that the products are sums of integers (see
//! [`product`]), and floating-point sums have a fixed order. A text has the same vector, to the
//! last bit, on every machine.

mod activations;
mod convolution;
mod forward;
mod head;
mod norm;
mod product;
mod scratch;
mod tanh;
#[cfg(test)]
mod tests;
mod weights;

use crate::error::ModelError;
use crate::normal::marked;
use crate::vocabulary::Vocabulary;
pub use scratch::Scratch;
use weights::Weights;

/// Names the model and, by the start of its SHA-256, its weights: vectors of different ids can't be
/// compared.
pub const ENCODER_ID: &str = "use-m3-int4-0d1d9462";

/// Values of a vector.
pub const DIMENSIONS: usize = 256;

/// How many pieces of a text are read, the marks for start and end included: some 400 English
/// words.
///
/// The work is in proportion to them. Measured on 45 records of conversations with 800 pieces and
/// more: the vector of the first 512 pieces has a cosine of .87 (median) to that of the first
/// 1,024, and was nearest to its own record's 45 times; with 256 pieces it is .74 and 39 times.
/// Whoever has longer texts should embed parts of them.
pub const MOST_PIECES: usize = 512;

/// The marks that the network was trained to see around a text.
const START: u32 = 1;
const END: u32 = 2;

static WEIGHTS: &[u8] = include_bytes!("../../model/use-m3-int4/encoder.safetensors");

/// The built-in sentence encoder; its weights stay where the binary was loaded.
pub struct Encoder {
    vocabulary: Vocabulary,
    weights: Weights,
}

impl Encoder {
    /// The encoder whose weights are built in.
    ///
    /// # Errors
    /// None in a binary that was built from the weights of this version.
    pub fn builtin() -> Result<Self, ModelError> {
        Self::new(WEIGHTS, Vocabulary::builtin())
    }

    fn new(weights: &'static [u8], vocabulary: Vocabulary) -> Result<Self, ModelError> {
        let weights = Weights::read(weights)?;
        if weights.pieces() != vocabulary.len() {
            return Err(ModelError::Mismatch { rows: weights.pieces(), pieces: vocabulary.len() });
        }
        Ok(Self { vocabulary, weights })
    }

    /// The vector of `text`: [`DIMENSIONS`] values, unit length. Nothing if the text holds only
    /// space.
    ///
    /// Reads the first [`MOST_PIECES`] pieces of the first [`crate::MOST_CHARACTERS`] characters.
    pub fn encode(&self, text: &str) -> Option<Vec<f32>> {
        self.encode_with(&mut Scratch::default(), text)
    }

    /// As [`Self::encode`], in memory that is used again.
    pub fn encode_with(&self, scratch: &mut Scratch, text: &str) -> Option<Vec<f32>> {
        self.forward(scratch, &self.pieces(text))
    }

    /// The pieces of `text` between the marks for start and end; none if the text holds only space.
    pub fn pieces(&self, text: &str) -> Vec<u32> {
        let text = marked(text);
        if text.is_empty() {
            return Vec::new();
        }
        let mut pieces = vec![START];
        pieces.extend(self.vocabulary.segment(&text));
        pieces.truncate(MOST_PIECES - 1);
        pieces.push(END);
        pieces
    }

    fn forward(&self, scratch: &mut Scratch, pieces: &[u32]) -> Option<Vec<f32>> {
        if pieces.is_empty() {
            return None;
        }
        scratch.resize(pieces.len());
        self.weights.look_up(pieces, scratch);
        self.weights.project(scratch);
        for (branch, convolution) in self.weights.convolutions.iter().enumerate() {
            convolution.apply(branch, scratch);
        }
        let pooled = self.weights.pool(scratch);
        self.weights.head.output(&pooled)
    }
}
