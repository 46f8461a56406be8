//! Section 1: every limit holds at its border, in every call that has the field.

use memoryd::Config;
use memoryd::domain::Limits;
use memoryd_proto::v1::*;
use prost::Message;
use tonic::{Code, Status};

use crate::harness::{Calls, GLOBAL, TestServer, error_of, named, said};

crate::on_every_store!(
    s1_ids_are_1_to_512_bytes_without_nul_in_every_call,
    s1_project_ids_are_1_to_256_characters_without_nul_in_every_call,
    ai_memory_564_an_empty_project_is_refused_everywhere,
);

/// The identifiers of a call.
#[derive(Clone, Copy)]
struct Names<'a> {
    app: &'a str,
    user: &'a str,
    project: Option<&'a str>,
    session: &'a str,
    entry: &'a str,
}

const PLAIN: Names<'_> = Names { app: "a", user: "u", project: None, session: "s", entry: "e" };

/// Calls everything with these identifiers. For each call the fields that were refused.
async fn refused_by(calls: &Calls, names: Names<'_>) -> Vec<(&'static str, Vec<String>)> {
    let Names { app, user, project, session, entry } = names;
    let place = crate::harness::Place { app, user, project };
    let filter = Some(EntryFilter { session_ids: vec![session.into()], ..EntryFilter::default() });
    let search = SearchRequest { filter: filter.clone(), ..place.query("word") };
    let list = ListEntriesRequest { filter, ..place.listing() };
    let add = vec![named(entry, "word")];
    vec![
        ("add_session", fields(calls.add_session(place.session(session, add.clone())).await)),
        ("add_entries", fields(calls.add_entries(place.entries(add)).await)),
        ("search", fields(calls.search(search).await)),
        ("list", fields(calls.list(list).await)),
        ("get", fields(calls.get(place.get(entry)).await)),
        ("delete_entries", fields(calls.delete_entries(place.deletion_of(&[entry])).await)),
        ("delete_session", fields(calls.delete_session(app, user, project, session).await)),
        ("delete_project", fields(calls.delete_project(app, user, project.unwrap_or("p")).await)),
        ("delete_user", fields(calls.delete_user(app, user).await)),
    ]
}

/// The fields that an answer calls bad; none when the call was taken.
fn fields<T>(answer: Result<T, Status>) -> Vec<String> {
    let Err(status) = answer else { return Vec::new() };
    let (code, reason, fields) = error_of(&status);
    match code {
        Code::InvalidArgument => assert_eq!(reason, "INVALID_ARGUMENT"),
        Code::NotFound => assert!(fields.is_empty()),
        _ => panic!("{status:?}"),
    }
    fields
}

/// Asserts that each call refuses exactly the field it has of these, if it has one.
async fn assert_refused(calls: &Calls, names: Names<'_>, paths: &[(&str, &str)]) {
    for (call, refused) in refused_by(calls, names).await {
        let expected = paths.iter().find(|(of, _)| *of == call).map(|(_, path)| *path);
        assert_eq!(refused, expected.into_iter().collect::<Vec<_>>(), "{call}");
    }
}

async fn assert_taken(calls: &Calls, names: Names<'_>) {
    assert_refused(calls, names, &[]).await;
}

const EVERY_CALL: [&str; 9] = [
    "add_session",
    "add_entries",
    "search",
    "list",
    "get",
    "delete_entries",
    "delete_session",
    "delete_project",
    "delete_user",
];

async fn s1_ids_are_1_to_512_bytes_without_nul_in_every_call(server: TestServer) {
    let calls = server.calls().await;
    let longest = "é".repeat(256);
    let bad: [&str; 5] = ["", "a\0b", "\0", &"x".repeat(513), &format!("{longest}x")];
    assert_taken(&calls, PLAIN).await;

    assert_taken(&calls, Names { app: &longest, ..PLAIN }).await;
    assert_taken(&calls, Names { user: &longest, ..PLAIN }).await;
    assert_taken(&calls, Names { session: &longest, ..PLAIN }).await;
    assert_taken(&calls, Names { entry: &longest, ..PLAIN }).await;
    let of_session = [
        ("add_session", "session_id"),
        ("search", "filter.session_ids[0]"),
        ("list", "filter.session_ids[0]"),
        ("delete_session", "session_id"),
    ];
    let of_entry = [
        ("add_session", "entries[0].entry_id"),
        ("add_entries", "entries[0].entry_id"),
        ("get", "entry_id"),
        ("delete_entries", "entry_ids[0]"),
    ];
    for bad in bad {
        let everywhere = |field| EVERY_CALL.map(|call| (call, field));
        assert_refused(&calls, Names { app: bad, ..PLAIN }, &everywhere("app_name")).await;
        assert_refused(&calls, Names { user: bad, ..PLAIN }, &everywhere("user_id")).await;
        assert_refused(&calls, Names { session: bad, ..PLAIN }, &of_session).await;
        assert_refused(&calls, Names { entry: bad, ..PLAIN }, &of_entry).await;
    }
}

