//! Messages and their parts: adk's and the wire's, both ways without loss.

use adk_core::{Content, FileDataPart, FunctionResponseData, InlineDataPart, Part};
use memoryd_proto::v1;
use memoryd_proto::v1::part::Kind;

use super::parts::{
    file_data_from_wire, file_data_to_wire, inline_data_from_wire, inline_data_to_wire,
    resource_from_wire, resource_to_wire,
};
use super::{ConversionError, json, opaque};

/// A message of adk as the wire has it. Inline data of memoryd's reserved media type becomes the
/// opaque part that it was made of.
#[must_use]
pub fn content_to_wire(content: Content) -> v1::Content {
    let Content { role, parts } = content;
    v1::Content { role, parts: parts.into_iter().map(part_to_wire).collect() }
}

/// A message of the wire as adk has it. `field` names it in errors. What another language keeps
/// beside a part (`extra_json`) isn't visible here.
///
/// # Errors
///
/// [`ConversionError::BlobOmitted`] when the reply left bytes out;
/// [`ConversionError::InvalidReply`] for what the server should never send.
pub fn content_from_wire(content: v1::Content, field: &str) -> Result<Content, ConversionError> {
    let v1::Content { role, parts } = content;
    let parts = parts.into_iter().enumerate().map(|(index, part)| {
        let path = format!("{field}.parts[{index}]");
        part_from_wire(part, &path)
    });
    Ok(Content { role, parts: parts.collect::<Result<_, _>>()? })
}

fn part_to_wire(part: Part) -> v1::Part {
    v1::Part { kind: Some(kind_to_wire(part)), extra_json: None }
}

fn kind_to_wire(part: Part) -> Kind {
    match part {
        Part::Thinking { thinking, signature } => {
            Kind::Thinking(v1::Thinking { thinking, signature })
        }
        Part::Text { text } => Kind::Text(text),
        Part::InlineData { mime_type, data, uri: None, annotations: None } => {
            match opaque::from_inline_data(&mime_type, data) {
                Ok(part) => Kind::Opaque(part),
                Err(data) => plain_inline_data(mime_type, data, None, None),
            }
        }
        Part::InlineData { mime_type, data, uri, annotations } => {
            plain_inline_data(mime_type, data, uri, annotations)
        }
        Part::FileData { mime_type, file_uri, annotations } => {
            Kind::FileData(file_data_to_wire(FileDataPart { mime_type, file_uri, annotations }))
        }
        Part::FunctionCall { name, args, id, thought_signature } => {
            let args_json = json::to_text(&args);
            Kind::FunctionCall(v1::FunctionCall { name, args_json, id, thought_signature })
        }
        Part::FunctionResponse { function_response, id, annotations } => {
            let FunctionResponseData { name, response, inline_data, file_data } = function_response;
            Kind::FunctionResponse(v1::FunctionResponse {
                name,
                response_json: json::to_text(&response),
                inline_data: inline_data.into_iter().map(inline_data_to_wire).collect(),
                file_data: file_data.into_iter().map(file_data_to_wire).collect(),
                id,
                annotations_json: json::to_text_if(annotations.as_ref()),
            })
        }
        Part::ServerToolCall { server_tool_call } => {
            let call_json = json::to_text(&server_tool_call);
            Kind::ServerToolCall(v1::ServerToolCall { call_json })
        }
        Part::ServerToolResponse { server_tool_response } => {
            let response_json = json::to_text(&server_tool_response);
            Kind::ServerToolResponse(v1::ServerToolResponse { response_json })
        }
        Part::EmbeddedResource { resource } => Kind::EmbeddedResource(resource_to_wire(resource)),
    }
}

fn plain_inline_data(
    mime_type: String,
    data: Vec<u8>,
    uri: Option<String>,
    annotations: Option<serde_json::Value>,
) -> Kind {
    let data = InlineDataPart { mime_type, data, uri, annotations };
    Kind::InlineData(inline_data_to_wire(data))
}

fn part_from_wire(part: v1::Part, field: &str) -> Result<Part, ConversionError> {
    let v1::Part { kind, extra_json: _another_languages } = part;
    let kind = kind.ok_or_else(|| ConversionError::reply(field, "a part without a kind"))?;
    Ok(match kind {
        Kind::Thinking(v1::Thinking { thinking, signature }) => {
            Part::Thinking { thinking, signature }
        }
        Kind::Text(text) => Part::Text { text },
        Kind::InlineData(data) => {
            let InlineDataPart { mime_type, data, uri, annotations } =
                inline_data_from_wire(data, &format!("{field}.inline_data"))?;
            Part::InlineData { mime_type, data, uri, annotations }
        }
        Kind::FileData(file) => {
            let FileDataPart { mime_type, file_uri, annotations } =
                file_data_from_wire(file, &format!("{field}.file_data"))?;
            Part::FileData { mime_type, file_uri, annotations }
        }
        Kind::FunctionCall(call) => {
            let v1::FunctionCall { name, args_json, id, thought_signature } = call;
            let args = json::from_text(&args_json, &format!("{field}.function_call.args_json"))?;
            Part::FunctionCall { name, args, id, thought_signature }
        }
        Kind::FunctionResponse(response) => {
            function_response_from_wire(response, &format!("{field}.function_response"))?
        }
        Kind::ServerToolCall(v1::ServerToolCall { call_json }) => {
            let path = format!("{field}.server_tool_call.call_json");
            Part::ServerToolCall { server_tool_call: json::from_text(&call_json, &path)? }
        }
        Kind::ServerToolResponse(v1::ServerToolResponse { response_json }) => {
            let path = format!("{field}.server_tool_response.response_json");
            let server_tool_response = json::from_text(&response_json, &path)?;
            Part::ServerToolResponse { server_tool_response }
        }
        Kind::EmbeddedResource(resource) => {
            let path = format!("{field}.embedded_resource");
            Part::EmbeddedResource { resource: resource_from_wire(resource, &path)? }
        }
        Kind::Opaque(part) => {
            let (mime_type, data) = opaque::to_inline_data(part, &format!("{field}.opaque"))?;
            Part::InlineData { mime_type, data, uri: None, annotations: None }
        }
    })
}

fn function_response_from_wire(
    response: v1::FunctionResponse,
    field: &str,
) -> Result<Part, ConversionError> {
    let v1::FunctionResponse { name, response_json, inline_data, file_data, id, annotations_json } =
        response;
    let inline_data = inline_data
        .into_iter()
        .enumerate()
        .map(|(index, data)| inline_data_from_wire(data, &format!("{field}.inline_data[{index}]")));
    let file_data = file_data
        .into_iter()
        .enumerate()
        .map(|(index, file)| file_data_from_wire(file, &format!("{field}.file_data[{index}]")));
    let function_response = FunctionResponseData {
        name,
        response: json::from_text(&response_json, &format!("{field}.response_json"))?,
        inline_data: inline_data.collect::<Result<_, _>>()?,
        file_data: file_data.collect::<Result<_, _>>()?,
    };
    let path = format!("{field}.annotations_json");
    let annotations = json::from_text_if(annotations_json.as_ref(), &path)?;
    Ok(Part::FunctionResponse { function_response, id, annotations })
}
