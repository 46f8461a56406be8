//! JSON values, which travel as text.
//!
//! serde_json is built with `float_roundtrip`: without it, reading a double back changes about one
//! in ten by a bit.

use serde_json::Value;

use super::ConversionError;

/// `Value`'s own printing: numbers come back as they were, -0.0 and 5.0 included.
pub(super) fn to_text(value: &Value) -> String {
    value.to_string()
}

pub(super) fn to_text_if(value: Option<&Value>) -> Option<String> {
    value.map(to_text)
}

pub(super) fn from_text(text: &str, field: &str) -> Result<Value, ConversionError> {
    serde_json::from_str(text).map_err(|error| {
        // serde_json's text tells the place in the value, never the value.
        ConversionError::reply(field, format!("no JSON: {error}"))
    })
}

pub(super) fn from_text_if(
    text: Option<&String>,
    field: &str,
) -> Result<Option<Value>, ConversionError> {
    text.map(|text| from_text(text, field)).transpose()
}
