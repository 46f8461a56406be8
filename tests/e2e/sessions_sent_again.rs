//! Section 4: the ways in which callers really send sessions.

use memoryd::StoreKind;
use memoryd_proto::v1::Outcome::{Created, Unchanged, Updated};
use memoryd_proto::v1::*;

use crate::harness::{
    GLOBAL, TestServer, ids, listed, named, new_entry, outcomes, result_ids, said, said_after,
    text_of,
};

crate::on_every_store!(
    hindsight_3249_a_session_sent_22_times_is_stored_once,
    adk_realtime_one_turn_a_call_keeps_all_turns,
    adk_server_the_growing_session_has_no_duplicates,
    adk_go_1160_deltas_and_full_sends_mix,
    adk_redis_24_the_callers_ids_are_kept_and_a_retry_changes_nothing,
);

/// The turns of a conversation, each said a second after the one before.
fn turns(count: i64) -> Vec<NewEntry> {
    (0..count).map(|number| said_after(number, &format!("turn {number} about a walrus"))).collect()
}

/// The texts of session "s", oldest first.
async fn conversation(calls: &crate::harness::Calls) -> Vec<String> {
    let entries = calls.list_all(GLOBAL.listing()).await.unwrap();
    entries.iter().rev().map(text_of).collect()
}

fn spoken(count: i64) -> Vec<String> {
    (0..count).map(|number| format!("turn {number} about a walrus")).collect()
}

async fn hindsight_3249_a_session_sent_22_times_is_stored_once(server: TestServer) {
    let calls = server.calls().await;
    for number in 0..22 {
        let answer = calls.add_session(GLOBAL.session("s", turns(7))).await.unwrap();
        let expected = if number == 0 { [Created; 7] } else { [Unchanged; 7] };
        assert_eq!(outcomes(&answer.results), expected, "send {number}");
    }
    assert_eq!(conversation(&calls).await, spoken(7));
    assert_eq!(calls.search(GLOBAL.query("walrus")).await.unwrap().hits.len(), 7);
    // Also when all of them come at once, and from connections of their own.
    let mut sends = tokio::task::JoinSet::new();
    for _ in 0..22 {
        let calls = server.calls().await;
        sends.spawn(async move {
            let answer = calls.add_session(GLOBAL.session("t", turns(7))).await.unwrap();
            outcomes(&answer.results)
        });
    }
    let all = sends.join_all().await;
    assert_eq!(all.iter().filter(|outcomes| **outcomes == [Created; 7]).count(), 1, "{all:?}");
    assert_eq!(all.iter().filter(|outcomes| **outcomes == [Unchanged; 7]).count(), 21, "{all:?}");
    assert_eq!(calls.delete_session("app", "user", None, "t").await.unwrap(), 7);
}

async fn adk_realtime_one_turn_a_call_keeps_all_turns(server: TestServer) {
    let calls = server.calls().await;
    for turn in turns(12) {
        let answer = calls.add_session(GLOBAL.session("s", vec![turn])).await.unwrap();
        assert_eq!(outcomes(&answer.results), [Created]);
    }
    assert_eq!(conversation(&calls).await, spoken(12));
    // Without times they stand in the order in which they came.
    for number in 0..12 {
        let turn = new_entry(&format!("untimed {number}"));
        calls.add_session(GLOBAL.in_project("p").session("s", vec![turn])).await.unwrap();
    }
    let request = SearchRequest { context: 5, ..GLOBAL.in_project("p").query("untimed") };
    let hits = calls.search(request).await.unwrap().hits;
    let hit = hits.iter().find(|hit| text_of(hit.entry.as_ref().unwrap()) == "untimed 6").unwrap();
    let around = [hit.context_before.as_slice(), hit.context_after.as_slice()].concat();
    let expected: Vec<_> = [1, 2, 3, 4, 5, 7, 8, 9, 10, 11].map(|n| format!("untimed {n}")).into();
    assert_eq!(around.iter().map(text_of).collect::<Vec<_>>(), expected);
}

async fn adk_server_the_growing_session_has_no_duplicates(server: TestServer) {
    let calls = server.calls().await;
    for length in 1..=12 {
        let answer = calls.add_session(GLOBAL.session("s", turns(length))).await.unwrap();
        let mut expected = vec![Unchanged; usize::try_from(length).unwrap()];
        *expected.last_mut().unwrap() = Created;
        assert_eq!(outcomes(&answer.results), expected);
        assert_eq!(conversation(&calls).await, spoken(length));
    }
}

async fn adk_go_1160_deltas_and_full_sends_mix(server: TestServer) {
    let calls = server.calls().await;
    let all = turns(10);
    let sends: [(std::ops::Range<usize>, usize); 7] =
        [(0..1, 1), (1..3, 2), (0..5, 2), (5..6, 1), (2..6, 0), (0..10, 4), (9..10, 0)];
    for (range, new) in sends {
        let part = all[range.clone()].to_vec();
        let answer = calls.add_session(GLOBAL.session("s", part)).await.unwrap();
        let created = outcomes(&answer.results).iter().filter(|one| **one == Created).count();
        assert_eq!(created, new, "{range:?}");
        assert_eq!(answer.removed_count, 0);
    }
    assert_eq!(conversation(&calls).await, spoken(10));
    // A replacement by the whole session changes nothing either.
    let answer = calls.add_session(GLOBAL.replacement("s", turns(10))).await.unwrap();
    assert_eq!((outcomes(&answer.results), answer.removed_count), (vec![Unchanged; 10], 0));
}

async fn adk_redis_24_the_callers_ids_are_kept_and_a_retry_changes_nothing(server: TestServer) {
    let calls = server.calls().await;
    let given = ["01J-a", "event:1", "事件", " spaced ", "Ünï", "id/with/slashes"];
    let entries: Vec<_> = given.iter().map(|id| named(id, "walrus")).collect();
    let first = calls.add_session(GLOBAL.session("s", entries.clone())).await.unwrap();
    assert_eq!(result_ids(&first.results), given);
    let mut sorted = given;
    sorted.sort_unstable();
    let stored = calls.list_all(GLOBAL.listing()).await.unwrap();
    assert_eq!(ids(&stored), sorted);
    // The reply was lost; the caller sends the same again, perhaps elsewhere.
    for _ in 0..3 {
        let calls = server.calls().await;
        let retry = calls.add_session(GLOBAL.session("s", entries.clone())).await.unwrap();
        assert_eq!(outcomes(&retry.results), [Unchanged; 6]);
        assert_eq!(result_ids(&retry.results), given);
    }
    assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), stored);
}

#[tokio::test]
async fn s4_identity_is_the_same_after_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let entries =
        || vec![said("walrus"), said("walrus"), new_entry("untimed"), named("e", "given")];
    let first = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    server.restart().await;
    let calls = server.calls().await;
    let again = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    assert_eq!(outcomes(&again.results), [Unchanged; 4]);
    assert_eq!(result_ids(&again.results), result_ids(&first.results));
    let updated = calls.add_session(GLOBAL.session("s", vec![named("e", "anew")])).await.unwrap();
    assert_eq!(outcomes(&updated.results), [Updated]);
    assert_eq!(listed(&calls, GLOBAL).await, ["anew", "untimed", "walrus", "walrus"]);
}
