//! Whatever adk can say comes back as it was sent.

use adk_core::{
    BlobResourceContents, Content, EmbeddedResource, FileDataPart, FunctionResponseData,
    InlineDataPart, Part, TextResourceContents,
};
use adk_memory::MemoryEntry;
use chrono::{DateTime, Utc};
use memoryd_proto::v1;
use memoryd_proto::v1::part::Kind;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{content_from_wire, content_to_wire, entry_from_wire, entry_to_wire};

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), any::<String>(), "[\\x00\\u{301}é用🎉👩‍🚀 a]{0,8}"]
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..40)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn inline() -> impl Strategy<Value = InlineDataPart> {
    let mime_type = prop_oneof![
        text(),
        Just("application/vnd.memoryd.opaque+json; kind=code".to_owned()),
        Just("application/vnd.memoryd.opaque; kind=code".to_owned()),
    ];
    let data = prop_oneof![bytes(), Just(b" {\"a\" : 1e23}".to_vec())];
    (mime_type, data, option::of(text()), option::of(value())).prop_map(
        |(mime_type, data, uri, annotations)| InlineDataPart { mime_type, data, uri, annotations },
    )
}

fn file() -> impl Strategy<Value = FileDataPart> {
    (text(), text(), option::of(value())).prop_map(|(mime_type, file_uri, annotations)| {
        FileDataPart { mime_type, file_uri, annotations }
    })
}

fn resource() -> impl Strategy<Value = EmbeddedResource> {
    let of_text = (text(), option::of(text()), text()).prop_map(|(uri, mime_type, text)| {
        EmbeddedResource::Text(TextResourceContents { uri, mime_type, text })
    });
    let of_bytes = (text(), option::of(text()), bytes()).prop_map(|(uri, mime_type, data)| {
        EmbeddedResource::Blob(BlobResourceContents { uri, mime_type, data })
    });
    prop_oneof![of_text, of_bytes]
}

fn function_response() -> impl Strategy<Value = Part> {
    let data = (text(), value(), vec(inline(), 0..3), vec(file(), 0..3));
    (data, option::of(text()), option::of(value())).prop_map(|(data, id, annotations)| {
        let (name, response, inline_data, file_data) = data;
        let function_response = FunctionResponseData { name, response, inline_data, file_data };
        Part::FunctionResponse { function_response, id, annotations }
    })
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        (text(), option::of(text()))
            .prop_map(|(thinking, signature)| Part::Thinking { thinking, signature }),
        text().prop_map(|text| Part::Text { text }),
        inline().prop_map(|InlineDataPart { mime_type, data, uri, annotations }| {
            Part::InlineData { mime_type, data, uri, annotations }
        }),
        file().prop_map(|FileDataPart { mime_type, file_uri, annotations }| Part::FileData {
            mime_type,
            file_uri,
            annotations
        }),
        (text(), value(), option::of(text()), option::of(text())).prop_map(
            |(name, args, id, thought_signature)| Part::FunctionCall {
                name,
                args,
                id,
                thought_signature
            }
        ),
        function_response(),
        value().prop_map(|server_tool_call| Part::ServerToolCall { server_tool_call }),
        value().prop_map(|server_tool_response| Part::ServerToolResponse { server_tool_response }),
        resource().prop_map(|resource| Part::EmbeddedResource { resource }),
    ]
}

fn time() -> impl Strategy<Value = DateTime<Utc>> {
    (-62_135_596_800_i64..=253_402_300_799, 0_u32..1_000_000_000)
        .prop_map(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos).unwrap())
}

