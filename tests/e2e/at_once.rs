//! Section 4: reads see every acknowledged write at once, and each write whole.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memoryd_proto::v1::*;
use tokio::task::JoinSet;

use crate::harness::{Calls, GLOBAL, Place, TestServer, found, listed, named, said, text_of};

crate::on_every_store!(
    jcode_491_a_write_is_read_at_once_from_another_connection,
    adk_python_6167_sixteen_tasks_add_search_and_delete_at_once,
    adk_python_6167_a_list_is_of_one_moment,
    adk_python_6167_a_large_entry_is_read_while_it_is_updated,
);

async fn jcode_491_a_write_is_read_at_once_from_another_connection(server: TestServer) {
    let (writer, reader) = (server.calls().await, server.calls().await);
    for place in [GLOBAL, GLOBAL.in_project("p")] {
        for number in 0..8 {
            let word = format!("walrus{number}");
            let entry = vec![named("e", &word)];
            writer.add_session(place.session("s", entry)).await.unwrap();
            assert_eq!(found(&reader, place, &word).await, [word.as_str()]);
            writer.delete_entries(place.deletion_of(&["e"])).await.unwrap();
            assert_eq!(found(&reader, place, &word).await, [] as [&str; 0]);
            let entry = AddEntriesRequest {
                restore_deleted: true,
                ..place.entries(vec![named("e", &word)])
            };
            writer.add_entries(entry).await.unwrap();
            assert_eq!(text_of(&reader.get(place.get("e")).await.unwrap()), word);
            assert_eq!(listed(&reader, place).await, [word.as_str()]);
            let user = reader.delete_user("app", "user").await.unwrap();
            assert_eq!(user, 1);
            assert_eq!(listed(&writer, place).await, [] as [&str; 0]);
        }
    }
}

/// Rounds of each of the sixteen tasks.
const ROUNDS: usize = 6;

/// What one task does in a session of its own, in a scope that it shares: after each answer it sees exactly
/// what it did.
async fn work(calls: Calls, place: Place<'static>, task: usize) {
    let session = format!("session of {task}");
    let mine = |texts: Vec<String>| -> Vec<String> {
        let suffix = format!("of task{task}");
        texts.into_iter().filter(|text| text.ends_with(&suffix)).collect()
    };
    for round in 0..ROUNDS {
        let text = |number: usize| format!("walrus {round} {number} of task{task}");
        let entries = (0..3).map(|number| said(&text(number))).collect();
        calls.add_session(place.session(&session, entries)).await.unwrap();
        let expected: Vec<_> = (0..3).map(text).collect();
        assert_eq!(mine(found(&calls, place, "walrus").await), expected);
        assert_eq!(mine(listed(&calls, place).await), expected);
        match round % 3 {
            0 => {
                let request = place.deletion(&format!("walrus task{task}"));
                let deleted = calls.delete_entries(request).await.unwrap().deleted_count;
                assert_eq!(deleted, 3);
            }
            1 => {
                let Place { app, user, project } = place;
                let deleted = calls.delete_session(app, user, project, &session).await.unwrap();
                assert_eq!(deleted, 3);
            }
            _ => {
                let last = vec![said(&text(9))];
                let answer = calls.add_session(place.replacement(&session, last)).await.unwrap();
                assert_eq!(answer.removed_count, 3);
                let deleted = calls.delete_entries(place.deletion(&text(9))).await.unwrap();
                assert_eq!(deleted.deleted_count, 1);
            }
        }
        assert_eq!(mine(found(&calls, place, "walrus").await), [] as [&str; 0]);
    }
}

async fn adk_python_6167_sixteen_tasks_add_search_and_delete_at_once(server: TestServer) {
    let places = [GLOBAL, GLOBAL.in_project("p"), crate::harness::user("another")];
    let mut tasks = JoinSet::new();
    for task in 0..16 {
        tasks.spawn(work(server.calls().await, places[task % places.len()], task));
    }
    tasks.join_all().await;
    let calls = server.calls().await;
    for place in places {
        assert_eq!(listed(&calls, place).await, [] as [&str; 0], "{place:?}");
    }
}

