//! Section 3: what of an entry is searched, and what is only kept.

use memoryd::StoreKind;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;

use crate::harness::parts::{inline, of_parts, part, text};
use crate::harness::{Calls, GLOBAL, TestServer, ids, named};

/// Whether the only entry of the memory is found by a word, and deleted by it.
async fn is_searched(calls: &Calls, entry: NewEntry, word: &str) -> bool {
    let entry = NewEntry { entry_id: Some("e".into()), ..entry };
    calls.add_session(GLOBAL.session("quokka", vec![entry])).await.unwrap();
    let found = calls.search(GLOBAL.query(word)).await.unwrap();
    let dry_run = DeleteEntriesRequest { dry_run: true, ..GLOBAL.deletion(word) };
    let deleted = calls.delete_entries(dry_run).await.unwrap().deleted_count;
    assert_eq!(found.hits.len() as u64, deleted, "search and delete differ about {word}");
    calls.delete_user("app", "user").await.unwrap();
    deleted == 1
}

fn resource(uri: &str, contents: embedded_resource::Contents) -> Part {
    let resource = EmbeddedResource { uri: uri.into(), mime_type: None, contents: Some(contents) };
    part(Kind::EmbeddedResource(resource))
}

#[tokio::test]
async fn s3_texts_embedded_texts_and_file_names_are_searched() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let inline_uri =
        InlineData { uri: Some("https://h/a/quokka.png?x#y".into()), ..inline(vec![1]) };
    let file = FileData { file_uri: "gs://bucket/dir/quokka.pdf".into(), ..FileData::default() };
    let words = embedded_resource::Contents::Text("a quokka inside".into());
    let blob = embedded_resource::Contents::Blob(b"nothing".to_vec().into());
    for (what, part) in [
        ("text", text("One QUOKKA.")),
        ("inline data's file name", part(Kind::InlineData(inline_uri))),
        ("file's name", part(Kind::FileData(file))),
        ("embedded text", resource("", words)),
        ("embedded resource's file name", resource("file:///notes/quokka.md", blob)),
    ] {
        let alone = of_parts(vec![part.clone()]);
        assert!(is_searched(&calls, alone, "quokka").await, "{what}");
        let among_others = of_parts(vec![text("first"), part, text("last")]);
        assert!(is_searched(&calls, among_others, "quokka").await, "{what}");
    }
}

#[tokio::test]
async fn s3_thoughts_tools_and_what_stands_beside_are_not_searched() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let json = || "{\"quokka\":\"quokka\"}".to_owned();
    let word = || "quokka".to_owned();
    let of = |kind| of_parts(vec![part(kind)]);
    let thinking = Thinking { thinking: word(), signature: Some(word()) };
    let call = FunctionCall {
        name: word(),
        args_json: json(),
        id: Some(word()),
        thought_signature: Some(word()),
    };
    let response = FunctionResponse {
        name: word(),
        response_json: json(),
        annotations_json: Some(json()),
        id: Some(word()),
        ..FunctionResponse::default()
    };
    let annotated = InlineData {
        mime_type: word(),
        uri: Some("https://quokka/quokka/file.png?quokka#quokka".into()),
        annotations_json: Some(json()),
        ..inline(b"quokka".to_vec())
    };
    let file = FileData {
        mime_type: word(),
        file_uri: "gs://quokka/quokka/".into(),
        annotations_json: Some(json()),
    };
    let opaque = |value| Kind::Opaque(Opaque { kind: word(), value: Some(value) });
    let blob = embedded_resource::Contents::Blob(b"quokka".to_vec().into());
    let beside = Part { extra_json: Some(json()), ..text("something") };
    for (what, entry) in [
        ("thinking", of(Kind::Thinking(thinking))),
        ("call", of(Kind::FunctionCall(call))),
        ("response", of(Kind::FunctionResponse(response))),
        ("server tool's call", of(Kind::ServerToolCall(ServerToolCall { call_json: json() }))),
        (
            "server tool's response",
            of(Kind::ServerToolResponse(ServerToolResponse { response_json: json() })),
        ),
        ("inline data", of(Kind::InlineData(annotated))),
        ("file's folder", of(Kind::FileData(file))),
        ("opaque json", of(opaque(opaque::Value::Json(json())))),
        ("opaque bytes", of(opaque(opaque::Value::Data(b"quokka".to_vec().into())))),
        ("embedded bytes", of_parts(vec![resource("", blob)])),
        ("extra json", of_parts(vec![beside])),
        ("author", NewEntry { author: word(), ..named("", "something") }),
        ("metadata", NewEntry { metadata_json: Some(json()), ..named("", "something") }),
    ] {
        assert!(!is_searched(&calls, entry, "quokka").await, "{what}");
    }
}

#[tokio::test]
async fn s3_what_is_not_searched_does_not_hide_what_is() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let thinking = Thinking { thinking: "about wombats".into(), signature: None };
    let mixed = of_parts(vec![part(Kind::Thinking(thinking)), text("a quokka")]);
    let mixed = NewEntry { entry_id: Some("mixed".into()), ..mixed };
    calls.add_session(GLOBAL.session("s", vec![mixed])).await.unwrap();
    let found = calls.search(GLOBAL.query("quokka")).await.unwrap();
    assert_eq!(ids(&found.entries()), ["mixed"]);
    assert_eq!(calls.search(GLOBAL.query("wombats")).await.unwrap().hits, []);
}
