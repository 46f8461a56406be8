//! Two calls at once, in the one order that used to go wrong.

use std::sync::Arc;
use std::time::Duration;

use memoryd_proto::v1 as pb;

use super::slow_sync::SlowSync;
use crate::domain::*;
use crate::engine::{Engine, Interrupt, ReadError};

fn scope() -> Scope {
    let tenant =
        Tenant { app_name: AppName::new("app").unwrap(), user_id: UserId::new("user").unwrap() };
    Scope { tenant, project_id: None }
}

fn id(id: &str) -> EntryId {
    EntryId::new(id).unwrap()
}

pub(super) fn entry(given: &str, text: &str) -> NewEntry {
    let kind = Some(pb::part::Kind::Text(text.into()));
    let wire =
        pb::Content { role: String::new(), parts: vec![pb::Part { kind, extra_json: None }] };
    let mut violations = Violations::default();
    let content = Content::check(wire, "content", &mut violations);
    assert!(violations.is_empty());
    NewEntry {
        id: Some(id(given)),
        content,
        author: Author::new("").unwrap(),
        timestamp: None,
        expire_time: None,
        metadata_json: None,
    }
}

fn addition(entries: Vec<NewEntry>) -> AddEntries {
    AddEntries {
        scope: scope(),
        session_id: None,
        entries,
        mode: WriteMode::Upsert,
        restore_deleted: false,
    }
}

async fn add(engine: &Engine, entries: Vec<NewEntry>) -> Vec<Outcome> {
    let receipt = engine.add(Arc::new(engine.ticket()), addition(entries)).await.unwrap();
    receipt.results.into_iter().map(|result| result.outcome).collect()
}

async fn found(engine: &Engine, text: &str) -> usize {
    let query = SearchQuery {
        scope: scope(),
        text: text.into(),
        limit: 100,
        min_score: 0.0,
        mode: SearchMode::Lexical,
        filter: EntryFilter::default(),
        context: 0,
        explain: false,
        reference_time: None,
    };
    engine.search(query, Interrupt::default()).await.unwrap().hits.len()
}

fn deletion(ids: &[&str]) -> DeleteEntries {
    let target = DeleteTarget::Ids(ids.iter().map(|given| id(given)).collect());
    DeleteEntries { scope: scope(), target, dry_run: false }
}

async fn until(mut condition: impl FnMut() -> bool) {
    for _ in 0..2_000 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("what was waited for never came");
}

