//! Sections 1 and 8: everything that is wrong with a request is told at once, each with its path.

use memoryd::StoreKind;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use prost_types::Timestamp;
use tonic::{Code, Status};

use crate::harness::{GLOBAL, TestServer, error_of, listing, named, query, said, session};

fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) -> Vec<String> {
    let (code, reason, fields) = error_of(&answer.unwrap_err());
    assert_eq!((code, reason.as_str()), (Code::InvalidArgument, "INVALID_ARGUMENT"));
    fields
}

fn of_parts(parts: Vec<Part>) -> NewEntry {
    let content = Some(Content { role: String::new(), parts });
    NewEntry { content, ..NewEntry::default() }
}

fn part(kind: Kind) -> Part {
    Part { kind: Some(kind), extra_json: None }
}

#[tokio::test]
async fn s1_violations_come_all_at_once_with_their_paths() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let beyond = Some(Timestamp { seconds: 253_402_300_800, nanos: 0 });
    let request = AddSessionRequest {
        app_name: String::new(),
        user_id: "a\0b".into(),
        project_id: Some(String::new()),
        session_id: "s".repeat(513),
        mode: 7,
        entries: vec![
            NewEntry { content: None, ..said("no content") },
            said("this one is good"),
            NewEntry { author: "a".repeat(257), ..named("", "bad id and author") },
            NewEntry { timestamp: beyond, expire_time: beyond, ..said("bad times") },
            NewEntry { metadata_json: Some("[1]".into()), ..said("no object") },
        ],
        restore_deleted: false,
    };
    let expected = [
        "app_name",
        "user_id",
        "project_id",
        "session_id",
        "mode",
        "entries[0].content",
        "entries[2].entry_id",
        "entries[2].author",
        "entries[3].timestamp",
        "entries[3].expire_time",
        "entries[4].metadata_json",
    ];
    assert_eq!(refused(calls.add_session(request).await), expected);
}

#[tokio::test]
async fn s3_every_part_is_checked_to_its_depth() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let bad_json = || Some("{".to_owned());
    let inline = || InlineData { annotations_json: bad_json(), ..InlineData::default() };
    let file = || FileData { annotations_json: bad_json(), ..FileData::default() };
    let omitted = || OmittedBlob { size: 1, sha256: vec![0; 32].into() };
    let parts = vec![
        Part { kind: None, extra_json: None },
        Part { kind: Some(Kind::Text("x".into())), extra_json: Some("1".into()) },
        part(Kind::InlineData(InlineData { omitted: Some(omitted()), ..inline() })),
        part(Kind::FileData(file())),
        part(Kind::FunctionCall(FunctionCall::default())),
        part(Kind::FunctionResponse(FunctionResponse {
            response_json: "nul".into(),
            inline_data: vec![InlineData::default(), inline()],
            file_data: vec![file()],
            annotations_json: bad_json(),
            ..FunctionResponse::default()
        })),
        part(Kind::ServerToolCall(ServerToolCall::default())),
        part(Kind::ServerToolResponse(ServerToolResponse { response_json: "1 2".into() })),
        part(Kind::EmbeddedResource(EmbeddedResource::default())),
        part(Kind::Opaque(Opaque::default())),
    ];
    let paths = [
        "",
        "[1].extra_json",
        "[2].inline_data.annotations_json",
        "[2].inline_data.omitted",
        "[3].file_data.annotations_json",
        "[4].function_call.args_json",
        "[5].function_response.response_json",
        "[5].function_response.annotations_json",
        "[5].function_response.inline_data[1].annotations_json",
        "[5].function_response.file_data[0].annotations_json",
        "[6].server_tool_call.call_json",
        "[7].server_tool_response.response_json",
        "[8].embedded_resource",
        "[9].opaque.kind",
        "[9].opaque",
    ];
    let mut expected = paths.map(|path| format!("entries[0].content.parts{path}"));
    expected[0].push_str("[0]");
    let refused_paths = refused(calls.add_session(session("s", vec![of_parts(parts)])).await);
    assert_eq!(refused_paths, expected);
}

