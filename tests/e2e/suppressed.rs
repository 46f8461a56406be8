//! Section 4: an entry that was deleted stays deleted when its session is sent again.

use memoryd::StoreKind;
use memoryd_proto::v1::Outcome::{Created, Suppressed, Unchanged, Updated};
use memoryd_proto::v1::*;

use crate::harness::{
    Calls, GLOBAL, Place, TestServer, assert_no_trace, found, listed, named, outcomes, result_ids,
    said,
};

crate::on_every_store!(
    s4_a_deleted_entry_stays_deleted_until_it_is_asked_back,
    s4_a_deleted_id_is_suppressed_whatever_it_says_now,
    s4_marks_are_of_their_scope_only,
    s4_deleting_more_forgets_the_marks,
);

fn entries() -> Vec<NewEntry> {
    vec![said("a walrus in spring"), named("given", "a walrus in autumn"), said("an ocelot")]
}

async fn add(calls: &Calls, place: Place<'_>) -> Vec<Outcome> {
    outcomes(&calls.add_session(place.session("s", entries())).await.unwrap().results)
}

async fn s4_a_deleted_entry_stays_deleted_until_it_is_asked_back(server: TestServer) {
    let calls = server.calls().await;
    let first = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
    let ids = result_ids(&first.results);
    let deleted = calls.delete_entries(GLOBAL.deletion("walrus")).await.unwrap();
    assert_eq!(deleted.deleted_count, 2);
    for _ in 0..3 {
        let again = calls.add_session(GLOBAL.session("s", entries())).await.unwrap();
        assert_eq!(outcomes(&again.results), [Suppressed, Suppressed, Unchanged]);
        assert_eq!(result_ids(&again.results), ids, "a suppressed entry still has its id");
        assert_no_trace(&calls, GLOBAL, "walrus", &ids[..2]).await;
    }
    // A replacement doesn't bring them back, nor forget that they were deleted.
    let replaced = calls.add_session(GLOBAL.replacement("s", entries())).await.unwrap();
    assert_eq!(outcomes(&replaced.results), [Suppressed, Suppressed, Unchanged]);
    let without = calls.add_session(GLOBAL.replacement("s", vec![said("else")])).await.unwrap();
    assert_eq!((outcomes(&without.results), without.removed_count), (vec![Created], 1));
    assert_eq!(add(&calls, GLOBAL).await, [Suppressed, Suppressed, Created]);

    let restore = AddSessionRequest { restore_deleted: true, ..GLOBAL.session("s", entries()) };
    let restored = calls.add_session(restore.clone()).await.unwrap();
    assert_eq!(outcomes(&restored.results), [Created, Created, Unchanged]);
    assert_eq!(found(&calls, GLOBAL, "walrus").await.len(), 2);
    assert_eq!(add(&calls, GLOBAL).await, [Unchanged; 3], "it is forgotten that they were deleted");
    assert_eq!(outcomes(&calls.add_session(restore).await.unwrap().results), [Unchanged; 3]);
}

async fn s4_a_deleted_id_is_suppressed_whatever_it_says_now(server: TestServer) {
    let calls = server.calls().await;
    add(&calls, GLOBAL).await;
    calls.delete_entries(GLOBAL.deletion_of(&["given"])).await.unwrap();
    let anew = || vec![named("given", "a lynx now")];
    let answer = calls.add_session(GLOBAL.session("s", anew())).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Suppressed]);
    let answer = calls.add_session(GLOBAL.session("another", anew())).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Suppressed]);
    let answer = calls.add_entries(GLOBAL.entries(anew())).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Suppressed]);
    assert_no_trace(&calls, GLOBAL, "lynx", &["given".into()]).await;
    let restore = AddEntriesRequest { restore_deleted: true, ..GLOBAL.entries(anew()) };
    assert_eq!(outcomes(&calls.add_entries(restore).await.unwrap().results), [Created]);
    let other = vec![named("given", "another lynx")];
    let answer = calls.add_entries(GLOBAL.entries(other)).await.unwrap();
    assert_eq!(outcomes(&answer.results), [Updated]);
    assert_eq!(found(&calls, GLOBAL, "lynx").await, ["another lynx"]);
}

async fn s4_marks_are_of_their_scope_only(server: TestServer) {
    let calls = server.calls().await;
    let places =
        [GLOBAL, GLOBAL.in_project("p"), GLOBAL.in_project("q"), crate::harness::user("u")];
    for place in places {
        assert_eq!(add(&calls, place).await, [Created; 3]);
    }
    let deleted = calls.delete_entries(places[1].deletion("walrus")).await.unwrap();
    assert_eq!(deleted.deleted_count, 2);
    for place in places {
        let marked = [Suppressed, Suppressed, Unchanged];
        let expected = if place == places[1] { marked } else { [Unchanged; 3] };
        assert_eq!(add(&calls, place).await, expected, "{place:?}");
    }
}

async fn s4_deleting_more_forgets_the_marks(server: TestServer) {
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    for what in ["session", "project", "user"] {
        assert_eq!(add(&calls, place).await, [Created; 3], "{what}");
        let direct = vec![named("direct", "walrus")];
        calls.add_entries(place.entries(direct.clone())).await.unwrap();
        calls.delete_entries(place.deletion("walrus")).await.unwrap();
        let count = match what {
            "session" => calls.delete_session("app", "user", Some("p"), "s").await.unwrap(),
            "project" => calls.delete_project("app", "user", "p").await.unwrap(),
            _ => calls.delete_user("app", "user").await.unwrap(),
        };
        assert_eq!(count, 1, "deleting a {what} counts what was there");
        assert_eq!(add(&calls, place).await, [Created; 3], "{what}");
        // An entry that is in no session isn't forgotten with one.
        let answer = calls.add_entries(place.entries(direct)).await.unwrap();
        let expected = if what == "session" { Suppressed } else { Created };
        assert_eq!(outcomes(&answer.results), [expected], "{what}");
        calls.delete_user("app", "user").await.unwrap();
    }
}

#[tokio::test]
async fn s4_marks_survive_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    add(&calls, GLOBAL).await;
    calls.delete_entries(GLOBAL.deletion("walrus")).await.unwrap();
    server.restart().await;
    let calls = server.calls().await;
    assert_eq!(add(&calls, GLOBAL).await, [Suppressed, Suppressed, Unchanged]);
    server.restart().await;
    let calls = server.calls().await;
    assert_eq!(listed(&calls, GLOBAL).await, ["an ocelot"]);
    assert_eq!(calls.delete_session("app", "user", None, "s").await.unwrap(), 1);
    assert_eq!(
        add(&calls, GLOBAL).await,
        [Created; 3],
        "a session forgets its marks after a restart"
    );
}
