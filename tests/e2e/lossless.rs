//! Section 3: content comes back as it went in, by every read, and after a restart.

use memoryd::StoreKind;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;

use crate::harness::parts::{every_kind, of_parts, part, text};
use crate::harness::{Calls, GLOBAL, TestServer, named};

crate::on_every_store!(
    s3_all_ten_part_kinds_come_back_by_every_read,
    s3_unset_and_empty_are_different,
    s3_json_texts_come_back_byte_for_byte,
    s3_any_valid_utf_8_comes_back,
    s3_metadata_comes_back_byte_for_byte,
    s3_an_entry_without_text_is_stored_listed_and_deleted,
);

/// Adds a content with a word to find it by, and asserts that get, list, search and the neighbour of a hit
/// give it back.
async fn assert_kept(calls: &Calls, session: &str, mut parts: Vec<Part>) {
    parts.push(text("marsupial"));
    let entry = NewEntry { entry_id: Some("e".into()), ..of_parts(parts) };
    let beside = named("beside", "neighbour");
    let sent = entry.content.clone();
    calls.add_session(GLOBAL.replacement(session, vec![entry, beside])).await.unwrap();
    assert_reads_give(calls, sent).await;
    calls.delete_session("app", "user", None, session).await.unwrap();
}

async fn assert_reads_give(calls: &Calls, sent: Option<Content>) {
    let get = calls.get(GLOBAL.get("e")).await.unwrap();
    assert_eq!(get.content, sent);
    let listed = calls.list_all(GLOBAL.listing()).await.unwrap();
    let listed = listed.into_iter().find(|entry| entry.entry_id == "e");
    assert_eq!(listed.as_ref(), Some(&get), "a list and a get differ");
    let found = calls.search(GLOBAL.query("marsupial")).await.unwrap().entries();
    assert_eq!(found, std::slice::from_ref(&get), "a search and a get differ");
    let around = SearchRequest { context: 1, ..GLOBAL.query("neighbour") };
    let hit = calls.search(around).await.unwrap().hits.remove(0);
    assert_eq!([hit.context_before, hit.context_after].concat(), [get], "as a neighbour");
}

async fn s3_all_ten_part_kinds_come_back_by_every_read(server: TestServer) {
    let calls = server.calls().await;
    let parts = every_kind(Some("set"), "{\"k\":[1]}", b"\x00\xFFblob");
    let kinds: std::collections::HashSet<_> =
        parts.iter().flat_map(|part| &part.kind).map(std::mem::discriminant).collect();
    assert_eq!(kinds.len(), 10);
    assert_kept(&calls, "s", parts.clone()).await;
    // Also when it is too large for one record of the store.
    assert_kept(&calls, "s", every_kind(Some("set"), "{\"k\":[1]}", &[7; 20_000])).await;
    // Order and repetition are content as well.
    assert_kept(&calls, "s", [parts.clone(), parts].concat().into_iter().rev().collect()).await;
}

async fn s3_unset_and_empty_are_different(server: TestServer) {
    let calls = server.calls().await;
    assert_kept(&calls, "s", every_kind(None, "null", b"")).await;
    assert_kept(&calls, "s", every_kind(Some(""), "\"\"", b"")).await;
    for extra in [None, Some("{}"), Some("{ }"), Some("{\"thought_signature\":\"AQ==\"}")] {
        let parts = every_kind(None, "{}", b"x").into_iter();
        let extra_json = extra.map(str::to_owned);
        let parts = parts.map(|part| Part { extra_json: extra_json.clone(), ..part });
        assert_kept(&calls, "s", parts.collect()).await;
    }
    // Two entries that differ in nothing else are two entries.
    let variants = [None, Some(String::new())].map(|signature| {
        of_parts(vec![part(Kind::Thinking(Thinking { thinking: "same".into(), signature }))])
    });
    let answer = calls.add_session(GLOBAL.session("s", variants.to_vec())).await.unwrap();
    assert_ne!(answer.results[0].entry_id, answer.results[1].entry_id);
}

