//! Section 7: after a session, a project or a user is deleted, nothing of it is in any read, and everything
//! can be begun anew.

use std::sync::Arc;

use memoryd::StoreKind;
use memoryd::store::{CommitListener, Engine as StoreEngine, KeyRange, Store, StoreOptions};
use memoryd_proto::v1::Outcome::Created;
use memoryd_proto::v1::*;

use crate::harness::{
    Calls, GLOBAL, Place, TestServer, assert_no_trace, found, listed, named, outcomes, user,
};

crate::on_every_store!(
    s7_after_a_delete_nothing_is_in_any_read_and_all_can_begin_anew,
    s7_deleting_a_project_leaves_the_global_scope_and_other_projects,
    cognee_3526_no_count_of_the_index_remembers_what_was_deleted,
    s7_of_deletes_at_once_each_entry_is_counted_once,
);

const WHAT: [&str; 3] = ["session", "project", "user"];

async fn delete(calls: &Calls, what: &str, place: Place<'_>) -> u64 {
    let Place { app, user, project } = place;
    match what {
        "session" => calls.delete_session(app, user, project, "s").await.unwrap(),
        "project" => calls.delete_project(app, user, project.unwrap()).await.unwrap(),
        _ => calls.delete_user(app, user).await.unwrap(),
    }
}

/// Entries of every size: of one record and of several.
fn entries() -> Vec<NewEntry> {
    let large = "walrus ".repeat(3_000);
    let expire_time = Some(crate::harness::at(4_000_000_000));
    vec![
        named("small", "a walrus"),
        named("large", &large),
        NewEntry { expire_time, ..named("expiring", "a walrus for some time") },
    ]
}

async fn s7_after_a_delete_nothing_is_in_any_read_and_all_can_begin_anew(server: TestServer) {
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    let ids = ["small", "large", "expiring"].map(str::to_owned);
    for what in WHAT {
        for round in 0..2 {
            let answer = calls.add_session(place.session("s", entries())).await.unwrap();
            assert_eq!(outcomes(&answer.results), [Created; 3], "{what}, round {round}");
            assert_eq!(found(&calls, place, "walrus").await.len(), 3);
            assert_eq!(delete(&calls, what, place).await, 3, "{what}");
            for seen_from in [place, GLOBAL] {
                assert_no_trace(&calls, seen_from, "walrus", &ids).await;
                assert_eq!(listed(&calls, seen_from).await, [] as [&str; 0]);
            }
            assert_eq!(delete(&calls, what, place).await, 0, "a retry of deleting a {what}");
        }
    }
}

async fn s7_deleting_a_project_leaves_the_global_scope_and_other_projects(server: TestServer) {
    let calls = server.calls().await;
    let places = [GLOBAL, GLOBAL.in_project("p"), GLOBAL.in_project("pp"), GLOBAL.in_project("q")];
    for place in places {
        calls.add_session(place.session("s", entries())).await.unwrap();
    }
    assert_eq!(calls.delete_project("app", "user", "p").await.unwrap(), 3);
    for place in places {
        let own = calls.list_all(place.listing()).await.unwrap();
        let own = own.iter().filter(|entry| entry.project_id.as_deref() == place.project).count();
        assert_eq!(own, if place.project == Some("p") { 0 } else { 3 }, "{place:?}");
        for id in ["small", "large", "expiring"] {
            let is_there = calls.get(place.get(id)).await.is_ok();
            assert_eq!(is_there, place.project != Some("p"), "{place:?}");
        }
    }
    assert_eq!(calls.delete_user("app", "user").await.unwrap(), 9);
}

