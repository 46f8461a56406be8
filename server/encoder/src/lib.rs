//! Text to vector, with two models built in: texts of the same meaning get vectors that point the
//! same way, in any of 16 languages (Arabic, Chinese in both scripts, Dutch, English, French,
//! German, Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai, Turkish). No
//! network, no files beside the binary.
//!
//! - [`Encoder`]: a sentence encoder, 256 values, below a millisecond for a question.
//! - [`StaticTable`]: a sum of one vector for each piece of the text, some microseconds; also from
//!   files.
//!
//! Likeness of two texts is the dot product of their vectors, which have unit length. The models
//! are Google's *universal-sentence-encoder-multilingual* v3 (Apache-2.0) in reduced form; see
//! `model/`.

#[cfg(feature = "encoder")]
mod encoder;
mod error;
mod half;
mod normal;
mod static_table;
mod vocabulary;

#[cfg(feature = "encoder")]
pub use encoder::{DIMENSIONS, ENCODER_ID, Encoder, MOST_PIECES, Scratch};
pub use error::ModelError;
pub use normal::MOST_CHARACTERS;
pub use static_table::StaticTable;
#[cfg(feature = "static")]
pub use static_table::TABLE_ID;
pub use vocabulary::{PrepareError, Vocabulary};
