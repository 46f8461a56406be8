//! The pieces that parts are made of: data, files and resources. Blobs are handed on without a copy
//! where the types allow.

use adk_core::{
    BlobResourceContents, EmbeddedResource, FileDataPart, InlineDataPart, TextResourceContents,
};
use bytes::Bytes;
use memoryd_proto::v1::embedded_resource::Contents;
use memoryd_proto::v1::{self};

use super::{ConversionError, json};

pub(super) fn inline_data_to_wire(data: InlineDataPart) -> v1::InlineData {
    let InlineDataPart { mime_type, data, uri, annotations } = data;
    v1::InlineData {
        mime_type,
        data: Bytes::from(data),
        uri,
        annotations_json: json::to_text_if(annotations.as_ref()),
        omitted: None,
    }
}

pub(super) fn inline_data_from_wire(
    data: v1::InlineData,
    field: &str,
) -> Result<InlineDataPart, ConversionError> {
    let v1::InlineData { mime_type, data, uri, annotations_json, omitted } = data;
    if omitted.is_some() {
        return Err(ConversionError::BlobOmitted { field: format!("{field}.data") });
    }
    let path = format!("{field}.annotations_json");
    let annotations = json::from_text_if(annotations_json.as_ref(), &path)?;
    Ok(InlineDataPart { mime_type, data: data.into(), uri, annotations })
}

pub(super) fn file_data_to_wire(file: FileDataPart) -> v1::FileData {
    let FileDataPart { mime_type, file_uri, annotations } = file;
    let annotations_json = json::to_text_if(annotations.as_ref());
    v1::FileData { mime_type, file_uri, annotations_json }
}

pub(super) fn file_data_from_wire(
    file: v1::FileData,
    field: &str,
) -> Result<FileDataPart, ConversionError> {
    let v1::FileData { mime_type, file_uri, annotations_json } = file;
    let path = format!("{field}.annotations_json");
    let annotations = json::from_text_if(annotations_json.as_ref(), &path)?;
    Ok(FileDataPart { mime_type, file_uri, annotations })
}

pub(super) fn resource_to_wire(resource: EmbeddedResource) -> v1::EmbeddedResource {
    let (uri, mime_type, contents) = match resource {
        EmbeddedResource::Text(TextResourceContents { uri, mime_type, text }) => {
            (uri, mime_type, Contents::Text(text))
        }
        EmbeddedResource::Blob(BlobResourceContents { uri, mime_type, data }) => {
            (uri, mime_type, Contents::Blob(Bytes::from(data)))
        }
    };
    v1::EmbeddedResource { uri, mime_type, contents: Some(contents) }
}

pub(super) fn resource_from_wire(
    resource: v1::EmbeddedResource,
    field: &str,
) -> Result<EmbeddedResource, ConversionError> {
    let v1::EmbeddedResource { uri, mime_type, contents } = resource;
    match contents {
        Some(Contents::Text(text)) => {
            Ok(EmbeddedResource::Text(TextResourceContents { uri, mime_type, text }))
        }
        Some(Contents::Blob(blob)) => {
            let data = blob.into();
            Ok(EmbeddedResource::Blob(BlobResourceContents { uri, mime_type, data }))
        }
        Some(Contents::Omitted(_)) => {
            Err(ConversionError::BlobOmitted { field: format!("{field}.blob") })
        }
        None => Err(ConversionError::reply(field, "a resource without contents")),
    }
}
