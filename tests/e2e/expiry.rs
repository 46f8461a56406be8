//! Section 4: an entry whose time is over is hidden at once from every read and count, and removed soon.

use std::time::{Duration, SystemTime};

use memoryd::engine::{EmbedWhen, Engine, EngineOptions};
use memoryd::store::{Engine as StoreEngine, StoreOptions};
use memoryd::{Config, Durability, StoreKind};
use memoryd_proto::trailers;
use memoryd_proto::v1::Outcome::{Created, Unchanged, Updated};
use memoryd_proto::v1::*;
use prost_types::Timestamp;

use crate::harness::{
    Calls, GLOBAL, TestServer, assert_no_trace, at, found, listed, named, outcomes, said_after,
};

crate::on_every_store!(
    s4_what_is_over_is_hidden_from_every_read_and_count,
    s4_an_entry_is_there_until_its_time_and_not_after,
    s4_an_expired_entry_can_be_added_anew_and_its_time_moved,
);

/// A time that is over whenever it is read.
const OVER: Option<Timestamp> = Some(Timestamp { seconds: 1_600_000_000, nanos: 0 });
/// A time that no test sees.
const FAR: Option<Timestamp> = Some(Timestamp { seconds: 4_000_000_000, nanos: 0 });

fn until(expire_time: Option<Timestamp>, id: &str, text: &str) -> NewEntry {
    NewEntry { expire_time, ..named(id, text) }
}

fn soon(after: Duration) -> (Option<Timestamp>, SystemTime) {
    let time = SystemTime::now() + after;
    (Some(time.into()), time)
}

async fn wait_until(time: SystemTime) {
    while let Ok(left) = time.duration_since(SystemTime::now()) {
        tokio::time::sleep(left + Duration::from_millis(1)).await;
    }
}

async fn s4_what_is_over_is_hidden_from_every_read_and_count(server: TestServer) {
    let calls = server.calls().await;
    let over = |number: i64| {
        let id = number.to_string();
        NewEntry { entry_id: Some(id), expire_time: OVER, ..said_after(number, "walrus over") }
    };
    let there = |number: i64| NewEntry {
        entry_id: Some(format!("there {number}")),
        expire_time: if number % 2 == 0 { FAR } else { None },
        ..said_after(number, "ocelot there")
    };
    let entries = (0..10).map(|n| if n % 3 == 0 { there(n) } else { over(n) }).collect();
    let answer = calls.add_session(GLOBAL.session("s", entries)).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Created; 10]);
    let ids: Vec<_> = [1, 2, 4, 5, 7, 8].map(|number: i64| number.to_string()).to_vec();
    assert_no_trace(&calls, GLOBAL, "walrus", &ids).await;
    let request = SearchRequest { context: 5, ..GLOBAL.query("ocelot") };
    let search = calls.search(request).await.unwrap();
    assert_eq!((search.hits.len(), search.count(trailers::CONSIDERED)), (4, 4));
    for hit in search.hits {
        let around = [hit.context_before, hit.context_after].concat();
        assert_eq!(around.len(), 3, "neighbours are those that are there");
    }
    let filter = Some(EntryFilter { session_ids: vec!["s".into()], ..EntryFilter::default() });
    let list = ListEntriesRequest { filter, page_size: 2, ..GLOBAL.listing() };
    assert_eq!(calls.list_all(list).await.unwrap().len(), 4);
    assert_eq!(calls.delete_entries(GLOBAL.deletion_of(&ids)).await.unwrap().deleted_count, 0);
    assert_eq!(calls.delete_session("app", "user", None, "s").await.unwrap(), 4);

    let place = GLOBAL.in_project("p");
    for (what, count) in [("project", 1), ("user", 1)] {
        let entries = vec![until(OVER, "a", "walrus"), until(FAR, "b", "walrus")];
        calls.add_session(place.session("s", entries)).await.unwrap();
        let deleted = match what {
            "project" => calls.delete_project("app", "user", "p").await.unwrap(),
            _ => calls.delete_user("app", "user").await.unwrap(),
        };
        assert_eq!(deleted, count, "{what}");
    }
}

/// Asserts that the entry "e" is there, or that its time is over by now.
async fn assert_there_before(calls: &Calls, time: SystemTime) {
    let seen = [
        calls.get(GLOBAL.get("e")).await.is_ok(),
        found(calls, GLOBAL, "walrus").await == ["walrus"],
        listed(calls, GLOBAL).await == ["walrus"],
    ];
    assert!(seen == [true; 3] || SystemTime::now() >= time, "{seen:?} before its time was over");
}

async fn s4_an_entry_is_there_until_its_time_and_not_after(server: TestServer) {
    let calls = server.calls().await;
    let (expire_time, time) = soon(Duration::from_millis(700));
    let entries = vec![until(expire_time, "e", "walrus")];
    calls.add_session(GLOBAL.session("s", entries)).await.unwrap();
    assert_there_before(&calls, time).await;
    wait_until(time).await;
    assert_no_trace(&calls, GLOBAL, "walrus", &["e".into()]).await;
    assert_eq!(calls.delete_user("app", "user").await.unwrap(), 0);
}