async fn cognee_3526_no_count_of_the_index_remembers_what_was_deleted(server: TestServer) {
    let calls = server.calls().await;
    let explained = async |place: Place<'static>| {
        let request = SearchRequest { explain: true, ..place.query("walrus") };
        let hit = calls.search(request).await.unwrap().hits.remove(0);
        let explanation = hit.explanation.unwrap();
        (explanation.terms[0].document_frequency, hit.score, explanation.rank_value)
    };
    let (fresh, used) = (user("fresh"), user("used"));
    for place in [fresh, used] {
        calls.add_session(place.session("t", vec![named("kept", "one walrus")])).await.unwrap();
    }
    let many = || (0..30).map(|n| named(&n.to_string(), "walrus walrus and more words")).collect();
    for what in ["session", "entries", "project", "updated"] {
        let place = if what == "project" { used.in_project("p") } else { used };
        calls.add_session(place.session("s", many())).await.unwrap();
        match what {
            "entries" => {
                calls.delete_entries(place.deletion("more")).await.unwrap();
            }
            "updated" => {
                let anew = (0..30).map(|n| named(&n.to_string(), "ocelot")).collect();
                calls.add_session(place.session("s", anew)).await.unwrap();
                delete(&calls, "session", place).await;
            }
            what => {
                delete(&calls, what, place).await;
            }
        }
        // As if it had never been there: neither counts nor scores differ.
        assert_eq!(explained(used).await, explained(fresh).await, "{what}");
        calls.delete_session("app", "used", None, "s").await.unwrap();
    }
}

async fn s7_of_deletes_at_once_each_entry_is_counted_once(server: TestServer) {
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    for round in 0..6 {
        let entries = (0..200).map(|n| named(&n.to_string(), "walrus")).collect();
        let add = AddSessionRequest { restore_deleted: true, ..place.session("s", entries) };
        calls.add_session(add).await.unwrap();
        let mut deletes = tokio::task::JoinSet::new();
        for number in 0..6 {
            let calls = server.calls().await;
            deletes.spawn(async move {
                match (number + round) % 4 {
                    0 => delete(&calls, "session", place).await,
                    1 => delete(&calls, "project", place).await,
                    2 => {
                        calls.delete_entries(place.deletion("walrus")).await.unwrap().deleted_count
                    }
                    _ => {
                        let ids: Vec<_> = (50..150).map(|number| number.to_string()).collect();
                        let request = place.deletion_of(&ids);
                        calls.delete_entries(request).await.unwrap().deleted_count
                    }
                }
            });
        }
        let counts = deletes.join_all().await;
        assert_eq!(counts.iter().sum::<u64>(), 200, "{counts:?}");
        assert_eq!(listed(&calls, place).await, [] as [&str; 0]);
    }
}

/// Hears of commits and does nothing.
struct Deaf;

impl CommitListener<()> for Deaf {
    fn committed(&self, _commit: u64, (): ()) {}
}

/// How many rows the store has of the user of tests, in the data of a server that has stopped.
fn rows_of_user(server: &TestServer) -> usize {
    let directory = server.data_dir().to_owned();
    let engine = StoreEngine::Sled { directory, cache_bytes: 16 * 1024 * 1024 };
    let options = StoreOptions { engine, durability: memoryd::Durability::default() };
    let store: Store<()> = Store::open(options, Arc::new(Deaf), Box::new(|_| ())).unwrap();
    let user = store.digester().user("app", "user");
    let rows = store.scan_keys(&KeyRange::user(&user), usize::MAX).unwrap().len();
    store.shutdown();
    rows
}

#[tokio::test]
async fn cognee_3526_no_key_of_the_store_holds_what_was_deleted() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let place = GLOBAL.in_project("p");
    for what in ["nothing", "session", "project", "user"] {
        let calls = server.calls().await;
        calls.add_session(place.session("s", entries())).await.unwrap();
        // Marks of deleted entries go as well.
        calls.delete_entries(place.deletion_of(&["small"])).await.unwrap();
        if what != "nothing" {
            assert_eq!(delete(&calls, what, place).await, 2);
        }
        server.stop().await;
        let rows = rows_of_user(&server);
        assert_eq!(rows == 0, what != "nothing", "{rows} rows after deleting the {what}");
        server.restart().await;
    }
}
