//! Section 4: adding is an upsert by identity.

use memoryd_proto::v1::Outcome::{Created, Unchanged, Updated};
use memoryd_proto::v1::*;

use crate::harness::{
    GLOBAL, TestServer, found, ids, listed, named, new_entry, outcomes, result_ids, said,
    said_after, text_of,
};

crate::on_every_store!(
    s4_re_adding_a_session_is_idempotent,
    s4_equal_entries_of_one_call_are_told_apart_by_their_ordinal,
    s4_whatever_is_part_of_the_identity_makes_another_entry,
    s4_a_given_id_with_anything_else_is_updated,
    s4_an_id_given_twice_in_one_call_stands_as_it_was_given_last,
    s4_unset_times_are_left_out_of_the_identity,
    s4_a_call_with_a_mistake_adds_nothing,
    s4_entries_are_added_directly_the_same_way,
);

async fn s4_re_adding_a_session_is_idempotent(server: TestServer) {
    let calls = server.calls().await;
    let entries =
        || vec![said("first walrus"), named("given", "second walrus"), said_after(1, "third")];
    let first = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    assert_eq!(outcomes(&first.results), [Created; 3]);
    assert_eq!(first.results[1].entry_id, "given");
    let stored = calls.list_all(GLOBAL.listing()).await.unwrap();
    let again = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    assert_eq!(outcomes(&again.results), [Unchanged; 3]);
    assert_eq!(result_ids(&again.results), result_ids(&first.results));
    // In part and in another order as well.
    let reversed = entries().into_iter().rev().skip(1).collect();
    let again = calls.add_session(GLOBAL.session("s", reversed)).await.unwrap();
    assert_eq!(outcomes(&again.results), [Unchanged; 2]);
    assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), stored);
    // Nothing is legal, and does nothing.
    let none = calls.add_session(GLOBAL.session("s", vec![])).await.unwrap();
    assert_eq!(none, AddSessionResponse::default());
}

async fn s4_equal_entries_of_one_call_are_told_apart_by_their_ordinal(server: TestServer) {
    let calls = server.calls().await;
    let twice = || vec![said("thanks!"), said("welcome"), said("thanks!")];
    let first = calls.add_session(GLOBAL.session("s", twice())).await.unwrap();
    assert_eq!(outcomes(&first.results), [Created; 3]);
    assert_eq!(calls.search(GLOBAL.query("thanks")).await.unwrap().hits.len(), 2);
    let again = calls.add_session(GLOBAL.session("s", twice())).await.unwrap();
    assert_eq!(outcomes(&again.results), [Unchanged; 3]);
    // One more of it is one more.
    let thrice = vec![said("thanks!"); 3];
    let more = calls.add_session(GLOBAL.session("s", thrice)).await.unwrap();
    assert_eq!(outcomes(&more.results), [Unchanged, Unchanged, Created]);
    assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap().len(), 4);
}

async fn s4_whatever_is_part_of_the_identity_makes_another_entry(server: TestServer) {
    let calls = server.calls().await;
    let base = || said("walrus");
    let mut with_role = base();
    with_role.content.as_mut().unwrap().role = "model".into();
    let variants = [
        base(),
        said_after(1, "walrus"),
        NewEntry { timestamp: None, ..base() },
        NewEntry { author: "agent".into(), ..base() },
        NewEntry { author: String::new(), ..base() },
        with_role,
        said("walrus "),
    ];
    for (number, entry) in variants.iter().enumerate() {
        let answer = calls.add_session(GLOBAL.session("s", vec![entry.clone()])).await.unwrap();
        assert_eq!(outcomes(&answer.results), [Created], "variant {number}");
    }
    let other_session = calls.add_session(GLOBAL.session("t", vec![base()])).await.unwrap();
    assert_eq!(outcomes(&other_session.results), [Created]);
    let other_scope = GLOBAL.in_project("p").session("s", vec![base()]);
    assert_eq!(outcomes(&calls.add_session(other_scope).await.unwrap().results), [Created]);
    assert_eq!(found(&calls, GLOBAL, "walrus").await.len(), variants.len() + 1);
    // What is no part of it updates the entry, and neither its time nor its place in the list changes.
    let metadata_json = Some("{}".to_owned());
    let annotated = vec![NewEntry { metadata_json, ..base() }];
    let answer = calls.add_session(GLOBAL.session("s", annotated)).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Updated]);
    assert_eq!(found(&calls, GLOBAL, "walrus").await.len(), variants.len() + 1);
}

