//! What an entry says. Its canonical form is the encoded `memoryd.v1.Content`: lossless for every kind
//! of part, the same bytes for the same content, and readable by every later version.

use bytes::Bytes;
use memoryd_proto::v1 as pb;
use pb::embedded_resource::Contents;
use pb::part::Kind;
use prost::Message;

use super::json::{check_json, check_json_object};
use super::limits::Limits;
use super::violation::Violations;

/// Content that has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    encoded: Bytes,
    text: String,
}

/// Bytes that are no content, where content was stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("stored content can't be decoded")]
pub struct ContentError;

impl Content {
    /// Checks a content of the wire, noting every mistake under `path`.
    pub fn check(wire: pb::Content, path: &str, violations: &mut Violations) -> Self {
        let pb::Content { role, parts } = &wire;
        if role.len() > Limits::AUTHOR_BYTES {
            violations.add(
                format!("{path}.role"),
                format!("must be at most {} bytes long, is {}", Limits::AUTHOR_BYTES, role.len()),
            );
        }
        if parts.len() > Limits::PARTS {
            violations.add(
                format!("{path}.parts"),
                format!("must hold at most {}, holds {}", Limits::PARTS, parts.len()),
            );
        }
        for (position, part) in parts.iter().take(Limits::PARTS).enumerate() {
            check_part(part, &format!("{path}.parts[{position}]"), violations);
        }
        Self { text: Self::searchable_text(&wire), encoded: wire.encode_to_vec().into() }
    }

    /// The canonical bytes.
    pub fn encoded(&self) -> &Bytes {
        &self.encoded
    }

    /// What is searched of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The content that canonical bytes stand for.
    ///
    /// # Errors
    ///
    /// When the bytes are no `memoryd.v1.Content`.
    pub fn decode(encoded: Bytes) -> Result<pb::Content, ContentError> {
        pb::Content::decode(encoded).map_err(|_| ContentError)
    }

    /// How many bytes of encoded content go when blobs are left out: their bytes, less what then stands in
    /// for them.
    pub fn omittable_bytes(encoded: &Bytes) -> usize {
        // What takes the place of a blob: its size and digest, with tags and lengths.
        const STAND_IN_BYTES: usize = 48;
        let Ok(content) = Self::decode(encoded.clone()) else { return 0 };
        let inline = |data: &pb::InlineData| data.data.len().saturating_sub(STAND_IN_BYTES);
        let of_part = |part: &pb::Part| match &part.kind {
            Some(Kind::InlineData(data)) => inline(data),
            Some(Kind::FunctionResponse(response)) => response.inline_data.iter().map(inline).sum(),
            Some(Kind::EmbeddedResource(pb::EmbeddedResource {
                contents: Some(Contents::Blob(blob)),
                ..
            }))
            | Some(Kind::Opaque(pb::Opaque {
                value: Some(pb::opaque::Value::Data(blob)), ..
            })) => blob.len().saturating_sub(STAND_IN_BYTES),
            _ => 0,
        };
        content.parts.iter().map(of_part).sum()
    }

    /// What is searched of a content: its text parts, the text of embedded resources, and the file
    /// names in its URIs, a line each.
    pub fn searchable_text(content: &pb::Content) -> String {
        let mut text = String::new();
        for part in &content.parts {
            match &part.kind {
                Some(Kind::Text(words)) => push_line(&mut text, words),
                Some(Kind::InlineData(data)) => {
                    push_line(&mut text, data.uri.as_deref().map_or("", file_name));
                }
                Some(Kind::FileData(file)) => push_line(&mut text, file_name(&file.file_uri)),
                Some(Kind::EmbeddedResource(resource)) => {
                    if let Some(Contents::Text(words)) = &resource.contents {
                        push_line(&mut text, words);
                    }
                    push_line(&mut text, file_name(&resource.uri));
                }
                Some(
                    Kind::Thinking(_)
                    | Kind::FunctionCall(_)
                    | Kind::FunctionResponse(_)
                    | Kind::ServerToolCall(_)
                    | Kind::ServerToolResponse(_)
                    | Kind::Opaque(_),
                )
                | None => {}
            }
        }
        text
    }
}