async fn s3_json_texts_come_back_byte_for_byte(server: TestServer) {
    let calls = server.calls().await;
    for json in [
        "{\"b\":1,\"a\":2,\"C\":{}}",
        "{\"same\":1,\"same\":2}",
        " { \"spaced\" :\t[ 1 , 2 ]\n} ",
        "[9223372036854775807,-9223372036854775808,18446744073709551615]",
        "[-0.0,-0,0.10,1e23,1E+2,1.0,5e-324,1.7976931348623157e308]",
        "\"\\u0000 \\ud83e\\udd80 \u{1F980} \\/ \u{2028}\"",
        "true",
        "null",
        "0",
    ] {
        assert_kept(&calls, "s", every_kind(Some(""), json, b"x")).await;
    }
    let deepest = "[".repeat(126) + &"]".repeat(126);
    assert_kept(&calls, "s", every_kind(Some(""), &deepest, b"x")).await;
}

async fn s3_any_valid_utf_8_comes_back(server: TestServer) {
    let calls = server.calls().await;
    for odd in [
        "\u{0}",
        "a\u{0}b",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{1F3FD}",
        "\u{301}lone mark first",
        "e\u{301} and \u{E9}",
        "\u{FEFF}\u{200F}\u{202E}\u{FFFF}\u{10FFFF}\u{FFFD}",
        " \r\n\t leading and trailing \u{A0} ",
        "",
    ] {
        let mut parts = every_kind(Some(odd), "{}", b"x");
        parts.push(text(odd));
        assert_kept(&calls, "s", parts).await;
        let entry = NewEntry {
            author: odd.into(),
            content: Some(Content { role: odd.into(), parts: vec![text(odd)] }),
            ..named("odd", "")
        };
        let sent = entry.clone();
        calls.add_session(GLOBAL.session("odd", vec![entry])).await.unwrap();
        let entry = calls.get(GLOBAL.get("odd")).await.unwrap();
        assert_eq!((Some(entry.author), entry.content), (Some(sent.author), sent.content));
    }
}

async fn s3_metadata_comes_back_byte_for_byte(server: TestServer) {
    let calls = server.calls().await;
    let large = format!("{{\"large\":\"{}\"}}", "x".repeat(65_000));
    for metadata in
        [None, Some("{}"), Some(" {\"b\":-0.0,\"a\":1e23, \"a\":null}\n"), Some(&*large)]
    {
        let metadata_json = metadata.map(str::to_owned);
        let entry = NewEntry { metadata_json, ..named("e", "marsupial") };
        calls.add_session(GLOBAL.session("s", vec![entry])).await.unwrap();
        let got = calls.get(GLOBAL.get("e")).await.unwrap();
        assert_eq!(got.metadata_json.as_deref(), metadata);
        assert_eq!(calls.search(GLOBAL.query("marsupial")).await.unwrap().entries(), [got]);
    }
}

async fn s3_an_entry_without_text_is_stored_listed_and_deleted(server: TestServer) {
    let calls = server.calls().await;
    let call = FunctionCall { args_json: "{}".into(), ..FunctionCall::default() };
    let wordless = [
        of_parts(vec![]),
        of_parts(vec![text("")]),
        of_parts(vec![text("。 ！")]),
        of_parts(vec![part(Kind::FunctionCall(call))]),
        NewEntry { content: Some(Content::default()), ..named("bare", "") },
    ];
    let answer = calls.add_session(GLOBAL.session("s", wordless.to_vec())).await.unwrap();
    let listed = calls.list_all(GLOBAL.listing()).await.unwrap();
    assert_eq!(listed.len(), 5);
    for result in &answer.results {
        assert!(calls.get(GLOBAL.get(&result.entry_id)).await.is_ok());
    }
    let ids = crate::harness::result_ids(&answer.results);
    let deleted = calls.delete_entries(GLOBAL.deletion_of(&ids[..2])).await.unwrap();
    assert_eq!(deleted.deleted_count, 2);
    assert_eq!(calls.delete_session("app", "user", None, "s").await.unwrap(), 3);
}

#[tokio::test]
async fn s3_everything_survives_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let mut parts = every_kind(Some("set"), "{\"b\":-0.0,\"a\":1}", &[9; 20_000]);
    parts.push(text("marsupial"));
    let entry = NewEntry {
        entry_id: Some("e".into()),
        metadata_json: Some("{ \"kept\": true }".into()),
        expire_time: Some(crate::harness::at(253_402_300_799)),
        ..of_parts(parts)
    };
    let sent = entry.content.clone();
    calls
        .add_session(GLOBAL.session("s", vec![entry, named("beside", "neighbour")]))
        .await
        .unwrap();
    let before = calls.list_all(GLOBAL.listing()).await.unwrap();
    for _ in 0..2 {
        server.restart().await;
        let calls = server.calls().await;
        assert_reads_give(&calls, sent.clone()).await;
        assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), before);
    }
}