async fn s4_a_given_id_with_anything_else_is_updated(server: TestServer) {
    let calls = server.calls().await;
    let base = || named("e", "walrus");
    calls.add_session(GLOBAL.session("s", vec![base()])).await.unwrap();
    let created = calls.get(GLOBAL.get("e")).await.unwrap().create_time;
    let far = Some(crate::harness::at(4_000_000_000));
    let variants = [
        named("e", "another ocelot"),
        NewEntry { author: "agent".into(), ..base() },
        NewEntry { timestamp: Some(crate::harness::at(-5)), ..base() },
        NewEntry { expire_time: far, ..base() },
        NewEntry { metadata_json: Some("{\"k\":1}".into()), ..base() },
        base(),
    ];
    for entry in variants {
        let answer = calls.add_session(GLOBAL.session("s", vec![entry.clone()])).await.unwrap();
        assert_eq!(outcomes(&answer.results), [Updated], "{entry:?}");
        let stored = calls.get(GLOBAL.get("e")).await.unwrap();
        let back = NewEntry {
            entry_id: Some(stored.entry_id.clone()),
            content: stored.content.clone(),
            author: stored.author.clone(),
            timestamp: stored.timestamp,
            expire_time: stored.expire_time,
            metadata_json: stored.metadata_json.clone(),
        };
        assert_eq!(back, entry);
        assert_eq!(stored.create_time, created, "when it was first stored");
        assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), std::slice::from_ref(&stored));
        let (word, gone) =
            if text_of(&stored) == "walrus" { ("walrus", "ocelot") } else { ("ocelot", "walrus") };
        assert_eq!(found(&calls, GLOBAL, word).await, [text_of(&stored)]);
        assert_eq!(found(&calls, GLOBAL, gone).await, [] as [&str; 0], "words of the old content");
    }
    // Into another session it moves; there is one of each id in a scope.
    let moved = calls.add_session(GLOBAL.session("t", vec![base()])).await.unwrap();
    assert_eq!(outcomes(&moved.results), [Updated]);
    assert_eq!(calls.delete_session("app", "user", None, "s").await.unwrap(), 0);
    assert_eq!(calls.delete_session("app", "user", None, "t").await.unwrap(), 1);
}

async fn s4_an_id_given_twice_in_one_call_stands_as_it_was_given_last(server: TestServer) {
    let calls = server.calls().await;
    let large = "ocelot ".repeat(3_000);
    let entries =
        vec![named("e", "walrus"), named("e", "walrus"), named("e", &large), named("e", "lynx")];
    let answer = calls.add_session(GLOBAL.session("s", entries)).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Created, Unchanged, Updated, Updated]);
    assert_eq!(listed(&calls, GLOBAL).await, ["lynx"]);
    for (word, hits) in [("walrus", 0), ("ocelot", 0), ("lynx", 1)] {
        assert_eq!(found(&calls, GLOBAL, word).await.len(), hits, "{word}");
    }
    assert_eq!(calls.delete_session("app", "user", None, "s").await.unwrap(), 1);
}

async fn s4_unset_times_are_left_out_of_the_identity(server: TestServer) {
    let calls = server.calls().await;
    let entries = || vec![new_entry("one"), new_entry("two"), new_entry("three")];
    let first = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    assert_eq!(outcomes(&first.results), [Created; 3]);
    let stored = calls.list_all(GLOBAL.listing()).await.unwrap();
    let newest_first: Vec<_> = stored.iter().map(text_of).collect();
    assert_eq!(newest_first, ["three", "two", "one"], "they keep the order of the call");
    let again = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    assert_eq!(outcomes(&again.results), [Unchanged; 3]);
    assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), stored, "times stay");
    // An update without a time of a derived entry was still said when it was first said.
    let updated = NewEntry { metadata_json: Some("{}".into()), ..new_entry("two") };
    let answer = calls.add_session(GLOBAL.session("s", vec![updated])).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Updated]);
    let listed = calls.list_all(GLOBAL.listing()).await.unwrap();
    assert_eq!(ids(&listed), ids(&stored));
    assert_eq!(listed[1].timestamp, stored[1].timestamp);
}

async fn s4_a_call_with_a_mistake_adds_nothing(server: TestServer) {
    let calls = server.calls().await;
    calls.add_session(GLOBAL.session("s", vec![named("old", "old walrus")])).await.unwrap();
    for mode in [WriteMode::Upsert, WriteMode::Replace] {
        let mut entries: Vec<_> = (0..50).map(|n| named(&n.to_string(), "walrus")).collect();
        entries[49].content = None;
        let request =
            AddSessionRequest { mode: mode.into(), ..GLOBAL.session("s", entries.clone()) };
        calls.add_session(request).await.unwrap_err();
        calls.add_entries(GLOBAL.entries(entries)).await.unwrap_err();
        assert_eq!(listed(&calls, GLOBAL).await, ["old walrus"]);
    }
}

async fn s4_entries_are_added_directly_the_same_way(server: TestServer) {
    let calls = server.calls().await;
    let entries = || vec![said("walrus"), said("walrus"), named("e", "ocelot")];
    let first = calls.add_entries(GLOBAL.entries(entries())).await.unwrap();
    assert_eq!(outcomes(&first.results), [Created; 3]);
    let again = calls.add_entries(GLOBAL.entries(entries())).await.unwrap();
    assert_eq!(outcomes(&again.results), [Unchanged; 3]);
    assert_eq!(result_ids(&again.results), result_ids(&first.results));
    let updated = calls.add_entries(GLOBAL.entries(vec![named("e", "lynx")])).await.unwrap();
    assert_eq!(outcomes(&updated.results), [Updated]);
    // The same words in a session are another entry.
    let in_session = calls.add_session(GLOBAL.session("s", vec![said("walrus")])).await.unwrap();
    assert_eq!(outcomes(&in_session.results), [Created]);
    let entries = calls.list_all(GLOBAL.listing()).await.unwrap();
    assert_eq!(entries.iter().filter(|entry| entry.session_id.is_none()).count(), 3);
    assert_eq!(calls.add_entries(GLOBAL.entries(vec![])).await.unwrap().results, []);
}
