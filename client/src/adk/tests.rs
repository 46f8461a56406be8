//! adk's traits against a service that fails as told.

use std::time::Duration;

use adk_core::{Content, ErrorCategory, Memory};
use adk_memory::{MemoryEntry, MemoryService, SearchRequest};
use chrono::{DateTime, Utc};
use tonic::Status;

use crate::fake::{Fake, Step, end_with_totals};
use crate::{IngestMode, Match, MemoryClient, RetryPolicy};

fn request(limit: Option<usize>, min_score: Option<f32>, project: Option<&str>) -> SearchRequest {
    SearchRequest {
        query: "tea".into(),
        user_id: "user".into(),
        app_name: "app".into(),
        limit,
        min_score,
        project_id: project.map(str::to_owned),
    }
}

fn told(timestamp: DateTime<Utc>) -> MemoryEntry {
    let content = Content::new("user").with_text("I drink tea");
    MemoryEntry { content, author: "user".into(), timestamp }
}

/// The only call that arrived: its name and its request.
fn only_call(fake: &Fake) -> (&'static str, String) {
    let seen = fake.seen();
    assert_eq!(seen.len(), 1, "{seen:?}");
    (seen[0].method, seen[0].request.clone())
}

#[tokio::test]
async fn a_search_passes_on_what_is_set_and_nothing_else() {
    for (asked, sent) in [
        (request(None, None, None), "limit: None, min_score: None"),
        (request(Some(0), Some(0.5), None), "limit: Some(0), min_score: Some(0.5)"),
        (request(Some(usize::MAX), None, None), "limit: Some(4294967295), min_score: None"),
        (request(None, Some(f32::NAN), None), "limit: None, min_score: Some(NaN)"),
        (request(None, None, Some("")), "project_id: Some(\"\")"),
    ] {
        let fake = Fake::doing([Step::Hits(2, end_with_totals([2, 2, 0, 0]))]);
        let server = fake.serve();
        let client = MemoryClient::connect(server.url()).await.unwrap();
        assert_eq!(client.search(asked).await.unwrap().memories.len(), 2);
        let (method, question) = only_call(&fake);
        assert_eq!(method, "Search");
        assert!(question.contains(sent), "{question}");
    }
}

#[tokio::test]
async fn an_empty_session_is_sent_on_upsert_and_deleted_on_replace() {
    for (mode, method) in
        [(IngestMode::Upsert, "AddSession"), (IngestMode::Replace, "DeleteSession")]
    {
        let fake = Fake::default();
        let server = fake.serve();
        let builder = MemoryClient::builder(server.url()).ingest_mode(mode);
        let client = builder.connect().await.unwrap();
        client.add_session_to_project("app", "user", "s", "p", vec![]).await.unwrap();
        let (called, question) = only_call(&fake);
        assert_eq!(called, method);
        assert!(question.contains("project_id: Some(\"p\")"), "{question}");
    }
}

#[tokio::test]
async fn ingest_and_delete_go_by_the_builders_modes() {
    let fake = Fake::default();
    let server = fake.serve();
    let client = MemoryClient::connect(server.url()).await.unwrap();
    let other = MemoryClient::builder(server.url())
        .ingest_mode(IngestMode::Replace)
        .delete_match(Match::Any)
        .connect_lazy()
        .unwrap();
    for client in [client, other] {
        client.add_session("app", "user", "s", vec![told(Utc::now())]).await.unwrap();
        client.delete_entries("app", "user", "tea").await.unwrap();
    }
    let requests: Vec<String> = fake.seen().into_iter().map(|seen| seen.request).collect();
    for (request, mode) in
        requests.iter().zip(["mode: Upsert", "match: All", "mode: Replace", "match: Any"])
    {
        assert!(request.contains(mode), "{request}");
    }
}

#[tokio::test]
async fn a_time_that_can_not_be_sent_is_refused_before_it_is_sent() {
    let fake = Fake::default();
    let server = fake.serve();
    let client = MemoryClient::connect(server.url()).await.unwrap();
    let entries = vec![told(Utc::now()), told(DateTime::<Utc>::MAX_UTC)];
    let error = client.add_session("app", "user", "s", entries).await.unwrap_err();
    assert_eq!(error.category, ErrorCategory::InvalidInput);
    assert!(error.message.contains("entries[1].timestamp"), "{error}");
    assert!(fake.methods().is_empty());
}

