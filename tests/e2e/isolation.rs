//! Section 1: identifiers that look alike stay apart, in every position and over every call.

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{Calls, Place, TestServer, found, ids, listed, named};

/// A session of a scope.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Room<'a> {
    place: Place<'a>,
    session: &'a str,
}

const TEXT: &str = "the same walrus";

impl Room<'_> {
    async fn fill(&self, calls: &Calls) {
        let answer =
            calls.add_session(self.place.session(self.session, vec![named("e", TEXT)])).await;
        assert_eq!(answer.unwrap().results[0].outcome(), Outcome::Created, "{self:?}");
    }

    /// Whether its entry is there, as a list of the session tells.
    async fn is_filled(&self, calls: &Calls) -> bool {
        let filter =
            EntryFilter { session_ids: vec![self.session.into()], ..EntryFilter::default() };
        let request = ListEntriesRequest { filter: Some(filter), ..self.place.listing() };
        let entries = calls.list_all(request).await.unwrap();
        entries.iter().any(|entry| entry.project_id.as_deref() == self.place.project)
    }
}

/// The rooms of two names in each position in which rooms can share an entry id.
fn neighbours<'a>(left: &'a str, right: &'a str) -> [[Room<'a>; 2]; 3] {
    let place = Place { app: "app", user: "user", project: None };
    let room = |place| Room { place, session: "s" };
    [
        [left, right].map(|app| room(Place { app, ..place })),
        [left, right].map(|user| room(Place { user, ..place })),
        [left, right].map(|project| room(Place { project: Some(project), ..place })),
    ]
}

