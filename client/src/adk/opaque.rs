//! Parts of kinds that adk-rust hasn't, such as another language's executable code.
//!
//! Rust sees one as inline data of a reserved media type. Its kind stands in the type's parameter,
//! percent-encoded; its JSON text or its bytes are the data. Sent back, it becomes the same part.

use bytes::Bytes;
use memoryd_proto::v1::Opaque;
use memoryd_proto::v1::opaque::Value as OpaqueValue;

use super::ConversionError;

/// The media type of an opaque part whose value is JSON text.
const JSON_TYPE: &str = "application/vnd.memoryd.opaque+json; kind=";
/// The media type of an opaque part whose value is bytes.
const BYTES_TYPE: &str = "application/vnd.memoryd.opaque; kind=";

/// The media type and the data that stand for an opaque part.
pub(super) fn to_inline_data(
    part: Opaque,
    field: &str,
) -> Result<(String, Vec<u8>), ConversionError> {
    let Opaque { kind, value } = part;
    let encoded = percent_encode(&kind);
    match value {
        Some(OpaqueValue::Json(text)) => Ok((format!("{JSON_TYPE}{encoded}"), text.into_bytes())),
        Some(OpaqueValue::Data(data)) => Ok((format!("{BYTES_TYPE}{encoded}"), data.into())),
        Some(OpaqueValue::Omitted(_)) => {
            Err(ConversionError::BlobOmitted { field: field.to_owned() })
        }
        None => Err(ConversionError::reply(field, "an opaque part without a value")),
    }
}

/// The opaque part that this inline data stands for, or the data back when it stands for itself:
/// when it isn't exactly what [`to_inline_data`] writes.
pub(super) fn from_inline_data(mime_type: &str, data: Vec<u8>) -> Result<Opaque, Vec<u8>> {
    if let Some(kind) = mime_type.strip_prefix(BYTES_TYPE).and_then(percent_decode) {
        return Ok(Opaque { kind, value: Some(OpaqueValue::Data(Bytes::from(data))) });
    }
    let Some(kind) = mime_type.strip_prefix(JSON_TYPE).and_then(percent_decode) else {
        return Err(data);
    };
    if serde_json::from_slice::<serde_json::Value>(&data).is_err() {
        return Err(data);
    }
    let text = String::from_utf8(data).map_err(std::string::FromUtf8Error::into_bytes)?;
    Ok(Opaque { kind, value: Some(OpaqueValue::Json(text)) })
}

/// RFC 3986, section 2: everything but unreserved characters is encoded, in upper case.
fn percent_encode(text: &str) -> String {
    use std::fmt::Write;
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if is_unreserved(byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// The inverse, for exactly what `percent_encode` writes; a kind is never empty.
fn percent_decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => hex_digit(rest.next()?)? * 16 + hex_digit(rest.next()?)?,
            plain => plain,
        });
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.is_empty() && percent_encode(&text) == encoded).then_some(text)
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opaque_part_comes_back_the_same() {
        let json = OpaqueValue::Json("{ \"b\":1e23 ,\"a\":-0.0}".to_owned());
        let data = OpaqueValue::Data(Bytes::from_static(b"\x00\xff{}"));
        for value in [json, data] {
            for kind in ["executable_code", "a b;c=\"d\"", "作業", "%41", "\0"] {
                let part = Opaque { kind: kind.to_owned(), value: Some(value.clone()) };
                let (mime_type, bytes) = to_inline_data(part.clone(), "part").unwrap();
                assert!(mime_type.is_ascii() && mime_type.contains("vnd.memoryd.opaque"));
                assert_eq!(from_inline_data(&mime_type, bytes), Ok(part));
            }
        }
    }

    #[test]
    fn data_that_only_looks_like_an_opaque_part_stays_what_it_is() {
        for (mime_type, data) in [
            ("image/png", "{}"),
            ("application/vnd.memoryd.opaque+json", "{}"),
            ("application/vnd.memoryd.opaque+json; kind=", "{}"),
            ("application/vnd.memoryd.opaque+json; kind=%61", "{}"),
            ("application/vnd.memoryd.opaque+json; kind=a b", "{}"),
            ("application/vnd.memoryd.opaque+json; kind=a", "{"),
            ("application/vnd.memoryd.opaque+json; kind=a", ""),
            ("application/vnd.memoryd.opaque; kind=%FF", "{}"),
            ("application/vnd.memoryd.opaque; kind=%F", "{}"),
        ] {
            let bytes = data.as_bytes().to_vec();
            assert_eq!(from_inline_data(mime_type, bytes.clone()), Err(bytes), "{mime_type}");
        }
    }
}