#[tokio::test]
async fn unreachable_fails_a_search_unless_asked_to_answer_empty() {
    // Nobody listens there.
    let builder = || MemoryClient::builder("http://127.0.0.1:1").retry(RetryPolicy::none());
    let strict = builder().connect_lazy().unwrap();
    let error = strict.search(request(None, None, None)).await.unwrap_err();
    assert_eq!(error.category, ErrorCategory::Unavailable);
    assert_eq!(strict.searches_answered_empty(), 0);

    let lenient = builder().empty_when_unreachable(true).connect_lazy().unwrap();
    assert!(lenient.search(request(None, None, None)).await.unwrap().memories.is_empty());
    assert!(lenient.memory_for("app", "user").search("tea").await.unwrap().is_empty());
    assert_eq!(lenient.clone().searches_answered_empty(), 2);
    assert!(
        lenient.add_entry("app", "user", told(Utc::now())).await.is_err(),
        "a write is no search"
    );
    assert!(lenient.health_check().await.is_err());
}

#[tokio::test]
async fn a_search_of_a_black_hole_is_answered_empty_when_asked_to() {
    // The kernel makes the connection, and nobody ever reads from it.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let builder = || {
        MemoryClient::builder(format!("http://{}", listener.local_addr().unwrap()))
            .call_timeout(Duration::from_millis(100))
    };
    let strict = builder().connect_lazy().unwrap();
    let error = strict.search(request(None, None, None)).await.unwrap_err();
    assert_eq!(error.category, ErrorCategory::Unavailable);
    let lenient = builder().empty_when_unreachable(true).connect_lazy().unwrap();
    assert!(lenient.search(request(None, None, None)).await.unwrap().memories.is_empty());
    assert_eq!(lenient.searches_answered_empty(), 1);
}

#[tokio::test]
async fn answering_empty_hides_no_other_error() {
    let steps = [
        Step::Fail(Status::invalid_argument("min_score")),
        Step::Fail(Status::permission_denied("no")),
        Step::Hang,
    ];
    let fake = Fake::doing(steps);
    let server = fake.serve();
    let client = MemoryClient::builder(server.url())
        .call_timeout(Duration::from_millis(100))
        .empty_when_unreachable(true)
        .connect()
        .await
        .unwrap();
    let categories =
        [ErrorCategory::InvalidInput, ErrorCategory::Forbidden, ErrorCategory::Timeout];
    for category in categories {
        let error = client.search(request(None, None, None)).await.unwrap_err();
        assert_eq!(error.category, category);
    }
    assert_eq!(client.searches_answered_empty(), 0);
}

#[tokio::test]
async fn a_bound_memory_keeps_to_its_user_and_project() {
    let fake = Fake::default();
    let server = fake.serve();
    let client = MemoryClient::connect(server.url()).await.unwrap();
    let global = client.memory_for("app", "alice");
    let project = client.memory_for("app", "bob").in_project("p");
    let entry = || {
        let MemoryEntry { content, author, timestamp: _ } = told(Utc::now());
        adk_core::MemoryEntry { content, author }
    };
    for memory in [&global, &project] {
        assert!(memory.supports_project_scoping());
        memory.search("tea").await.unwrap();
        memory.add(entry()).await.unwrap();
        memory.delete("tea").await.unwrap();
    }
    global.search_in_project("tea", "q").await.unwrap();
    global.add_to_project(entry(), "q").await.unwrap();
    let seen = fake.seen();
    let scopes = ["\"alice\", project_id: None", "\"bob\", project_id: Some(\"p\")"];
    for (call, scope) in seen.iter().zip([scopes[0]; 3].into_iter().chain([scopes[1]; 3])) {
        assert!(call.request.contains(scope), "{call:?}");
    }
    for call in &seen[6..] {
        assert!(call.request.contains("\"alice\", project_id: Some(\"q\")"), "{call:?}");
    }
    assert_eq!(seen.len(), 8);
}

#[tokio::test]
async fn a_recent_list_of_any_length_can_be_asked_for() {
    let fake = Fake::doing([Step::Page(3, "more"), Step::Page(2, "")]);
    let server = fake.serve();
    let client = MemoryClient::connect(server.url()).await.unwrap();
    assert_eq!(client.list_recent("app", "user", usize::MAX).await.unwrap().len(), 5);
}
