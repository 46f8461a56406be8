//! A part of every kind.

use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;

pub(crate) fn part(kind: Kind) -> Part {
    Part { kind: Some(kind), extra_json: None }
}

pub(crate) fn text(text: &str) -> Part {
    part(Kind::Text(text.into()))
}

pub(crate) fn inline(data: Vec<u8>) -> InlineData {
    InlineData { mime_type: "image/png".into(), data: data.into(), ..InlineData::default() }
}

/// An entry of these parts.
pub(crate) fn of_parts(parts: Vec<Part>) -> NewEntry {
    let content = Some(Content { role: "model".into(), parts });
    NewEntry { content, ..super::said("") }
}

/// Every kind of part, with every optional field set to `optional`, every JSON text to `json`, and every
/// blob to `blob`.
pub(crate) fn every_kind(optional: Option<&str>, json: &str, blob: &[u8]) -> Vec<Part> {
    let text = || optional.map(str::to_owned);
    let annotations_json = optional.map(|_| json.to_owned());
    let inline = || InlineData {
        uri: text(),
        annotations_json: annotations_json.clone(),
        ..inline(blob.to_vec())
    };
    let file = || FileData {
        mime_type: String::new(),
        file_uri: "gs://bucket/file".into(),
        annotations_json: annotations_json.clone(),
    };
    let resource = |contents| EmbeddedResource {
        uri: "file:///notes.md".into(),
        mime_type: text(),
        contents: Some(contents),
    };
    let opaque = |value| Opaque { kind: "executable_code".into(), value: Some(value) };
    let kinds = vec![
        Kind::Text("said".into()),
        Kind::Thinking(Thinking { thinking: "thought".into(), signature: text() }),
        Kind::InlineData(inline()),
        Kind::FileData(file()),
        Kind::FunctionCall(FunctionCall {
            name: "call".into(),
            args_json: json.into(),
            id: text(),
            thought_signature: text(),
        }),
        Kind::FunctionResponse(FunctionResponse {
            name: "response".into(),
            response_json: json.into(),
            inline_data: vec![inline(), inline()],
            file_data: vec![file()],
            id: text(),
            annotations_json: annotations_json.clone(),
        }),
        Kind::ServerToolCall(ServerToolCall { call_json: json.into() }),
        Kind::ServerToolResponse(ServerToolResponse { response_json: json.into() }),
        Kind::EmbeddedResource(resource(embedded_resource::Contents::Text("inside".into()))),
        Kind::EmbeddedResource(resource(embedded_resource::Contents::Blob(blob.to_vec().into()))),
        Kind::Opaque(opaque(opaque::Value::Json(json.into()))),
        Kind::Opaque(opaque(opaque::Value::Data(blob.to_vec().into()))),
    ];
    kinds.into_iter().map(part).collect()
}
