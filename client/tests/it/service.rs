//! The client as `adk_memory::MemoryService`, and as `adk_core::Memory`.

use adk_core::{
    BlobResourceContents, Content, EmbeddedResource, ErrorCategory, FileDataPart,
    FunctionResponseData, InlineDataPart, Memory, Part, TextResourceContents,
};
use adk_memory::{MemoryEntry, MemoryService, SearchRequest};
use chrono::{DateTime, Utc};
use memoryd_client::adk::codes;
use memoryd_client::proto::{self, part::Kind};
use memoryd_client::{IngestMode, Match, MemoryClient};
use serde_json::json;

use crate::server::Server;

const APP: &str = "app";
const USER: &str = "user";

fn entry(text: &str, seconds: i64) -> MemoryEntry {
    MemoryEntry {
        content: Content::new("user").with_text(text),
        author: "user".into(),
        timestamp: DateTime::from_timestamp(seconds, 1).unwrap(),
    }
}

fn text_of(entry: &MemoryEntry) -> String {
    entry.content.parts.iter().filter_map(Part::text).collect()
}

fn request(query: &str, project: Option<&str>) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        user_id: USER.into(),
        app_name: APP.into(),
        limit: None,
        min_score: None,
        project_id: project.map(str::to_owned),
    }
}

async fn found(client: &MemoryClient, query: &str, project: Option<&str>) -> Vec<String> {
    let mut texts: Vec<String> = client
        .search(request(query, project))
        .await
        .unwrap()
        .memories
        .iter()
        .map(text_of)
        .collect();
    texts.sort_unstable();
    texts
}

fn every_kind_of_part() -> Vec<Part> {
    let value = json!({"z": [i64::MIN, u64::MAX, 0.1, 5.0, 1e300, -0.0, 1e23], "a": null});
    let inline = InlineDataPart {
        mime_type: "image/png".into(),
        data: (0..=255).collect(),
        uri: Some(String::new()),
        annotations: Some(value.clone()),
    };
    let file = FileDataPart {
        mime_type: "text/plain".into(),
        file_uri: "gs://bucket/a.txt".into(),
        annotations: None,
    };
    vec![
        Part::Thinking { thinking: "hm".into(), signature: Some(String::new()) },
        Part::Text { text: "tea \0 e\u{301} 👩‍🚀".into() },
        Part::InlineData {
            mime_type: "image/png".into(),
            data: vec![],
            uri: None,
            annotations: Some(json!(null)),
        },
        Part::FileData {
            mime_type: "a/b".into(),
            file_uri: "file:///x".into(),
            annotations: Some(json!({})),
        },
        Part::FunctionCall {
            name: "f".into(),
            args: value.clone(),
            id: None,
            thought_signature: Some("s".into()),
        },
        Part::FunctionResponse {
            function_response: FunctionResponseData {
                name: "f".into(),
                response: value.clone(),
                inline_data: vec![inline],
                file_data: vec![file],
            },
            id: Some("1".into()),
            annotations: Some(value.clone()),
        },
        Part::ServerToolCall { server_tool_call: value.clone() },
        Part::ServerToolResponse { server_tool_response: value },
        Part::EmbeddedResource {
            resource: EmbeddedResource::Text(TextResourceContents::new("file:///a", None, "")),
        },
        Part::EmbeddedResource {
            resource: EmbeddedResource::Blob(BlobResourceContents {
                uri: "file:///b".into(),
                mime_type: Some("x/y".into()),
                data: vec![0, 255],
            }),
        },
    ]
}

#[tokio::test]
async fn every_kind_of_part_comes_back_as_it_was_sent() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let content = Content { role: "model".into(), parts: every_kind_of_part() };
    let timestamp = "1969-12-31T23:59:59.999999999Z".parse::<DateTime<Utc>>().unwrap();
    let sent = MemoryEntry { content, author: String::new(), timestamp };
    client.add_session(APP, USER, "s", vec![sent.clone()]).await.unwrap();

    let mut seen = client.search(request("tea", None)).await.unwrap().memories;
    seen.extend(client.list_recent(APP, USER, 9).await.unwrap());
    assert_eq!(seen.len(), 2);
    for entry in seen {
        assert_eq!(format!("{entry:?}"), format!("{sent:?}"));
    }
}