/// As the server keeps and returns it.
fn stored(entry: v1::NewEntry) -> v1::Entry {
    let v1::NewEntry { entry_id: _, content, author, timestamp, expire_time, metadata_json } =
        entry;
    let encoded = prost::Message::encode_to_vec(&content.unwrap());
    let content = Some(prost::Message::decode(encoded.as_slice()).unwrap());
    v1::Entry { content, author, timestamp, expire_time, metadata_json, ..v1::Entry::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_entry_comes_back_as_it_was_sent(
        role in text(), author in text(), parts in vec(part(), 0..5), timestamp in time(),
    ) {
        let content = Content { role: role.clone(), parts: parts.clone() };
        let entry = MemoryEntry { content, author: author.clone(), timestamp };
        let back = entry_from_wire(stored(entry_to_wire(entry, "entry").unwrap())).unwrap();
        prop_assert_eq!(back.content.role, role);
        prop_assert_eq!(&back.content.parts, &parts);
        // Equality alone takes 0.0 for -0.0.
        prop_assert_eq!(format!("{:?}", back.content.parts), format!("{parts:?}"));
        prop_assert_eq!(back.author, author);
        prop_assert_eq!(back.timestamp, timestamp);
    }
}

#[test]
fn numbers_come_back_exactly() {
    let numbers =
        json!([i64::MIN, i64::MAX, u64::MAX, 0.1, 5.0, 1e300, -0.0, 1e23, 5e-324, f64::MAX, 0, -1]);
    let part = Part::ServerToolCall { server_tool_call: numbers.clone() };
    let sent = content_to_wire(Content { role: "model".into(), parts: vec![part] });
    let Some(Kind::ServerToolCall(call)) = &sent.parts[0].kind else { panic!("{sent:?}") };
    assert!(call.call_json.contains("-9223372036854775808,"), "{}", call.call_json);
    assert!(call.call_json.contains("18446744073709551615,0.1,5.0,1e+300,-0.0,1e+23,"));
    let back = content_from_wire(sent, "content").unwrap();
    let Part::ServerToolCall { server_tool_call } = &back.parts[0] else { panic!("{back:?}") };
    assert_eq!(format!("{server_tool_call:?}"), format!("{numbers:?}"));
}

#[test]
fn what_another_language_keeps_beside_a_part_is_invisible() {
    let part = v1::Part { kind: Some(Kind::Text("a".into())), extra_json: Some("{}".into()) };
    let content = v1::Content { role: "model".into(), parts: vec![part] };
    let back = content_from_wire(content, "content").unwrap();
    assert_eq!(back.parts, [Part::Text { text: "a".into() }]);
}

#[test]
fn what_adk_can_not_show_is_an_error_that_names_the_part() {
    let omitted = v1::OmittedBlob { size: 1, sha256: vec![0; 32].into() };
    let data = v1::InlineData { omitted: Some(omitted.clone()), ..v1::InlineData::default() };
    let call = v1::FunctionCall { args_json: "{".into(), ..v1::FunctionCall::default() };
    let contents = Some(v1::embedded_resource::Contents::Omitted(omitted.clone()));
    let resource = v1::EmbeddedResource { contents, ..v1::EmbeddedResource::default() };
    let value = Some(v1::opaque::Value::Omitted(omitted));
    for (kind, field) in [
        (None, "content.parts[1]: "),
        (Some(Kind::InlineData(data)), "content.parts[1].inline_data.data: "),
        (Some(Kind::FunctionCall(call)), "content.parts[1].function_call.args_json: "),
        (Some(Kind::EmbeddedResource(resource)), "content.parts[1].embedded_resource.blob: "),
        (
            Some(Kind::EmbeddedResource(v1::EmbeddedResource::default())),
            "content.parts[1].embedded_resource: ",
        ),
        (Some(Kind::Opaque(v1::Opaque { kind: "k".into(), value })), "content.parts[1].opaque: "),
        (Some(Kind::Opaque(v1::Opaque::default())), "content.parts[1].opaque: "),
    ] {
        let parts = [Some(Kind::Text("a".into())), kind]
            .map(|kind| v1::Part { kind, extra_json: None })
            .to_vec();
        let content = v1::Content { role: String::new(), parts };
        let error = content_from_wire(content, "content").unwrap_err().to_string();
        assert!(error.starts_with(field), "{error}");
    }
}