async fn s1_project_ids_are_1_to_256_characters_without_nul_in_every_call(server: TestServer) {
    let calls = server.calls().await;
    for longest in ["p".repeat(256), "日".repeat(256), "🦀".repeat(256)] {
        assert_taken(&calls, Names { project: Some(&longest), ..PLAIN }).await;
    }
    let everywhere = EVERY_CALL.map(|call| (call, "project_id"));
    // Erasing a user takes no project.
    let with_project = &everywhere[..8];
    for bad in ["p".repeat(257), "é".repeat(257), "a\0b".into()] {
        assert_refused(&calls, Names { project: Some(&bad), ..PLAIN }, with_project).await;
    }
}

async fn ai_memory_564_an_empty_project_is_refused_everywhere(server: TestServer) {
    let calls = server.calls().await;
    calls.add_session(GLOBAL.session("s", vec![named("e", "word")])).await.unwrap();
    let names =
        Names { app: GLOBAL.app, user: GLOBAL.user, project: Some(""), session: "s", entry: "e" };
    let with_project: Vec<_> = refused_by(&calls, names).await.into_iter().take(8).collect();
    let expected: Vec<_> =
        EVERY_CALL[..8].iter().map(|call| (*call, vec!["project_id".to_owned()])).collect();
    assert_eq!(with_project, expected);
}

#[tokio::test]
async fn s1_limit_is_honoured_in_full() {
    let server = TestServer::start_with(Config::default()).await;
    let calls = server.calls().await;
    let entries = (0..120).map(|number| said(&format!("walrus number {number}"))).collect();
    calls.add_session(GLOBAL.session("s", entries)).await.unwrap();
    for (limit, hits) in
        [(None, 10), (Some(0), 0), (Some(1), 1), (Some(119), 119), (Some(500), 120)]
    {
        let found = calls.search(SearchRequest { limit, ..GLOBAL.query("walrus") }).await.unwrap();
        assert_eq!(found.hits.len(), hits, "{limit:?}");
        assert_eq!(found.count(memoryd_proto::trailers::MATCHED), 120, "{limit:?}");
        let cut = found.count(memoryd_proto::trailers::CUT_BY_LIMIT);
        assert_eq!(cut, 120 - hits as u64, "{limit:?}");
    }
}

#[tokio::test]
async fn s1_numbers_hold_at_their_borders() {
    let server = TestServer::start_with(Config::default()).await;
    let calls = server.calls().await;
    for (min_score, taken) in [
        (0.0, true),
        (-0.0, true),
        (1.0, true),
        (-0.01, false),
        (1.01, false),
        (f32::NAN, false),
        (f32::INFINITY, false),
        (f32::NEG_INFINITY, false),
    ] {
        let request = SearchRequest { min_score: Some(min_score), ..GLOBAL.query("word") };
        let expected = if taken { vec![] } else { vec!["min_score"] };
        assert_eq!(fields(calls.search(request).await), expected, "{min_score}");
    }
    for (context, expected) in [(5, vec![]), (6, vec!["context"])] {
        let request = SearchRequest { context, ..GLOBAL.query("word") };
        assert_eq!(fields(calls.search(request).await), expected, "{context}");
    }
    for (page_size, expected) in [(0, vec![]), (1_000, vec![]), (1_001, vec!["page_size"])] {
        let request = ListEntriesRequest { page_size, ..GLOBAL.listing() };
        assert_eq!(fields(calls.list(request).await), expected, "{page_size}");
    }
}

#[tokio::test]
async fn s1_a_request_is_taken_up_to_the_limit_and_not_a_byte_more() {
    const LIMIT: usize = 64 * 1024;
    let limits = Limits { request_bytes: LIMIT };
    let server = TestServer::start_with(Config { limits, ..Config::default() }).await;
    let calls = server.calls().await;
    let request = |bytes: usize| GLOBAL.entries(vec![named("e", &"x".repeat(bytes))]);
    let overhead = request(60_000).encoded_len() - 60_000;

    let whole = request(LIMIT - overhead);
    assert_eq!(whole.encoded_len(), LIMIT);
    calls.add_entries(whole).await.unwrap();

    let status = calls.add_entries(request(LIMIT - overhead + 1)).await.unwrap_err();
    let (code, reason, _) = error_of(&status);
    assert_eq!((code, reason.as_str()), (Code::ResourceExhausted, "MESSAGE_TOO_LARGE"));
    assert!(status.message().contains(&LIMIT.to_string()), "{}", status.message());
    let told = calls.info().await.unwrap().limits.unwrap();
    assert_eq!(told.max_request_bytes, LIMIT as u64);
}