fn push_line(text: &mut String, line: &str) {
    if line.is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

/// The last segment of a URI's path, without query and fragment.
fn file_name(uri: &str) -> &str {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let after_scheme = path.split_once("://").map_or(path, |(_, rest)| rest);
    match after_scheme.rsplit_once('/') {
        Some((_, name)) => name,
        // "scheme://host" names no file; a bare "report.pdf" does.
        None if path.contains("://") => "",
        None => after_scheme,
    }
}

fn check_part(part: &pb::Part, path: &str, violations: &mut Violations) {
    let pb::Part { kind, extra_json } = part;
    if let Some(text) = extra_json {
        violations.check(&format!("{path}.extra_json"), check_json_object(text));
    }
    match kind {
        None => violations.add(path, "must have a kind, such as text"),
        Some(Kind::Text(_) | Kind::Thinking(_)) => {}
        Some(Kind::InlineData(data)) => {
            check_inline_data(data, &format!("{path}.inline_data"), violations);
        }
        Some(Kind::FileData(file)) => {
            check_file_data(file, &format!("{path}.file_data"), violations);
        }
        Some(Kind::FunctionCall(call)) => {
            let pb::FunctionCall { name: _, args_json, id: _, thought_signature: _ } = call;
            violations.check(&format!("{path}.function_call.args_json"), check_json(args_json));
        }
        Some(Kind::FunctionResponse(response)) => {
            check_function_response(response, &format!("{path}.function_response"), violations);
        }
        Some(Kind::ServerToolCall(pb::ServerToolCall { call_json })) => {
            violations.check(&format!("{path}.server_tool_call.call_json"), check_json(call_json));
        }
        Some(Kind::ServerToolResponse(pb::ServerToolResponse { response_json })) => {
            violations.check(
                &format!("{path}.server_tool_response.response_json"),
                check_json(response_json),
            );
        }
        Some(Kind::EmbeddedResource(resource)) => {
            check_resource(resource, &format!("{path}.embedded_resource"), violations);
        }
        Some(Kind::Opaque(opaque)) => check_opaque(opaque, &format!("{path}.opaque"), violations),
    }
}

fn check_function_response(response: &pb::FunctionResponse, path: &str, found: &mut Violations) {
    let pb::FunctionResponse {
        name: _,
        response_json,
        inline_data,
        file_data,
        id: _,
        annotations_json,
    } = response;
    found.check(&format!("{path}.response_json"), check_json(response_json));
    check_optional_json(annotations_json.as_deref(), path, found);
    for (position, data) in inline_data.iter().enumerate() {
        check_inline_data(data, &format!("{path}.inline_data[{position}]"), found);
    }
    for (position, file) in file_data.iter().enumerate() {
        check_file_data(file, &format!("{path}.file_data[{position}]"), found);
    }
}

fn check_inline_data(data: &pb::InlineData, path: &str, found: &mut Violations) {
    let pb::InlineData { mime_type: _, data: blob, uri: _, annotations_json, omitted } = data;
    check_blob(blob, &format!("{path}.data"), found);
    check_optional_json(annotations_json.as_deref(), path, found);
    if omitted.is_some() {
        found.add(format!("{path}.omitted"), OMITTED_IN_REQUEST);
    }
}

fn check_file_data(file: &pb::FileData, path: &str, found: &mut Violations) {
    let pb::FileData { mime_type: _, file_uri: _, annotations_json } = file;
    check_optional_json(annotations_json.as_deref(), path, found);
}

fn check_resource(resource: &pb::EmbeddedResource, path: &str, found: &mut Violations) {
    let pb::EmbeddedResource { uri: _, mime_type: _, contents } = resource;
    match contents {
        None => found.add(path, "must have contents: text or blob"),
        Some(Contents::Text(_)) => {}
        Some(Contents::Blob(blob)) => check_blob(blob, &format!("{path}.blob"), found),
        Some(Contents::Omitted(_)) => found.add(format!("{path}.omitted"), OMITTED_IN_REQUEST),
    }
}

fn check_opaque(opaque: &pb::Opaque, path: &str, found: &mut Violations) {
    let pb::Opaque { kind, value } = opaque;
    if kind.is_empty() || kind.len() > Limits::NAME_BYTES {
        found.add(
            format!("{path}.kind"),
            format!("must be 1 to {} bytes long, is {}", Limits::NAME_BYTES, kind.len()),
        );
    }
    match value {
        None => found.add(path, "must have a value: json or data"),
        Some(pb::opaque::Value::Json(text)) => {
            found.check(&format!("{path}.json"), check_json(text));
        }
        Some(pb::opaque::Value::Data(blob)) => check_blob(blob, &format!("{path}.data"), found),
        Some(pb::opaque::Value::Omitted(_)) => {
            found.add(format!("{path}.omitted"), OMITTED_IN_REQUEST);
        }
    }
}

const OMITTED_IN_REQUEST: &str =
    "stands in replies for bytes that were left out; send the bytes themselves";

fn check_optional_json(text: Option<&str>, path: &str, found: &mut Violations) {
    if let Some(text) = text {
        found.check(&format!("{path}.annotations_json"), check_json(text));
    }
}

fn check_blob(blob: &[u8], path: &str, found: &mut Violations) {
    if blob.len() > Limits::BLOB_BYTES {
        found.add(
            path,
            format!("must be at most {} bytes long, is {}", Limits::BLOB_BYTES, blob.len()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s3_file_names_are_what_is_searched_of_a_uri() {
        for (uri, name) in [
            ("gs://bucket/reports/q3.pdf?x=1#p2", "q3.pdf"),
            ("https://example.com", ""),
            ("notes.txt", "notes.txt"),
            ("file:///a/b/", ""),
            ("", ""),
        ] {
            assert_eq!(file_name(uri), name, "{uri}");
        }
    }

    #[test]
    fn s8_every_bad_field_is_named_with_its_path() {
        let mut found = Violations::default();
        let part = |kind| pb::Part { kind, extra_json: None };
        let call = pb::FunctionCall { args_json: "{".into(), ..Default::default() };
        let blob =
            pb::InlineData { data: vec![0; Limits::BLOB_BYTES + 1].into(), ..Default::default() };
        let content = pb::Content {
            role: "r".repeat(257),
            parts: vec![
                part(None),
                part(Some(Kind::FunctionCall(call))),
                part(Some(Kind::InlineData(blob))),
                pb::Part { kind: Some(Kind::Text("x".into())), extra_json: Some("[]".into()) },
            ],
        };
        Content::check(content, "content", &mut found);
        let fields: Vec<_> = found.iter().map(|violation| violation.field.as_str()).collect();
        assert_eq!(
            fields,
            [
                "content.role",
                "content.parts[0]",
                "content.parts[1].function_call.args_json",
                "content.parts[2].inline_data.data",
                "content.parts[3].extra_json"
            ]
        );
    }
}