/// Time for a call to get as far as it can.
const SETTLING: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cold_search_during_an_update_misses_no_entry() {
    let disk = SlowSync::new();
    let engine = Engine::over(disk.clone()).unwrap();
    assert_eq!(add(&engine, vec![entry("e", "lighthouse old")]).await, [Outcome::Created]);
    assert_eq!(found(&engine, "lighthouse").await, 1);
    // The background task that keeps a warm tenant up to date may hold it for a moment.
    let user = engine.user_key(&scope().tenant);
    until(|| {
        engine.cache().forget(&user);
        engine.cache().find(&user).is_none()
    })
    .await;

    disk.hold();
    let updating = tokio::spawn({
        let engine = engine.clone();
        async move { add(&engine, vec![entry("e", "lighthouse new")]).await }
    });
    until(|| disk.is_waiting()).await;
    let searching = tokio::spawn({
        let engine = engine.clone();
        async move { found(&engine, "lighthouse").await }
    });
    tokio::time::sleep(SETTLING).await;
    disk.release();
    assert_eq!(updating.await.unwrap(), [Outcome::Updated]);
    assert_eq!(searching.await.unwrap(), 1, "an entry that was there all the time");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_read_that_the_disk_has_not_confirmed() {
    let disk = SlowSync::new();
    let engine = Engine::over(disk.clone()).unwrap();
    disk.hold();
    let adding = tokio::spawn({
        let engine = engine.clone();
        async move { add(&engine, vec![entry("e", "lighthouse")]).await }
    });
    until(|| disk.is_waiting()).await;
    let reading = tokio::spawn({
        let engine = engine.clone();
        async move { engine.get(scope(), id("e")).await.map(|entry| entry.id) }
    });
    // Sent again meanwhile, it is not told to be there before it is.
    let again = tokio::spawn({
        let engine = engine.clone();
        async move { add(&engine, vec![entry("e", "lighthouse")]).await }
    });
    tokio::time::sleep(SETTLING).await;
    assert_eq!(found(&engine, "lighthouse").await, 0);
    assert!(!reading.is_finished() && !again.is_finished());
    disk.release();
    assert_eq!(adding.await.unwrap(), [Outcome::Created]);
    assert_eq!(again.await.unwrap(), [Outcome::Unchanged]);
    assert_eq!(reading.await.unwrap().unwrap(), id("e"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_addition_made_ready_before_a_delete_does_not_undo_it() {
    let disk = SlowSync::new();
    let engine = Engine::over(disk.clone()).unwrap();
    add(&engine, vec![entry("e", "lighthouse"), entry("other", "x")]).await;

    // The committer is busy, so both calls are made ready against the same state.
    disk.hold();
    let blocker = tokio::spawn({
        let engine = engine.clone();
        async move { add(&engine, vec![entry("other", "y")]).await }
    });
    until(|| disk.is_waiting()).await;
    let deleting = tokio::spawn({
        let engine = engine.clone();
        async move { engine.delete_entries(deletion(&["e"])).await.unwrap().count }
    });
    tokio::time::sleep(SETTLING).await;
    // The same as stored, then another content under the same id.
    let adding = tokio::spawn({
        let engine = engine.clone();
        async move { add(&engine, vec![entry("e", "lighthouse"), entry("e", "tower")]).await }
    });
    tokio::time::sleep(SETTLING).await;
    disk.release();
    blocker.await.unwrap();
    assert_eq!(deleting.await.unwrap(), 1);
    assert_eq!(adding.await.unwrap(), [Outcome::Suppressed, Outcome::Suppressed]);
    assert!(matches!(engine.get(scope(), id("e")).await, Err(ReadError::NotFound(_))));
    assert_eq!(found(&engine, "lighthouse tower").await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deletion_behind_an_erasure_uses_the_new_key() {
    let engine = Engine::over(SlowSync::new()).unwrap();
    add(&engine, vec![entry("e", "lighthouse")]).await;
    let user = engine.user_key(&scope().tenant);
    let gate = engine.fences().gate(&user);
    let erasing = gate.write().await;
    let deleting = tokio::spawn({
        let engine = engine.clone();
        async move { engine.delete_entries(deletion(&["e"])).await.unwrap().count }
    });
    tokio::time::sleep(SETTLING).await;
    // While the deletion waits, the user is erased and says something again, under a new key.
    assert_eq!(engine.erase_user(user).await.unwrap(), 1);
    let digest = engine.scope_digest(&scope());
    let again = addition(vec![entry("e", "lighthouse"), entry("stays", "lighthouse")]);
    let prepared = tokio::task::spawn_blocking({
        let engine = engine.clone();
        move || engine.prepare(user, digest, &again).unwrap()
    });
    let prepared = prepared.await.unwrap();
    let payload = crate::engine::change::TenantChange { user, changes: prepared.changes };
    let (conditions, operations) = (prepared.conditions, prepared.operations);
    let proposal = crate::store::Proposal { conditions, operations, payload };
    engine.commit(proposal).await.unwrap();
    drop(erasing);

    assert_eq!(deleting.await.unwrap(), 1);
    assert!(matches!(engine.get(scope(), id("e")).await, Err(ReadError::NotFound(_))));
    assert_eq!(engine.get(scope(), id("stays")).await.unwrap().id, id("stays"));
    assert_eq!(found(&engine, "lighthouse").await, 1);
}
