//! Files of model2vec: an embedding for each piece, and a tokenizer of Hugging Face's library.

use std::collections::HashSet;

use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;

use super::StaticTable;
use super::rows::{Float, Rows};
use crate::error::ModelError;
use crate::vocabulary::{Piece, Vocabulary};

/// The tensor that holds the embeddings.
const EMBEDDINGS: &str = "embeddings";

/// Tensors of a model whose pieces share rows, or give them weights of their own.
const UNSUPPORTED: [&str; 2] = ["mapping", "weights"];

/// The embeddings of a `model.safetensors`.
pub(super) fn rows(file: Vec<u8>) -> Result<Rows, ModelError> {
    let (header, metadata) = SafeTensors::read_metadata(&file)?;
    if UNSUPPORTED.iter().any(|name| metadata.info(name).is_some()) {
        return Err(ModelError::Table("a model2vec model with mapping or weights isn't supported"));
    }
    let wrong = || ModelError::Tensor {
        name: EMBEDDINGS.into(),
        expected: format!(
            "F32, F16 or BF16 of two dimensions, the second from 1 to {}",
            StaticTable::MOST_DIMENSIONS
        ),
    };
    let info = metadata.info(EMBEDDINGS).ok_or_else(wrong)?;
    let kind = match info.dtype {
        Dtype::F32 => Float::Single,
        Dtype::F16 => Float::Binary16,
        Dtype::BF16 => Float::Bfloat16,
        _ => return Err(wrong()),
    };
    let &[count, dimensions] = info.shape.as_slice() else { return Err(wrong()) };
    if !(1..=StaticTable::MOST_DIMENSIONS).contains(&dimensions) {
        return Err(wrong());
    }
    let (start, end) = info.data_offsets;
    // The header's length stands in eight bytes before it.
    let values_at = 8 + header + start;
    let values = file.get(values_at..8 + header + end).ok_or_else(wrong)?;
    let finite = |bytes: &[u8]| match (kind, bytes) {
        (Float::Binary16, &[a, b]) => crate::half::is_finite_binary16([a, b]),
        _ => kind.value(bytes).is_finite(),
    };
    if !values.chunks_exact(kind.size()).all(finite) {
        return Err(ModelError::NotFinite(EMBEDDINGS.into()));
    }
    Ok(Rows::Floats { dimensions, count, kind, file, values_at })
}

/// What kind of tokenizer a `tokenizer.json` is.
#[derive(Deserialize)]
struct Kind {
    model: KindOfModel,
}

#[derive(Deserialize)]
struct KindOfModel {
    #[serde(rename = "type", default)]
    name: String,
}

/// A `tokenizer.json` of type Unigram, as far as it matters.
#[derive(Deserialize)]
struct Tokenizer {
    #[serde(default)]
    added_tokens: Vec<AddedToken>,
    model: Unigram,
}

#[derive(Deserialize)]
struct AddedToken {
    content: String,
    #[serde(default)]
    special: bool,
}

#[derive(Deserialize)]
struct Unigram {
    unk_id: Option<u32>,
    vocab: Vec<(String, f64)>,
}

/// The pieces of a `tokenizer.json`.
pub(super) fn vocabulary(json: &[u8]) -> Result<Vocabulary, ModelError> {
    let Kind { model: KindOfModel { name } } = serde_json::from_slice(json)?;
    if name != "Unigram" {
        return Err(ModelError::TokenizerType(name));
    }
    let Tokenizer { added_tokens, model: Unigram { unk_id, vocab } } =
        serde_json::from_slice(json)?;
    let marks: HashSet<String> =
        added_tokens.into_iter().filter(|token| token.special).map(|token| token.content).collect();
    // Without one, no row is the unknown's, and none is left out.
    let unknown = unk_id.unwrap_or(u32::MAX);
    let pieces: Vec<Piece<'_>> = vocab
        .iter()
        .zip(0..)
        .map(|((text, score), index)| Piece {
            text,
            score: *score,
            in_text: index != unknown
                && !text.is_empty()
                && !text.contains('\0')
                && !marks.contains(text.as_str()),
        })
        .collect();
    Vocabulary::from_pieces(&pieces, unknown)
}