#[tokio::test]
async fn an_opaque_part_of_another_language_passes_through_adk_unchanged() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let opaque = |value| {
        let part = proto::Opaque { kind: "executable code".into(), value: Some(value) };
        proto::Part { kind: Some(Kind::Opaque(part)), extra_json: None }
    };
    let parts = vec![
        opaque(proto::opaque::Value::Json("{ \"b\": 1e23,\"a\":-0.0 }".into())),
        opaque(proto::opaque::Value::Data(vec![0, 255].into())),
    ];
    let content = Some(proto::Content { role: "model".into(), parts: parts.clone() });
    let new = proto::NewEntry { content, ..proto::NewEntry::default() };
    client.scope(APP, "python").add_entries(vec![new]).send().await.unwrap();

    let seen = client.list_recent(APP, "python", 1).await.unwrap();
    client.add_entry(APP, USER, seen[0].clone()).await.unwrap();
    let stored = client.scope(APP, USER).list().take(1).await.unwrap();
    assert_eq!(stored[0].content.as_ref().unwrap().parts, parts);
}

#[tokio::test]
async fn hindsight_3249_the_same_session_sent_22_times_is_stored_once() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    for _ in 0..22 {
        let entries = vec![entry("tea", 1), entry("cake", 2)];
        client.add_session(APP, USER, "s", entries).await.unwrap();
    }
    client.add_session(APP, USER, "s", vec![entry("milk", 3)]).await.unwrap();
    client.add_session(APP, USER, "s", vec![]).await.unwrap();
    let texts: Vec<String> =
        client.list_recent(APP, USER, 9).await.unwrap().iter().map(text_of).collect();
    assert_eq!(texts, ["milk", "cake", "tea"]);
    assert_eq!(client.list_recent(APP, USER, 2).await.unwrap().len(), 2);
    assert!(client.list_recent(APP, USER, 0).await.unwrap().is_empty());
}

#[tokio::test]
async fn on_replace_a_session_becomes_exactly_what_is_sent() {
    let server = Server::fresh();
    let client = server.builder().ingest_mode(IngestMode::Replace).connect().await.unwrap();
    client.add_session(APP, USER, "s", vec![entry("tea", 1), entry("cake", 2)]).await.unwrap();
    client.add_session_to_project(APP, USER, "s", "p", vec![entry("milk", 1)]).await.unwrap();
    client.add_session(APP, USER, "s", vec![entry("cake", 2), entry("jam", 3)]).await.unwrap();
    let all = "tea cake jam milk";
    assert_eq!(found(&client, all, None).await, ["cake", "jam"]);
    client.add_session(APP, USER, "s", vec![]).await.unwrap();
    assert_eq!(found(&client, all, Some("p")).await, ["milk"]);
}

#[tokio::test]
async fn every_delete_keeps_to_its_scope() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let fill = async || {
        client.add_session(APP, USER, "s", vec![entry("black tea", 1)]).await.unwrap();
        client.add_entry(APP, USER, entry("green tea", 2)).await.unwrap();
        let own = vec![entry("red tea", 3)];
        client.add_session_to_project(APP, USER, "s", "p", own).await.unwrap();
        client.add_entry_to_project(APP, USER, "p", entry("white tea", 4)).await.unwrap();
        client.add_entry_to_project(APP, USER, "q", entry("blue tea", 5)).await.unwrap();
    };
    fill().await;
    assert_eq!(found(&client, "tea", None).await, ["black tea", "green tea"]);
    let with_p = ["black tea", "green tea", "red tea", "white tea"];
    assert_eq!(found(&client, "tea", Some("p")).await, with_p);

    assert_eq!(client.delete_entries(APP, USER, "green coffee").await.unwrap(), 0);
    assert_eq!(client.delete_entries(APP, USER, "green tea").await.unwrap(), 1);
    assert_eq!(client.delete_entries_in_project(APP, USER, "p", "tea red").await.unwrap(), 1);
    client.delete_session(APP, USER, "s").await.unwrap();
    assert_eq!(found(&client, "tea", Some("p")).await, ["white tea"]);
    assert_eq!(client.delete_project(APP, USER, "p").await.unwrap(), 1);
    assert_eq!(client.delete_project(APP, USER, "p").await.unwrap(), 0);
    assert_eq!(found(&client, "tea", Some("q")).await, ["blue tea"]);

    let any = server.builder().delete_match(Match::Any).connect().await.unwrap();
    assert_eq!(any.delete_entries_in_project(APP, USER, "q", "blue coffee").await.unwrap(), 1);
    client.delete_user(APP, USER).await.unwrap();
    fill().await;
    client.delete_user(APP, USER).await.unwrap();
    assert!(found(&client, "tea", Some("p")).await.is_empty());
}

