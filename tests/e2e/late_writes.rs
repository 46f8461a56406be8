//! Section 4: a write that began before a delete of its scope never appears after the delete has answered.

use memoryd_proto::v1::Outcome::{Created, Suppressed};
use memoryd_proto::v1::*;
use prost::Message;
use tonic::Code;

use crate::harness::{
    Calls, GLOBAL, Place, RawConnection, SlowCall, TestServer, assert_no_trace, listed, named,
    outcomes, user,
};

crate::on_every_store!(
    deer_flow_3364_a_slow_add_session_does_not_survive_a_delete_it_began_before,
    deer_flow_3364_a_slow_add_entries_does_not_survive_either,
    deer_flow_3364_a_scope_without_anything_in_it_is_fenced_as_well,
    s4_a_delete_stops_no_write_of_another_scope,
    s4_a_write_that_began_after_the_delete_stands,
);

/// What is deleted while a write is under way.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Delete {
    Session,
    Project,
    User,
}

const DELETES: [Delete; 3] = [Delete::Session, Delete::Project, Delete::User];

impl Delete {
    /// Deletes the session "s" of a project, that project, or its user.
    async fn run(self, calls: &Calls, place: Place<'_>) -> u64 {
        let Place { app, user, project } = place;
        match self {
            Self::Session => calls.delete_session(app, user, project, "s").await.unwrap(),
            Self::Project => calls.delete_project(app, user, project.unwrap()).await.unwrap(),
            Self::User => calls.delete_user(app, user).await.unwrap(),
        }
    }
}

/// Ends a slow call and answers the outcomes of what it added.
async fn finish<R: Message + Default>(
    slow: SlowCall,
    request: &impl Message,
    results: fn(R) -> Vec<EntryResult>,
) -> Vec<Outcome> {
    let answer = slow.finish(&request.encode_to_vec()).await;
    assert_eq!(answer.status().code(), Code::Ok, "{answer:?}");
    outcomes(&results(R::decode(answer.messages[0].clone()).unwrap()))
}

fn of_session(response: AddSessionResponse) -> Vec<EntryResult> {
    assert_eq!(response.removed_count, 0);
    response.results
}

fn of_entries(response: AddEntriesResponse) -> Vec<EntryResult> {
    response.results
}

fn entries() -> Vec<NewEntry> {
    vec![named("late 1", "a late walrus"), named("late 2", "another late walrus")]
}

async fn deer_flow_3364_a_slow_add_session_does_not_survive_a_delete_it_began_before(
    server: TestServer,
) {
    let calls = server.calls().await;
    let connection = RawConnection::open(&server).await;
    let place = GLOBAL.in_project("p");
    for delete in DELETES {
        for mode in [WriteMode::Upsert, WriteMode::Replace] {
            for restore_deleted in [false, true] {
                let before = vec![named("early", "an early walrus")];
                calls.add_session(place.session("s", before)).await.unwrap();
                let slow = SlowCall::begin(&connection, "AddSession").await;
                assert_eq!(delete.run(&calls, place).await, 1);
                let request = AddSessionRequest {
                    mode: mode.into(),
                    restore_deleted,
                    ..place.session("s", entries())
                };
                let late = finish(slow, &request, of_session).await;
                assert_eq!(late, [Suppressed; 2], "{delete:?} {mode:?}");
                let ids = ["early", "late 1", "late 2"].map(str::to_owned);
                assert_no_trace(&calls, place, "walrus", &ids).await;
                // The fence has come down, and no mark is left of it.
                let again = calls.add_session(place.session("s", entries())).await.unwrap();
                assert_eq!(outcomes(&again.results), [Created; 2], "{delete:?} {mode:?}");
                calls.delete_user("app", "user").await.unwrap();
            }
        }
    }
}

async fn deer_flow_3364_a_slow_add_entries_does_not_survive_either(server: TestServer) {
    let calls = server.calls().await;
    let connection = RawConnection::open(&server).await;
    let place = GLOBAL.in_project("p");
    for delete in [Delete::Project, Delete::User] {
        calls.add_entries(place.entries(vec![named("early", "an early walrus")])).await.unwrap();
        let slow = SlowCall::begin(&connection, "AddEntries").await;
        assert_eq!(delete.run(&calls, place).await, 1);
        let late = finish(slow, &place.entries(entries()), of_entries).await;
        assert_eq!(late, [Suppressed; 2], "{delete:?}");
        assert_no_trace(&calls, place, "walrus", &["late 1".into(), "late 2".into()]).await;
    }
}

async fn deer_flow_3364_a_scope_without_anything_in_it_is_fenced_as_well(server: TestServer) {
    let calls = server.calls().await;
    let connection = RawConnection::open(&server).await;
    for delete in DELETES {
        let place = user("nobody").in_project("p");
        let slow = SlowCall::begin(&connection, "AddSession").await;
        assert_eq!(delete.run(&calls, place).await, 0);
        // A second delete, after which the write is as late as before.
        assert_eq!(delete.run(&calls, place).await, 0);
        let late = finish(slow, &place.session("s", entries()), of_session).await;
        assert_eq!(late, [Suppressed; 2], "{delete:?}");
        assert_eq!(listed(&calls, place).await, [] as [&str; 0]);
    }
}

async fn s4_a_delete_stops_no_write_of_another_scope(server: TestServer) {
    let calls = server.calls().await;
    let connection = RawConnection::open(&server).await;
    let deleted = GLOBAL.in_project("p");
    let elsewhere = [
        (Delete::Session, deleted, "t"),
        (Delete::Session, GLOBAL, "s"),
        (Delete::Session, GLOBAL.in_project("q"), "s"),
        (Delete::Project, GLOBAL, "s"),
        (Delete::Project, GLOBAL.in_project("q"), "s"),
        (Delete::Project, GLOBAL.in_project("pp"), "s"),
        (Delete::User, user("user2").in_project("p"), "s"),
        (Delete::User, Place { app: "app2", ..deleted }, "s"),
    ];
    for (delete, place, session) in elsewhere {
        let slow = SlowCall::begin(&connection, "AddSession").await;
        delete.run(&calls, deleted).await;
        let late = finish(slow, &place.session(session, entries()), of_session).await;
        assert_eq!(late, [Created; 2], "{delete:?} against {place:?} {session}");
        calls.delete_user(place.app, place.user).await.unwrap();
    }
    // Entries that are in no session have nothing to fear from the deletion of one.
    let slow = SlowCall::begin(&connection, "AddEntries").await;
    Delete::Session.run(&calls, deleted).await;
    let late = finish(slow, &deleted.entries(entries()), of_entries).await;
    assert_eq!(late, [Created; 2]);
}

async fn s4_a_write_that_began_after_the_delete_stands(server: TestServer) {
    let calls = server.calls().await;
    let connection = RawConnection::open(&server).await;
    let place = GLOBAL.in_project("p");
    for delete in DELETES {
        // One older write is still out, so the fence of the delete stays up.
        let older = SlowCall::begin(&connection, "AddSession").await;
        delete.run(&calls, place).await;
        let younger = SlowCall::begin(&connection, "AddSession").await;
        let request = place.session("s", entries());
        assert_eq!(finish(younger, &request, of_session).await, [Created; 2], "{delete:?}");
        let old = place.session("s", vec![named("old", "old")]);
        assert_eq!(finish(older, &old, of_session).await, [Suppressed], "{delete:?}");
        assert_eq!(listed(&calls, place).await.len(), 2, "{delete:?}");
        calls.delete_user("app", "user").await.unwrap();
    }
}
