//! Section 4: a replaced session is exactly what the replacement holds, whatever happens beside it.

use std::collections::HashSet;

use memoryd::StoreKind;
use memoryd_proto::v1::Outcome::{Created, Suppressed, Unchanged, Updated};
use memoryd_proto::v1::*;
use tokio::task::JoinSet;
use tonic::Code;

use crate::harness::{
    Calls, GLOBAL, TestServer, error_of, found, ids, listed, named, outcomes, said, said_after,
};

crate::on_every_store!(
    s4_replace_makes_the_session_exactly_these_entries,
    s4_replace_with_nothing_is_refused,
    s4_of_replacements_at_once_one_stands_whole,
    s4_what_is_added_while_a_session_is_replaced_is_there_or_was_replaced,
);

async fn s4_replace_makes_the_session_exactly_these_entries(server: TestServer) {
    let calls = server.calls().await;
    let large = "ocelot ".repeat(3_000);
    let before = vec![
        said("a walrus"),
        named("kept", "kept"),
        named("changed", "old"),
        named("large", &large),
    ];
    calls.add_session(GLOBAL.session("s", before)).await.unwrap();
    calls
        .add_session(GLOBAL.session("t", vec![named("other", "a walrus elsewhere")]))
        .await
        .unwrap();
    calls.add_entries(GLOBAL.entries(vec![named("direct", "a walrus beside")])).await.unwrap();

    let after =
        vec![named("kept", "kept"), named("changed", "new"), said("a lynx"), said("a lynx")];
    let answer = calls.add_session(GLOBAL.replacement("s", after.clone())).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Unchanged, Updated, Created, Created]);
    assert_eq!(answer.removed_count, 2);
    let expected = ["a lynx", "a lynx", "a walrus beside", "a walrus elsewhere", "kept", "new"]
        .map(str::to_owned);
    assert_eq!(listed(&calls, GLOBAL).await, expected);
    assert_eq!(found(&calls, GLOBAL, "ocelot old").await, [] as [&str; 0]);
    assert_eq!(found(&calls, GLOBAL, "walrus").await, ["a walrus beside", "a walrus elsewhere"]);
    let again = calls.add_session(GLOBAL.replacement("s", after)).await.unwrap();
    assert_eq!((outcomes(&again.results), again.removed_count), (vec![Unchanged; 4], 0));

    // What a replacement removed wasn't deleted: it may come back. A deleted entry may not.
    calls.delete_entries(GLOBAL.deletion_of(&["kept"])).await.unwrap();
    let back = vec![said("a walrus"), named("kept", "kept")];
    let answer = calls.add_session(GLOBAL.replacement("s", back)).await.unwrap();
    assert_eq!((outcomes(&answer.results), answer.removed_count), (vec![Created, Suppressed], 3));
    // A session that isn't there becomes one.
    let answer = calls.add_session(GLOBAL.replacement("new", vec![said("x")])).await.unwrap();
    assert_eq!((outcomes(&answer.results), answer.removed_count), (vec![Created], 0));
}

async fn s4_replace_with_nothing_is_refused(server: TestServer) {
    let calls = server.calls().await;
    calls.add_session(GLOBAL.session("s", vec![named("e", "walrus")])).await.unwrap();
    let status = calls.add_session(GLOBAL.replacement("s", vec![])).await.unwrap_err();
    let (code, _, fields) = error_of(&status);
    assert_eq!((code, fields), (Code::InvalidArgument, vec!["entries".to_owned()]));
    assert_eq!(listed(&calls, GLOBAL).await, ["walrus"]);
}

/// Entries of one version of a session; the ids of versions differ, but for "shared".
fn version(number: usize) -> Vec<NewEntry> {
    let of = |entry: i64| said_after(entry, &format!("walrus {number} {entry}"));
    let mut entries: Vec<_> = (0..5).map(of).collect();
    entries.push(named("shared", &format!("walrus {number} shared")));
    entries
}

/// The versions to which the listed entries of the session belong.
async fn versions(calls: &Calls) -> HashSet<String> {
    let texts = listed(calls, GLOBAL).await;
    assert_eq!(texts.len(), 6, "{texts:?}");
    texts.iter().map(|text| text.split(' ').nth(1).unwrap().to_owned()).collect()
}

async fn s4_of_replacements_at_once_one_stands_whole(server: TestServer) {
    let calls = server.calls().await;
    for _ in 0..5 {
        let mut writers = JoinSet::new();
        for number in 0..8 {
            let calls = server.calls().await;
            writers.spawn(async move {
                calls.add_session(GLOBAL.replacement("s", version(number))).await.unwrap();
            });
        }
        writers.join_all().await;
        let stands = versions(&calls).await;
        assert_eq!(stands.len(), 1, "{stands:?}");
    }
}

async fn s4_what_is_added_while_a_session_is_replaced_is_there_or_was_replaced(server: TestServer) {
    let calls = server.calls().await;
    let mut writers = JoinSet::new();
    for number in 0..8_usize {
        let calls = server.calls().await;
        writers.spawn(async move {
            for turn in 0..6 {
                if number % 2 == 0 {
                    let entries = version(number * 10 + turn);
                    calls.add_session(GLOBAL.replacement("s", entries)).await.unwrap();
                } else {
                    // An addition of two entries: never halved by a replacement.
                    let id = |half: &str| format!("{number} {turn} {half}");
                    let pair = vec![named(&id("a"), "walrus"), named(&id("b"), "walrus")];
                    calls.add_session(GLOBAL.session("s", pair)).await.unwrap();
                }
            }
        });
    }
    writers.join_all().await;
    let left = calls.list_all(GLOBAL.listing()).await.unwrap();
    let ids: HashSet<&str> = ids(&left).into_iter().collect();
    for id in &ids {
        if let Some(other) = id.strip_suffix(" a") {
            assert!(ids.contains(&*format!("{other} b")), "half of an addition: {ids:?}");
        }
        if let Some(other) = id.strip_suffix(" b") {
            assert!(ids.contains(&*format!("{other} a")), "half of an addition: {ids:?}");
        }
    }
    // Of the replacements the last one stands whole, and alone.
    let replaced: HashSet<_> = left
        .iter()
        .map(crate::harness::text_of)
        .filter_map(|text| text.split(' ').nth(1).map(str::to_owned))
        .collect();
    assert_eq!(replaced.len(), 1, "{replaced:?}");
    let answer = calls.add_session(GLOBAL.replacement("s", version(7))).await.unwrap();
    assert_eq!(answer.removed_count, left.len() as u64 - 1, "all but the shared one");
    assert_eq!(versions(&calls).await.len(), 1);
}

#[tokio::test]
async fn s4_a_replaced_session_is_the_same_after_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    calls.add_session(GLOBAL.session("s", version(0))).await.unwrap();
    server.restart().await;
    // The server learns what the session holds before it replaces it.
    let calls = server.calls().await;
    let answer = calls.add_session(GLOBAL.replacement("s", version(1))).await.unwrap();
    assert_eq!(answer.removed_count, 5);
    server.restart().await;
    assert_eq!(versions(&server.calls().await).await, HashSet::from(["1".to_owned()]));
}