#[tokio::test]
async fn refusals_are_bad_input_with_the_fields_named() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let search = |request: SearchRequest| client.search(request);
    let with_score = |score| SearchRequest { min_score: Some(score), ..request("tea", None) };
    for (error, field) in [
        (client.delete_entries(APP, USER, "").await.unwrap_err(), "query"),
        (client.delete_project(APP, USER, "").await.unwrap_err(), "project_id"),
        (search(request("tea", Some(""))).await.unwrap_err(), "project_id"),
        (search(with_score(f32::NAN)).await.unwrap_err(), "min_score"),
        (search(with_score(1.5)).await.unwrap_err(), "min_score"),
        (client.add_session("", USER, "s", vec![]).await.unwrap_err(), "app_name"),
        (client.add_entry(APP, "a\0b", entry("x", 1)).await.unwrap_err(), "user_id"),
        (client.list_recent(APP, "", 5).await.unwrap_err(), "user_id"),
    ] {
        assert_eq!(error.category, ErrorCategory::InvalidInput, "{error}");
        assert!(error.message.contains(field) && !error.is_retryable(), "{error}");
        assert!(error.details.metadata.contains_key("reason"), "{error:?}");
    }
}

#[tokio::test]
async fn buck2_583_a_message_over_the_limit_is_bad_input() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let blob = |megabytes: usize| Part::InlineData {
        mime_type: "x/y".into(),
        data: vec![7; megabytes << 20],
        uri: None,
        annotations: None,
    };
    let with =
        |parts| MemoryEntry { content: Content { role: "user".into(), parts }, ..entry("", 1) };
    let error = client.add_entry(APP, USER, with(vec![blob(9); 4])).await.unwrap_err();
    assert_eq!(
        (error.category, error.code),
        (ErrorCategory::InvalidInput, codes::MESSAGE_TOO_LARGE)
    );
    assert!(!error.is_retryable());
    client.add_entry(APP, USER, with(vec![blob(10)])).await.unwrap();
    let error = client.add_entry(APP, USER, with(vec![blob(11)])).await.unwrap_err();
    assert!(error.message.contains("entries[0].content.parts[0].inline_data.data"), "{error}");
    let read = client.list_recent(APP, USER, 1).await.unwrap();
    assert!(
        matches!(&read[0].content.parts[0], Part::InlineData { data, .. } if data.len() == 10 << 20)
    );
}

#[tokio::test]
async fn limits_of_any_size_are_understood() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let entries = (0..30).map(|n| entry(&format!("tea {n}"), n)).collect();
    client.add_session(APP, USER, "s", entries).await.unwrap();
    for (limit, hits) in [(None, 10), (Some(0), 0), (Some(25), 25), (Some(usize::MAX), 30)] {
        let found = client.search(SearchRequest { limit, ..request("tea", None) }).await.unwrap();
        assert_eq!(found.memories.len(), hits, "{limit:?}");
    }
}

#[tokio::test]
async fn a_bound_memory_adds_finds_and_deletes() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    client.health_check().await.unwrap();
    assert!(client.supports_project_scoping());
    let memory = client.memory_for(APP, USER).in_project("p");
    let told = || adk_core::MemoryEntry {
        content: Content::new("user").with_text("tea at five"),
        author: "user".into(),
    };
    memory.health_check().await.unwrap();
    memory.add(told()).await.unwrap();
    assert_eq!(memory.search("tea").await.unwrap()[0].author, "user");
    assert!(client.memory_for(APP, "other").search("tea").await.unwrap().is_empty());
    assert!(client.memory_for(APP, USER).search("tea").await.unwrap().is_empty());
    assert_eq!(memory.delete("five tea").await.unwrap(), 1);
    memory.add(told()).await.unwrap();
    assert_eq!(memory.search("tea").await.unwrap().len(), 1, "told again, it is kept again");
}
