//! Section 7: deleting entries by ids and by words, never more than was named.

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{
    Calls, GLOBAL, Place, TestServer, assert_no_trace, error_of, found, ids, listed, named, said,
};

crate::on_every_store!(
    s7_by_ids_exactly_those_and_each_once,
    s7_by_words_all_of_them_or_any,
    s7_stop_words_never_decide,
    s7_only_whole_words_delete,
    s7_an_empty_query_is_refused_and_one_target_is_asked_for,
    supermemory_24_a_query_that_only_means_the_same_deletes_nothing,
    memmachine_729_the_id_from_a_search_deletes_exactly_that_entry,
    ai_memory_mcp_1602_a_dry_run_lists_the_ids_that_can_be_deleted_exactly,
    agentmemory_833_counts_are_what_was_there,
);

async fn add(calls: &Calls, place: Place<'_>, texts: &[(&str, &str)]) {
    let entries = texts.iter().map(|(id, text)| named(id, text)).collect();
    calls.add_session(place.session("s", entries)).await.unwrap();
}

/// Deletes by words and answers the ids that are gone.
async fn gone_by(
    calls: &Calls,
    texts: &[(&str, &str)],
    query: &str,
    matching: Match,
) -> Vec<String> {
    add(calls, GLOBAL, texts).await;
    let request = DeleteEntriesRequest { r#match: matching.into(), ..GLOBAL.deletion(query) };
    let dry_run = DeleteEntriesRequest { dry_run: true, ..request.clone() };
    let dry_run = calls.delete_entries(dry_run).await.unwrap();
    let deleted = calls.delete_entries(request).await.unwrap();
    let left = calls.list_all(GLOBAL.listing()).await.unwrap();
    let mut gone: Vec<_> = texts.iter().map(|(id, _)| (*id).to_owned()).collect();
    gone.retain(|id| !ids(&left).contains(&id.as_str()));
    assert_eq!(deleted.deleted_count, gone.len() as u64, "{query}");
    assert_eq!(dry_run.deleted_count, deleted.deleted_count, "{query}");
    let mut foreseen = dry_run.entry_ids;
    foreseen.sort();
    assert_eq!(foreseen, gone, "{query}");
    calls.delete_user("app", "user").await.unwrap();
    gone
}

async fn s7_by_ids_exactly_those_and_each_once(server: TestServer) {
    let calls = server.calls().await;
    add(&calls, GLOBAL, &[("1", "walrus"), ("2", "walrus"), ("3", "walrus"), ("11", "walrus")])
        .await;
    let request = GLOBAL.deletion_of(&["1", "unknown", "1", "3", "2 "]);
    let deleted = calls.delete_entries(request.clone()).await.unwrap();
    assert_eq!(deleted, DeleteEntriesResponse { deleted_count: 2, entry_ids: vec![] });
    assert_eq!(ids(&calls.list_all(GLOBAL.listing()).await.unwrap()), ["11", "2"]);
    assert_eq!(calls.delete_entries(request).await.unwrap().deleted_count, 0, "a retry is safe");
    let by_two_pages: Vec<_> = (0..2_500).map(|number| format!("many {number}")).collect();
    for part in by_two_pages.chunks(1_000) {
        let entries = part.iter().map(|id| named(id, "ocelot")).collect();
        calls.add_entries(GLOBAL.entries(entries)).await.unwrap();
    }
    let deleted = calls.delete_entries(GLOBAL.deletion_of(&by_two_pages)).await.unwrap();
    assert_eq!(deleted.deleted_count, 2_500);
    assert_no_trace(&calls, GLOBAL, "ocelot", &by_two_pages[..2]).await;
}

async fn s7_by_words_all_of_them_or_any(server: TestServer) {
    let calls = server.calls().await;
    let texts = [
        ("a", "the red walrus"),
        ("b", "a blue walrus"),
        ("c", "a red ocelot, and a Walrus."),
        ("d", "nothing of that"),
    ];
    for (query, matching, expected) in [
        ("red walrus", Match::Unspecified, vec!["a", "c"]),
        ("red walrus", Match::All, vec!["a", "c"]),
        ("WALRUS red", Match::All, vec!["a", "c"]),
        ("red walrus", Match::Any, vec!["a", "b", "c"]),
        ("red walrus unheard", Match::All, vec![]),
        ("unheard ocelot", Match::Any, vec!["c"]),
        ("\"blue\" AND NOT:walrus*", Match::All, vec!["b"]),
    ] {
        assert_eq!(
            gone_by(&calls, &texts, query, matching).await,
            expected,
            "{query} {matching:?}"
        );
    }
}

async fn s7_stop_words_never_decide(server: TestServer) {
    let calls = server.calls().await;
    let texts = [("a", "the and of to"), ("b", "the walrus"), ("c", "walrus")];
    for (query, matching, expected) in [
        ("the", Match::Any, vec![]),
        ("the", Match::All, vec![]),
        ("the and of", Match::All, vec![]),
        ("the walrus", Match::All, vec!["b", "c"]),
        ("the walrus", Match::Any, vec!["b", "c"]),
        ("the ocelot", Match::Any, vec![]),
        ("。！?", Match::Any, vec![]),
    ] {
        assert_eq!(
            gone_by(&calls, &texts, query, matching).await,
            expected,
            "{query} {matching:?}"
        );
    }
}

async fn s7_only_whole_words_delete(server: TestServer) {
    let calls = server.calls().await;
    let texts = [
        ("a", "an international walrus"),
        ("b", "internal affairs"),
        ("c", "walruses everywhere"),
        ("d", "Café au lait"),
        ("e", "我喜欢喝咖啡"),
    ];
    for (query, expected) in [
        ("internal", vec!["b"]),
        ("INTERNATIONAL", vec!["a"]),
        ("inter", vec![]),
        ("walrus", vec!["a"]),
        ("walruses", vec!["c"]),
        ("cafe", vec!["d"]),
        ("cafe\u{301}", vec!["d"]),
        ("咖啡", vec!["e"]),
        ("红茶", vec![]),
    ] {
        for matching in [Match::All, Match::Any] {
            assert_eq!(gone_by(&calls, &texts, query, matching).await, expected, "{query}");
        }
    }
}

async fn s7_an_empty_query_is_refused_and_one_target_is_asked_for(server: TestServer) {
    let calls = server.calls().await;
    add(&calls, GLOBAL, &[("a", "walrus"), ("b", "")]).await;
    let both = DeleteEntriesRequest { query: Some("walrus".into()), ..GLOBAL.deletion_of(&["b"]) };
    let neither = GLOBAL.deletion_of::<&str>(&[]);
    for request in [GLOBAL.deletion(""), GLOBAL.deletion("  \n"), both, neither] {
        for dry_run in [false, true] {
            let request = DeleteEntriesRequest { dry_run, ..request.clone() };
            let status = calls.delete_entries(request).await.unwrap_err();
            let (code, _, fields) = error_of(&status);
            assert_eq!((code, fields), (Code::InvalidArgument, vec!["query".to_owned()]));
        }
    }
    assert_eq!(listed(&calls, GLOBAL).await, ["", "walrus"]);
}

async fn supermemory_24_a_query_that_only_means_the_same_deletes_nothing(server: TestServer) {
    let calls = server.calls().await;
    let texts = [
        ("a", "My automobile broke down yesterday"),
        ("b", "I am allergic to peanuts"),
        ("c", "Ich wohne in München"),
    ];
    for query in ["car", "the vehicle failed", "nut allergy", "I live in Munich", "automobiles"] {
        for matching in [Match::All, Match::Any] {
            let gone = gone_by(&calls, &texts, query, matching).await;
            assert_eq!(gone, [] as [&str; 0], "{query}");
        }
    }
}

async fn memmachine_729_the_id_from_a_search_deletes_exactly_that_entry(server: TestServer) {
    let calls = server.calls().await;
    // Ids of the server's making, equal texts, and ids that are part of one another.
    let entries =
        vec![said("walrus"), said("walrus"), named("walrus", "walrus"), named("w", "walrus")];
    calls.add_session(GLOBAL.session("s", entries)).await.unwrap();
    for left in (0..4).rev() {
        let hits = calls.search(GLOBAL.query("walrus")).await.unwrap().entries();
        let target = hits[hits.len() / 2].entry_id.clone();
        let deleted = calls.delete_entries(GLOBAL.deletion_of(&[&target])).await.unwrap();
        assert_eq!(deleted.deleted_count, 1);
        let mut expected: Vec<_> = ids(&hits).into_iter().filter(|id| *id != target).collect();
        expected.sort_unstable();
        let listed = calls.list_all(GLOBAL.listing()).await.unwrap();
        assert_eq!((ids(&listed), listed.len()), (expected, left));
    }
}

async fn ai_memory_mcp_1602_a_dry_run_lists_the_ids_that_can_be_deleted_exactly(
    server: TestServer,
) {
    let calls = server.calls().await;
    add(&calls, GLOBAL, &[("1", "walrus"), ("2", "walrus"), ("3", "ocelot")]).await;
    let dry_run = DeleteEntriesRequest { dry_run: true, ..GLOBAL.deletion("walrus") };
    let foreseen = calls.delete_entries(dry_run.clone()).await.unwrap();
    assert_eq!((foreseen.deleted_count, foreseen.entry_ids.len()), (2, 2));
    assert_eq!(listed(&calls, GLOBAL).await.len(), 3, "a dry run deletes nothing");
    // Another of the same words comes in between.
    add(&calls, GLOBAL, &[("4", "walrus")]).await;
    let deleted = calls.delete_entries(GLOBAL.deletion_of(&foreseen.entry_ids)).await.unwrap();
    assert_eq!(deleted.deleted_count, 2);
    assert_eq!(ids(&calls.list_all(GLOBAL.listing()).await.unwrap()), ["3", "4"]);
    // A dry run by ids tells which of them are there.
    let by_ids =
        DeleteEntriesRequest { dry_run: true, ..GLOBAL.deletion_of(&["1", "3", "9", "4", "3"]) };
    let foreseen = calls.delete_entries(by_ids).await.unwrap();
    assert_eq!((foreseen.deleted_count, foreseen.entry_ids), (2, vec!["3".into(), "4".into()]));
    assert_eq!(calls.delete_entries(dry_run).await.unwrap().entry_ids, ["4"]);
}

async fn agentmemory_833_counts_are_what_was_there(server: TestServer) {
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    for times in 1..=3 {
        add(&calls, place, &[("1", "walrus"), ("2", "walrus"), ("3", "ocelot")]).await;
        add(&calls, place, &[("1", "walrus"), ("2", "a walrus updated")]).await;
        let deleted = calls.delete_entries(place.deletion("walrus")).await.unwrap();
        assert_eq!(deleted.deleted_count, 2, "time {times}");
        assert_eq!(calls.delete_entries(place.deletion("walrus")).await.unwrap().deleted_count, 0);
        assert_eq!(calls.delete_session("app", "user", Some("p"), "s").await.unwrap(), 1);
        assert_eq!(calls.delete_session("app", "user", Some("p"), "s").await.unwrap(), 0);
        add(&calls, place, &[("1", "walrus"), ("2", "walrus")]).await;
        calls.delete_entries(place.deletion_of(&["2"])).await.unwrap();
        assert_eq!(
            calls.delete_project("app", "user", "p").await.unwrap(),
            1,
            "marks count nothing"
        );
        assert_eq!(calls.delete_project("app", "user", "p").await.unwrap(), 0);
        add(&calls, place, &[("1", "walrus"), ("2", "walrus")]).await;
        add(&calls, GLOBAL, &[("1", "walrus")]).await;
        assert_eq!(calls.delete_user("app", "user").await.unwrap(), 3);
        assert_eq!(calls.delete_user("app", "user").await.unwrap(), 0);
    }
}

#[tokio::test]
async fn s7_what_was_deleted_stays_deleted_after_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    add(&calls, GLOBAL, &[("1", "walrus"), ("2", "ocelot")]).await;
    server.restart().await;
    // By words, when the index has just been made again.
    let calls = server.calls().await;
    assert_eq!(calls.delete_entries(GLOBAL.deletion("walrus")).await.unwrap().deleted_count, 1);
    server.restart().await;
    let calls = server.calls().await;
    assert_no_trace(&calls, GLOBAL, "walrus", &["1".into()]).await;
    assert_eq!(found(&calls, GLOBAL, "ocelot").await, ["ocelot"]);
}
