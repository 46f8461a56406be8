//! Models that run here: the built-in encoder, and tables.

use super::cut::cut;
use super::{EmbedError, Embedder, EmbedderIdentity, Purpose, Work};
use crate::domain::Calibration;

/// What is looked at of a text, in bytes. The encoder reads less; a table's mean hardly moves any more.
const TEXT_BYTES: usize = 16 * 1024;

type Encode = dyn Fn(&str) -> Option<Vec<f32>> + Send + Sync;

/// A model in this process.
pub(super) struct Local {
    identity: EmbedderIdentity,
    calibration: Calibration,
    /// A vector of unit length, or `None` for a text in which the model knows nothing.
    encode: Box<Encode>,
}

impl Local {
    pub(super) fn new(
        identity: EmbedderIdentity,
        calibration: Calibration,
        encode: impl Fn(&str) -> Option<Vec<f32>> + Send + Sync + 'static,
    ) -> Self {
        Self { identity, calibration, encode: Box::new(encode) }
    }
}

impl Embedder for Local {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn calibration(&self) -> Calibration {
        self.calibration
    }

    fn embed(
        &self,
        texts: &[&str],
        _purpose: Purpose,
    ) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        Ok(texts.iter().map(|text| (self.encode)(cut(text, TEXT_BYTES))).collect())
    }

    fn work(&self) -> Work {
        Work::Processor
    }

    fn batch_size(&self) -> usize {
        // Texts are embedded one by one: a larger batch would only make others wait for the first.
        1
    }
}
