//! JSON texts, checked once and never printed again.

use serde_json::Value;

/// Why a text is not JSON that every client can read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// It doesn't parse.
    #[error("must be JSON text: {0}")]
    Invalid(String),
    /// It parses, but an object was asked for.
    #[error("must be a JSON object")]
    NotAnObject,
    /// It is longer than allowed.
    #[error("must be at most {limit} bytes long, is {actual}")]
    TooLong {
        /// The longest allowed, in bytes.
        limit: usize,
        /// The length found, in bytes.
        actual: usize,
    },
}

/// Checks that a text is one JSON value which a client can parse: nested at most 127 levels, numbers
/// within the range of a double.
///
/// # Errors
///
/// [`JsonError::Invalid`], with the place of the mistake.
pub fn check_json(text: &str) -> Result<Value, JsonError> {
    // The value is built and dropped: skipping over it would let pass what a client can't parse.
    serde_json::from_str(text).map_err(|error| JsonError::Invalid(error.to_string()))
}

/// Checks that a text is a JSON object.
///
/// # Errors
///
/// As [`check_json`], and [`JsonError::NotAnObject`].
pub fn check_json_object(text: &str) -> Result<(), JsonError> {
    if check_json(text)?.is_object() { Ok(()) } else { Err(JsonError::NotAnObject) }
}
