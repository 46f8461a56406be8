//! Why a model can't be used.

use crate::vocabulary::PrepareError;

/// What is wrong with the files of a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A safetensors file whose header or offsets are wrong.
    #[error("the weights are no safetensors file: {0}")]
    Safetensors(#[from] safetensors::SafeTensorError),
    /// A tensor is missing, or of another type or shape.
    #[error("tensor {name} is missing or not {expected}")]
    Tensor {
        /// Name of the tensor.
        name: String,
        /// Type and shape it should have.
        expected: String,
    },
    /// A scale or another weight is infinite or not a number.
    #[error("{0} holds a value that is not finite")]
    NotFinite(String),
    /// A static table that isn't laid out as its header says.
    #[error("the static table is damaged: {0}")]
    Table(&'static str),
    /// Table and vocabulary belong to different models.
    #[error("the table has {rows} rows, the vocabulary {pieces} pieces")]
    Mismatch {
        /// Rows of the table.
        rows: usize,
        /// Pieces of the vocabulary.
        pieces: usize,
    },
    /// A vocabulary that can't be prepared for segmentation.
    #[error("the vocabulary can't be used: {0}")]
    Vocabulary(#[from] PrepareError),
    /// A tokenizer file that isn't JSON of the expected form.
    #[error("the tokenizer can't be read: {0}")]
    Tokenizer(#[from] serde_json::Error),
    /// A tokenizer of another kind than unigram.
    #[error("tokenizers of type {0} are not supported, only Unigram")]
    TokenizerType(String),
}