/// Asserts that nothing of two rooms in different scopes meets, over any call.
async fn assert_apart(calls: &Calls, rooms: [Room<'_>; 2]) {
    for (room, other) in [(rooms[0], rooms[1]), (rooms[1], rooms[0])] {
        let Place { app, user, project } = room.place;
        room.fill(calls).await;
        assert_eq!(calls.get(other.place.get("e")).await.unwrap_err().code(), Code::NotFound);
        assert_eq!(listed(calls, other.place).await, [] as [&str; 0], "{other:?}");
        assert_eq!(found(calls, other.place, "walrus").await, [] as [&str; 0], "{other:?}");
        other.fill(calls).await;
        for of in [room, other] {
            assert_eq!(listed(calls, of.place).await, [TEXT], "{of:?}");
            assert_eq!(found(calls, of.place, "walrus").await, [TEXT], "{of:?}");
        }
        let by_ids = calls.delete_entries(room.place.deletion_of(&["e"])).await.unwrap();
        assert_eq!((by_ids.deleted_count, other.is_filled(calls).await), (1, true), "{room:?}");
        let restore = AddSessionRequest {
            restore_deleted: true,
            ..room.place.session(room.session, vec![named("e", TEXT)])
        };
        calls.add_session(restore).await.unwrap();
        let by_words = calls.delete_entries(room.place.deletion("walrus")).await.unwrap();
        assert_eq!((by_words.deleted_count, other.is_filled(calls).await), (1, true), "{room:?}");
        calls.delete_session(app, user, project, room.session).await.unwrap();
        room.fill(calls).await;
        let count = calls.delete_session(app, user, project, room.session).await.unwrap();
        assert_eq!((count, other.is_filled(calls).await), (1, true), "{room:?}");
        room.fill(calls).await;
        let count = match project {
            Some(project) => calls.delete_project(app, user, project).await.unwrap(),
            None => calls.delete_user(app, user).await.unwrap(),
        };
        assert_eq!((count, other.is_filled(calls).await), (1, true), "{room:?}");
        calls.delete_user(other.place.app, other.place.user).await.unwrap();
    }
}

/// Asserts that nothing of two sessions of one scope meets.
async fn assert_sessions_apart(calls: &Calls, left: &str, right: &str) {
    let place = Place { app: "app", user: "of sessions", project: None };
    for (id, session) in [("left", left), ("right", right)] {
        calls.add_session(place.session(session, vec![named(id, session)])).await.unwrap();
    }
    for (id, session) in [("left", left), ("right", right)] {
        let filter = Some(EntryFilter { session_ids: vec![session.into()], ..Default::default() });
        let list = ListEntriesRequest { filter: filter.clone(), ..place.listing() };
        assert_eq!(ids(&calls.list_all(list).await.unwrap()), [id]);
        let search = SearchRequest { filter, context: 5, ..place.query(session) };
        for hit in calls.search(search).await.unwrap().hits {
            assert_eq!(hit.entry.unwrap().entry_id, id);
            assert_eq!((hit.context_before, hit.context_after), (vec![], vec![]));
        }
    }
    let replaced = calls.add_session(place.replacement(left, vec![named("new", "x")])).await;
    assert_eq!(replaced.unwrap().removed_count, 1);
    assert!(calls.get(place.get("right")).await.is_ok(), "{left} replaced {right}");
    assert_eq!(calls.delete_session("app", place.user, None, left).await.unwrap(), 1);
    assert!(calls.get(place.get("right")).await.is_ok(), "{left} deleted {right}");
    assert_eq!(calls.delete_user("app", place.user).await.unwrap(), 1);
}

async fn assert_all_apart(server: &TestServer, pairs: &[(&str, &str)]) {
    let calls = server.calls().await;
    for (left, right) in pairs {
        for rooms in neighbours(left, right) {
            assert_apart(&calls, rooms).await;
        }
        assert_sessions_apart(&calls, left, right).await;
        assert_sessions_apart(&calls, right, left).await;
    }
}

#[tokio::test]
async fn adk_python_5294_dotted_users_stay_apart() {
    let server = TestServer::start(StoreKind::Sled).await;
    assert_all_apart(&server, &[("alice", "alice.smith"), ("a.b", "a")]).await;
    // The same characters, split elsewhere.
    let calls = server.calls().await;
    let room = |app, user, project| Room { place: Place { app, user, project }, session: "s" };
    let joined = [room("a.b", "c", None), room("a", "b.c", None)];
    assert_apart(&calls, joined).await;
    assert_apart(&calls, [room("a", "b:c", None), room("a:b", "c", None)]).await;
    assert_apart(&calls, [room("a", "b", Some("c/d")), room("a", "b/c", Some("d"))]).await;
    assert_apart(&calls, [room("a", "b", Some("c")), room("a", "b/c", None)]).await;
}

#[tokio::test]
async fn langgraph_8478_a_prefix_sees_nothing_of_longer_names() {
    let server = TestServer::start(StoreKind::Sled).await;
    assert_all_apart(&server, &[("foo", "foobar"), ("foo", "foo "), ("1", "10")]).await;
}

#[tokio::test]
async fn langgraph_8300_patterns_are_plain_characters() {
    let server = TestServer::start(StoreKind::Sled).await;
    let pairs = [
        ("john_doe", "john-doe"),
        ("j%", "john"),
        ("*", "anything"),
        ("jo?n", "john"),
        ("[a]", "a"),
        ("A", "a"),
        ("é", "e\u{301}"),
    ];
    assert_all_apart(&server, &pairs).await;
}

#[tokio::test]
async fn adk_python_7063_no_identifier_is_reserved() {
    let server = TestServer::start(StoreKind::Sled).await;
    let pairs = [
        ("user", "g"),
        ("global", "__direct__"),
        ("default", "null"),
        ("..", "/"),
        ("%", "\\"),
        ("\u{1}", "\u{FFFF}"),
    ];
    assert_all_apart(&server, &pairs).await;
}

#[tokio::test]
async fn adk_python_7063_a_session_of_any_name_is_not_the_absence_of_one() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let place = Place { app: "app", user: "user", project: None };
    for name in ["__direct__", "null", "none", " ", "global", "default"] {
        calls.add_entries(place.entries(vec![named("direct", "walrus")])).await.unwrap();
        let room = Room { place, session: name };
        assert!(!room.is_filled(&calls).await, "{name}");
        assert_eq!(calls.delete_session("app", "user", None, name).await.unwrap(), 0, "{name}");
        room.fill(&calls).await;
        assert_eq!(calls.delete_session("app", "user", None, name).await.unwrap(), 1, "{name}");
        let direct = calls.get(place.get("direct")).await.unwrap();
        assert_eq!(direct.session_id, None, "{name}");
        // A project of that name isn't the global scope either.
        assert_eq!(calls.delete_project("app", "user", name).await.unwrap(), 0, "{name}");
        assert_eq!(calls.delete_user("app", "user").await.unwrap(), 1, "{name}");
    }
}