#[tokio::test]
async fn s8_at_most_sixteen_violations_are_told_and_the_rest_counted() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let entries = vec![NewEntry::default(); 40];
    let status = calls.add_session(session("s", entries)).await.unwrap_err();
    let (_, _, fields) = error_of(&status);
    let expected: Vec<_> = (0..16).map(|number| format!("entries[{number}].content")).collect();
    assert_eq!(fields, expected);
    assert!(status.message().ends_with("and 24 more"), "{}", status.message());
}

#[tokio::test]
async fn s1_reads_and_deletes_tell_all_their_violations() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let before_time = Some(Timestamp { seconds: -62_135_596_801, nanos: 0 });
    let bad_nanos = Some(Timestamp { seconds: 0, nanos: 1_000_000_000 });
    let filter = EntryFilter {
        session_ids: vec!["fine".into(), String::new()],
        authors: vec!["a".repeat(257)],
        start_time: before_time,
        end_time: bad_nanos,
        metadata: vec![MetadataCondition {
            key: "k".repeat(257),
            values_json: vec!["1".into(), "one".into()],
        }],
    };
    let of_filter = [
        "filter.session_ids[1]",
        "filter.authors[0]",
        "filter.start_time",
        "filter.end_time",
        "filter.metadata[0].key",
        "filter.metadata[0].values_json[1]",
    ];
    let search = SearchRequest {
        user_id: String::new(),
        min_score: Some(2.0),
        context: 9,
        mode: 99,
        filter: Some(filter.clone()),
        reference_time: Some(Timestamp { seconds: 0, nanos: -1 }),
        ..query("word")
    };
    let mut expected = vec!["user_id", "min_score", "context", "mode"];
    expected.extend(of_filter);
    expected.push("reference_time");
    assert_eq!(refused(calls.search(search).await), expected);

    let list = ListEntriesRequest {
        app_name: String::new(),
        page_size: 5_000,
        filter: Some(filter),
        ..listing()
    };
    let mut expected = vec!["app_name"];
    expected.extend(of_filter);
    expected.push("page_size");
    assert_eq!(refused(calls.list(list).await), expected);

    let delete = DeleteEntriesRequest {
        project_id: Some(String::new()),
        r#match: 42,
        ..GLOBAL.deletion_of(&["fine", "", "a\0"])
    };
    let expected = ["project_id", "match", "entry_ids[1]", "entry_ids[2]"];
    assert_eq!(refused(calls.delete_entries(delete).await), expected);
}

#[tokio::test]
async fn s1_texts_beside_the_content_hold_at_their_borders() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let json_of = |bytes: usize| format!("{{\"k\":\"{}\"}}", "v".repeat(bytes - 8));
    let entry = |author: usize, role: usize, kind: usize, metadata: usize| NewEntry {
        author: "a".repeat(author),
        metadata_json: Some(json_of(metadata)),
        content: Some(Content {
            role: "r".repeat(role),
            parts: vec![part(Kind::Opaque(Opaque {
                kind: "k".repeat(kind),
                value: Some(opaque::Value::Json("null".into())),
            }))],
        }),
        ..NewEntry::default()
    };
    assert_eq!(json_of(64 * 1024).len(), 64 * 1024);
    for good in [entry(256, 256, 256, 64 * 1024), entry(0, 0, 1, 8)] {
        calls.add_session(session("s", vec![good])).await.unwrap();
    }
    for (bad, field) in [
        (entry(257, 0, 1, 8), "entries[0].author"),
        (entry(0, 257, 1, 8), "entries[0].content.role"),
        (entry(0, 0, 0, 8), "entries[0].content.parts[0].opaque.kind"),
        (entry(0, 0, 257, 8), "entries[0].content.parts[0].opaque.kind"),
        (entry(0, 0, 1, 64 * 1024 + 1), "entries[0].metadata_json"),
    ] {
        assert_eq!(refused(calls.add_session(session("s", vec![bad])).await), [field]);
    }
    assert_eq!(calls.list_all(listing()).await.unwrap().len(), 2);
}
