//! The adapter to adk-rust 2.3: [`MemoryClient`](crate::MemoryClient) as an
//! `adk_memory::MemoryService`, [`BoundMemory`] as an `adk_core::Memory`, and the conversions
//! between adk's types and those of the wire.

mod bound;
mod content;
mod entry;
mod error;
mod json;
mod opaque;
mod parts;
mod service;
mod time;

#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod tests;

pub use bound::BoundMemory;
pub use content::{content_from_wire, content_to_wire};
pub use entry::{entry_from_wire, entry_to_wire};
pub use error::codes;

/// Why an adk value can't be sent, or an entry of the wire can't be shown as adk's.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// adk can express this time, the wire can't.
    #[error("{field}: {value} is outside of the years 1 to 9999")]
    TimeOutOfRange {
        /// The path of the field, such as `entries[2].timestamp`.
        field: String,
        /// The time.
        value: String,
    },
    /// The server sent something that its own contract rules out.
    #[error("{field}: {problem}")]
    InvalidReply {
        /// The path of the field, such as `content.parts[0].function_call.args_json`.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The entry was asked for without its blobs, and adk has no part without its bytes.
    #[error("{field}: the bytes were left out of the reply (omit_blobs)")]
    BlobOmitted {
        /// The path of the field.
        field: String,
    },
}

impl ConversionError {
    fn reply(field: &str, problem: impl Into<String>) -> Self {
        Self::InvalidReply { field: field.to_owned(), problem: problem.into() }
    }
}
