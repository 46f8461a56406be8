//! JSON texts, checked once and never printed again.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
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
/// within the range of a double. Builds nothing.
///
/// # Errors
///
/// [`JsonError::Invalid`], with the place of the mistake.
pub fn check_json(text: &str) -> Result<(), JsonError> {
    serde_json::from_str::<Checked>(text).map(|_| ()).map_err(JsonError::of)
}

/// Checks that a text is a JSON object.
///
/// # Errors
///
/// As [`check_json`], and [`JsonError::NotAnObject`].
pub fn check_json_object(text: &str) -> Result<(), JsonError> {
    match serde_json::from_str::<Checked>(text).map_err(JsonError::of)? {
        Checked::Object => Ok(()),
        Checked::Other => Err(JsonError::NotAnObject),
    }
}

/// The value of a text.
///
/// # Errors
///
/// As [`check_json`].
pub fn parse_json(text: &str) -> Result<Value, JsonError> {
    serde_json::from_str(text).map_err(JsonError::of)
}

impl JsonError {
    fn of(error: serde_json::Error) -> Self {
        Self::Invalid(error.to_string())
    }
}

/// A value that was read and dropped: skipping over it, as serde's own `IgnoredAny` does, would let pass
/// numbers and nesting that a client can't parse.
enum Checked {
    Object,
    Other,
}

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CheckedVisitor)
    }
}

struct CheckedVisitor;

impl<'de> Visitor<'de> for CheckedVisitor {
    type Value = Checked;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Checked, E> {
        Ok(Checked::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Checked, E> {
        Ok(Checked::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Checked, E> {
        Ok(Checked::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Checked, E> {
        Ok(Checked::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Checked, E> {
        Ok(Checked::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Checked, E> {
        Ok(Checked::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Checked, A::Error> {
        while items.next_element::<Checked>()?.is_some() {}
        Ok(Checked::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Checked, A::Error> {
        while members.next_entry::<Checked, Checked>()?.is_some() {}
        Ok(Checked::Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_what_parses() {
        let nested = |levels| "[".repeat(levels) + &"]".repeat(levels);
        for text in [
            "null",
            "1",
            "-0.0",
            "1e23",
            "1e999",
            "18446744073709551615",
            "\"\\ud800\"",
            "\"\u{0}\"",
            "{\"a\":1,\"a\":2}",
            "[1,]",
            "{",
            "",
            " 1 ",
            "1 2",
            "NaN",
            "\"x\"",
            "{1:2}",
            &nested(127),
            &nested(128),
            &nested(50_000),
        ] {
            let short = &text[..text.len().min(40)];
            assert_eq!(check_json(text).is_ok(), parse_json(text).is_ok(), "{short}");
        }
    }

    #[test]
    fn only_an_object_is_an_object() {
        assert_eq!(check_json_object("{}"), Ok(()));
        assert_eq!(check_json_object("[{}]"), Err(JsonError::NotAnObject));
        assert!(matches!(check_json_object("{"), Err(JsonError::Invalid(_))));
    }
}