/// Whether a flag has been set.
fn seen(flag: &Arc<AtomicBool>) -> impl Fn() -> bool + use<> {
    let flag = Arc::clone(flag);
    move || flag.load(Ordering::Relaxed)
}

async fn adk_python_6167_a_list_is_of_one_moment(server: TestServer) {
    let version = |number: usize| {
        (0..150).map(|entry| said(&format!("walrus {number} {entry}"))).collect::<Vec<_>>()
    };
    let calls = server.calls().await;
    calls.add_session(GLOBAL.session("s", version(0))).await.unwrap();
    let stop = Arc::<AtomicBool>::default();
    let stopped = seen(&stop);
    let writer = server.calls().await;
    let writing = tokio::spawn(async move {
        let mut number = 0;
        while !stopped() {
            number += 1;
            writer.add_session(GLOBAL.replacement("s", version(number))).await.unwrap();
        }
        number
    });
    // Another reader brings the tenant up to date in the middle of this one's reads.
    let (reader, read_enough) = (server.calls().await, seen(&stop));
    let reading = tokio::spawn(async move {
        while !read_enough() {
            reader.search(GLOBAL.query("nothing")).await.unwrap();
        }
    });
    for _ in 0..12 {
        // Never half of a version, and never of two.
        let listed = calls.list(GLOBAL.listing()).await.unwrap().entries;
        let versions: HashSet<String> = listed
            .iter()
            .map(|entry| text_of(entry).split(' ').nth(1).unwrap().to_owned())
            .collect();
        assert_eq!((listed.len(), versions.len()), (150, 1));
        // A search streams: what is replaced before its turn is left out, what comes is of one version.
        let hits = calls.search(GLOBAL.query("walrus")).await.unwrap().texts();
        let versions: HashSet<_> =
            hits.iter().map(|text| text.split(' ').nth(1).unwrap()).collect();
        assert!(versions.len() <= 1 && hits.len() <= 150, "{hits:?}");
    }
    stop.store(true, Ordering::Relaxed);
    reading.await.unwrap();
    assert!(writing.await.unwrap() > 1, "nothing was written meanwhile");
}

async fn adk_python_6167_a_large_entry_is_read_while_it_is_updated(server: TestServer) {
    // Too large for one record of the store.
    let large = |number: usize| {
        let data = vec![u8::try_from(number % 256).unwrap(); 60_000];
        let blob = crate::harness::parts::inline(data);
        let kind = part::Kind::InlineData(blob);
        let parts = vec![crate::harness::parts::text("walrus"), crate::harness::parts::part(kind)];
        let entry = crate::harness::parts::of_parts(parts);
        vec![NewEntry { entry_id: Some("large".into()), ..entry }]
    };
    let calls = server.calls().await;
    calls.add_session(GLOBAL.session("s", large(0))).await.unwrap();
    let stop = Arc::<AtomicBool>::default();
    let stopped = seen(&stop);
    let writer = server.calls().await;
    let writing = tokio::spawn(async move {
        let mut number = 0;
        while !stopped() {
            number += 1;
            writer.add_session(GLOBAL.session("s", large(number))).await.unwrap();
            // Unoptimised, a read takes longer than an update: it is to come through now and then.
            tokio::time::sleep(std::time::Duration::from_millis(30)).await;
        }
        number
    });
    for _ in 0..12 {
        let got = calls.get(GLOBAL.get("large")).await.unwrap();
        let listed = calls.list(GLOBAL.listing()).await.unwrap().entries;
        assert_eq!(listed.len(), 1, "an entry that is there isn't listed");
        for entry in [got, listed[0].clone()] {
            let Some(part::Kind::InlineData(blob)) = &entry.content.unwrap().parts[1].kind else {
                panic!("another part");
            };
            assert_eq!(blob.data.len(), 60_000);
            assert!(blob.data.iter().all(|byte| *byte == blob.data[0]), "of two versions");
        }
    }
    stop.store(true, Ordering::Relaxed);
    assert!(writing.await.unwrap() > 1, "nothing was written meanwhile");
}
