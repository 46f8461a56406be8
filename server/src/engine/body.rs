//! The form of an entry's body: metadata and text in front, blobs behind, so that what loading and
//! filtering need can be read without the rest.

use bytes::Bytes;
use prost::Message;

use super::record::{RecordError, StoredBody};
use crate::domain::{Content, EntryBody};

#[derive(Clone, PartialEq, Message)]
struct BodyMessage {
    #[prost(string, optional, tag = "1")]
    metadata_json: Option<String>,
    /// The searchable text of a chunked body, when it is too long for the head.
    #[prost(string, optional, tag = "2")]
    text: Option<String>,
    /// Last, so that what is needed without it can be read without it.
    #[prost(bytes = "bytes", tag = "3")]
    content: Bytes,
}

/// The bytes that the body of a small entry is kept as.
pub(crate) fn encode_inline(content: &Content, metadata_json: Option<&str>) -> Bytes {
    BodyMessage {
        metadata_json: metadata_json.map(str::to_owned),
        text: None,
        content: content.encoded().clone(),
    }
    .encode_to_vec()
    .into()
}

/// The bytes that the body of a large entry is kept as, and how far its front goes: metadata, and the
/// searchable text unless the head has it.
pub(crate) fn encode_chunked(content: &Content, metadata_json: Option<&str>) -> (Bytes, u64) {
    let text = content.text();
    let mut body = BodyMessage {
        metadata_json: metadata_json.map(str::to_owned),
        text: StoredBody::head_text(text).is_none().then(|| text.to_owned()),
        content: Bytes::new(),
    };
    let front_bytes = body.encoded_len() as u64;
    body.content = content.encoded().clone();
    (body.encode_to_vec().into(), front_bytes)
}

/// The body that bytes were kept for.
pub(crate) fn decode_body(bytes: Bytes) -> Result<EntryBody, RecordError> {
    let BodyMessage { metadata_json, text: _, content } =
        BodyMessage::decode(bytes).map_err(RecordError::of)?;
    Ok(EntryBody { content, metadata_json })
}

/// Metadata and text of the front of a chunked body.
pub(crate) fn decode_front(bytes: Bytes) -> Result<(Option<String>, Option<String>), RecordError> {
    let BodyMessage { metadata_json, text, content: _ } =
        BodyMessage::decode(bytes).map_err(RecordError::of)?;
    Ok((metadata_json, text))
}

/// What is searched of a body.
pub(crate) fn body_text(body: &EntryBody) -> Result<String, RecordError> {
    let content = Content::decode(body.content.clone()).map_err(RecordError::of)?;
    Ok(Content::searchable_text(&content))
}
