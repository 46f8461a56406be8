//! Text to vector, behind one trait: the built-in encoder, the static table, a model on disk, an endpoint.
//!
//! An embedder knows texts and vectors only. What is embedded and when, and what a likeness is worth to
//! the order, is decided above; [`Calibration`] tells what was measured for this embedder.

mod choice;
mod cut;
mod endpoint;
mod error;
mod file;
mod identity;
mod local;
mod open;
mod options;
mod secret;
#[cfg(test)]
mod tests;

pub use choice::{ChoiceError, EmbedderChoice};
pub use endpoint::{Address, AddressError};
pub use error::{AnswerFault, EmbedError, OpenError};
pub use identity::EmbedderIdentity;
pub use open::open;
pub use options::EmbedOptions;
pub use secret::Secret;

use crate::domain::Calibration;

/// Makes vectors of texts. Calls block.
pub trait Embedder: Send + Sync {
    /// Who made the vectors: those of different identities are never compared.
    fn identity(&self) -> &EmbedderIdentity;

    /// What a likeness of these vectors is worth.
    fn calibration(&self) -> Calibration;

    /// A vector of unit length for each text, in the order of the texts; `None` where a text holds
    /// nothing to embed. All or nothing: one text that fails fails the call.
    ///
    /// # Errors
    /// Only an endpoint can fail. [`EmbedError::is_transient`] tells whether trying later may help.
    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Option<Vec<f32>>>, EmbedError>;

    /// What a call spends its time on.
    fn work(&self) -> Work;

    /// How many texts to hand over at a time. More are taken as well.
    fn batch_size(&self) -> usize;
}

/// What a text is embedded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// An entry is to be found by it: it must succeed some day, and may take its time.
    Entry,
    /// A search waits for it: late is useless.
    Query,
}

/// What a call spends its time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// This machine's processor: to be throttled.
    Processor,
    /// Waiting for the network: to be batched.
    Network,
}
