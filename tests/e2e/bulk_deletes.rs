//! Section 7: deleting much is no burden to others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use memoryd::StoreKind;
use memoryd_proto::v1::*;

use crate::harness::{Calls, GLOBAL, Place, TestServer, listed, named, user};

/// Entries deleted at once; a release build takes far more.
const ENTRIES: usize = 3_000;
/// How long another tenant may wait for a write or a search meanwhile, unoptimised and on a busy machine:
/// far less than the deletion takes when it holds others up.
const PATIENCE: Duration = Duration::from_secs(2);

async fn fill(calls: &Calls, place: Place<'_>, prefix: &str) {
    let ids: Vec<_> = (0..ENTRIES).map(|number| format!("{prefix} {number}")).collect();
    for part in ids.chunks(1_000) {
        let entries = part.iter().map(|id| named(id, "walrus")).collect();
        let add = AddSessionRequest { restore_deleted: true, ..place.session("s", entries) };
        calls.add_session(add).await.unwrap();
    }
}

/// Writes and searches as another tenant until told to stop; answers how often, and the longest wait.
async fn work_beside(calls: Calls, stop: Arc<AtomicBool>) -> (usize, Duration) {
    let place = user("another");
    let (mut rounds, mut longest) = (0, Duration::ZERO);
    while !stop.load(Ordering::Relaxed) {
        let begun = Instant::now();
        calls.add_session(place.session("s", vec![named("e", &rounds.to_string())])).await.unwrap();
        let found = calls.search(place.query(&rounds.to_string())).await.unwrap();
        assert_eq!(found.hits.len(), 1);
        longest = longest.max(begun.elapsed());
        rounds += 1;
    }
    (rounds, longest)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memos_1103_deleting_many_entries_blocks_no_other_tenant() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    for what in ["entries", "session", "project", "user"] {
        fill(&calls, place, what).await;
        let stop = Arc::<AtomicBool>::default();
        let beside = tokio::spawn(work_beside(server.calls().await, Arc::clone(&stop)));
        let deleted = match what {
            "entries" => {
                calls.delete_entries(place.deletion("walrus")).await.unwrap().deleted_count
            }
            "session" => calls.delete_session("app", "user", Some("p"), "s").await.unwrap(),
            "project" => calls.delete_project("app", "user", "p").await.unwrap(),
            _ => calls.delete_user("app", "user").await.unwrap(),
        };
        stop.store(true, Ordering::Relaxed);
        assert_eq!(deleted, ENTRIES as u64, "{what}");
        let (rounds, longest) = beside.await.unwrap();
        assert!(rounds > 0 && longest < PATIENCE, "{what}: {rounds} rounds, longest {longest:?}");
        assert_eq!(listed(&calls, place).await, [] as [&str; 0], "{what}");
    }
}