#[tokio::test]
async fn agno_9319_one_entry_id_survives_in_every_scope() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let mut places = Vec::new();
    for app in ["app 1", "app 2"] {
        for user in ["user 1", "user 2"] {
            places.extend([None, Some("p"), Some("q")].map(|project| Place { app, user, project }));
        }
    }
    for (number, place) in places.iter().enumerate() {
        let entry = vec![named("the one id", &format!("walrus {number}"))];
        let answer = calls.add_entries(place.entries(entry)).await.unwrap();
        assert_eq!(answer.results[0].outcome(), Outcome::Created, "{place:?}");
    }
    for (number, place) in places.iter().enumerate() {
        let entry = calls.get(place.get("the one id")).await.unwrap();
        assert_eq!(crate::harness::text_of(&entry), format!("walrus {number}"));
    }
}

#[tokio::test]
async fn xmem_199_identical_texts_of_two_scopes_are_two_entries() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let place = |user, project| Place { app: "app", user, project };
    let places = [place("a", None), place("b", None), place("a", Some("p")), place("a", Some("q"))];
    let entry = || vec![crate::harness::said("identical walrus")];
    for of in places {
        let answer = calls.add_session(of.session("s", entry())).await.unwrap();
        assert_eq!(answer.results[0].outcome(), Outcome::Created, "{of:?}");
    }
    for (of, hits) in [(places[0], 1), (places[1], 1), (places[2], 2), (places[3], 2)] {
        assert_eq!(found(&calls, of, "identical").await.len(), hits, "{of:?}");
    }
    assert_eq!(calls.delete_user("app", "b").await.unwrap(), 1);
    assert_eq!(found(&calls, places[2], "identical").await.len(), 2);
}

#[tokio::test]
async fn mem0_3746_deleting_with_empty_fields_is_never_wider() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let rooms = neighbours("mine", "theirs").concat();
    for room in &rooms {
        room.fill(&calls).await;
    }
    let mine = Place { app: "app", user: "mine", project: None };
    let refused = [
        calls.delete_entries(DeleteEntriesRequest::default()).await.err(),
        calls.delete_entries(mine.deletion_of::<&str>(&[])).await.err(),
        calls.delete_entries(mine.deletion("")).await.err(),
        calls.delete_entries(mine.deletion(" \t\n\u{3000}")).await.err(),
        calls.delete_entries(Place { user: "", ..mine }.deletion("walrus")).await.err(),
        calls.delete_entries(Place { app: "", ..mine }.deletion("walrus")).await.err(),
        calls.delete_entries(mine.in_project("").deletion("walrus")).await.err(),
        calls.delete_entries(mine.in_project("").deletion_of(&["e"])).await.err(),
        calls.delete_session("", "mine", None, "s").await.err(),
        calls.delete_session("app", "", None, "s").await.err(),
        calls.delete_session("app", "mine", Some(""), "s").await.err(),
        calls.delete_session("app", "mine", None, "").await.err(),
        calls.delete_project("app", "mine", "").await.err(),
        calls.delete_project("app", "", "p").await.err(),
        calls.delete_user("app", "").await.err(),
        calls.delete_user("", "mine").await.err(),
    ];
    for (position, status) in refused.into_iter().enumerate() {
        let code = status.map(|status| status.code());
        assert_eq!(code, Some(Code::InvalidArgument), "call {position}");
    }
    for room in &rooms {
        assert!(room.is_filled(&calls).await, "{room:?}");
    }
    assert_eq!(calls.delete_user("app", "mine").await.unwrap(), 1);
    let gone: Vec<_> = rooms.iter().filter(|room| room.place == mine).collect();
    for room in &rooms {
        assert_eq!(room.is_filled(&calls).await, !gone.contains(&room), "{room:?}");
    }
}