async fn s4_an_expired_entry_can_be_added_anew_and_its_time_moved(server: TestServer) {
    let calls = server.calls().await;
    let add = async |entry: NewEntry| {
        let answer = calls.add_session(GLOBAL.session("s", vec![entry])).await.unwrap();
        outcomes(&answer.results)[0]
    };
    assert_eq!(add(until(OVER, "e", "walrus")).await, Created);
    assert_eq!(add(until(FAR, "e", "walrus")).await, Created, "it wasn't there any more");
    assert_eq!(found(&calls, GLOBAL, "walrus").await, ["walrus"]);
    assert_eq!(add(until(FAR, "e", "walrus")).await, Unchanged);
    assert_eq!(add(until(None, "e", "walrus")).await, Updated);
    assert_eq!(calls.get(GLOBAL.get("e")).await.unwrap().expire_time, None);
    assert_eq!(add(until(OVER, "e", "walrus")).await, Updated);
    assert_no_trace(&calls, GLOBAL, "walrus", &["e".into()]).await;
    // A replacement has nothing of what is over to remove.
    let answer = calls.add_session(GLOBAL.replacement("s", vec![named("f", "x")])).await.unwrap();
    assert_eq!(answer.removed_count, 0);
}

/// Sweeps the data of a server that has stopped and answers how many entries that removed.
async fn sweep(server: &TestServer) -> u64 {
    let store = StoreOptions {
        engine: StoreEngine::Sled {
            directory: server.data_dir().to_owned(),
            cache_bytes: 16 * 1024 * 1024,
        },
        durability: Durability::default(),
    };
    let options = EngineOptions {
        store,
        memory_budget: 1024 * 1024,
        least_free_bytes: 0,
        embedder: None,
        embed: EmbedWhen::default(),
    };
    let engine = tokio::task::spawn_blocking(|| Engine::open(options, Box::new(|_| ())));
    let engine = engine.await.unwrap().unwrap();
    let swept = engine.sweep().await.unwrap();
    tokio::task::spawn_blocking(move || engine.shutdown()).await.unwrap();
    swept
}

/// Entries of several scopes and users, small and in chunks, of which three are over.
async fn add_some_that_are_over(calls: &Calls) {
    let large = "walrus ".repeat(3_000);
    let entries =
        vec![until(OVER, "over", &large), until(FAR, "far", "walrus"), named("never", "x")];
    calls.add_session(GLOBAL.session("s", entries)).await.unwrap();
    for place in [GLOBAL.in_project("p"), crate::harness::user("another")] {
        calls.add_entries(place.entries(vec![until(OVER, "over", "walrus")])).await.unwrap();
    }
}

#[tokio::test]
async fn s4_the_sweep_removes_what_is_over_by_itself() {
    let often = Config { sweep_interval: Duration::from_millis(20), ..Config::default() };
    let seldom = Config { sweep_interval: Duration::from_secs(3_600), ..Config::default() };
    let mut unswept = TestServer::start_with(seldom).await;
    add_some_that_are_over(&unswept.calls().await).await;
    unswept.stop().await;
    assert_eq!(sweep(&unswept).await, 3, "nothing else removes them");
    assert_eq!(sweep(&unswept).await, 0);

    let mut left = 3;
    for _ in 0..20 {
        let mut swept = TestServer::start_with(often.clone()).await;
        add_some_that_are_over(&swept.calls().await).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        swept.stop().await;
        left = sweep(&swept).await;
        if left == 0 {
            break;
        }
    }
    assert_eq!(left, 0, "the sweep leaves what is over");
}

#[tokio::test]
async fn s4_an_update_keeps_or_moves_the_time_also_for_the_sweep() {
    let seldom = Config { sweep_interval: Duration::from_secs(3_600), ..Config::default() };
    let mut server = TestServer::start_with(seldom).await;
    let calls = server.calls().await;
    let (expire_time, time) = soon(Duration::from_millis(1_500));
    let before = ["kept", "moved", "freed", "deleted"];
    let of = |expire_time, id: &str, text: &str| vec![until(expire_time, id, text)];
    for id in before {
        calls.add_session(GLOBAL.session("s", of(expire_time, id, "walrus"))).await.unwrap();
    }
    calls.add_session(GLOBAL.session("s", of(expire_time, "kept", "anew"))).await.unwrap();
    calls.add_session(GLOBAL.session("s", of(FAR, "moved", "walrus"))).await.unwrap();
    calls.add_session(GLOBAL.session("s", of(None, "freed", "walrus"))).await.unwrap();
    calls.delete_entries(GLOBAL.deletion_of(&["deleted"])).await.unwrap();
    wait_until(time).await;
    assert_eq!(listed(&calls, GLOBAL).await, ["walrus", "walrus"]);
    server.stop().await;
    assert_eq!(sweep(&server).await, 1, "only the one that kept its time");
    server.restart().await;
    let calls = server.calls().await;
    assert_eq!(listed(&calls, GLOBAL).await, ["walrus", "walrus"]);
    assert_eq!(calls.get(GLOBAL.get("moved")).await.unwrap().expire_time, Some(at(4_000_000_000)));
}

#[tokio::test]
async fn s4_what_is_over_stays_hidden_after_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    add_some_that_are_over(&server.calls().await).await;
    server.restart().await;
    let calls = server.calls().await;
    assert_eq!(listed(&calls, GLOBAL.in_project("p")).await, ["walrus", "x"]);
    assert_no_trace(&calls, GLOBAL.in_project("p"), "absent", &["over".into()]).await;
    assert_eq!(calls.delete_user("app", "user").await.unwrap(), 2);
}
