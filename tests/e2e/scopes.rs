//! Section 2: what each call sees and takes, row by row.

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{Calls, Place, TestServer, found, ids, listed, named, user};

crate::on_every_store!(
    s2_search_and_list_see_the_global_scope_and_the_named_project,
    s2_get_sees_exactly_the_named_scope,
    s2_each_hit_and_entry_tells_its_scope,
    s2_deletes_take_exactly_the_named_scope,
    adk_redis_backend_sessions_of_one_name_are_deleted_apart,
    s2_writing_a_session_never_touches_its_namesakes,
);

/// Fills the global scope and the projects "a" and "b" of a user: a session "s" of one entry "in", and
/// one entry "out" added directly. The same ids in each scope.
async fn fill(calls: &Calls, of: Place<'_>) {
    for (place, name) in [(of, "global"), (of.in_project("a"), "a"), (of.in_project("b"), "b")] {
        let within = named("in", &format!("walrus within {name}"));
        calls.add_session(place.session("s", vec![within])).await.unwrap();
        let beside = named("out", &format!("walrus beside {name}"));
        calls.add_entries(place.entries(vec![beside])).await.unwrap();
    }
}

/// What the scopes hold, each for itself: "global", "a" and "b".
async fn held(calls: &Calls, of: Place<'_>) -> [Vec<String>; 3] {
    let global = listed(calls, of).await;
    let mut of_projects = Vec::new();
    for project in ["a", "b"] {
        let entries = calls.list_all(of.in_project(project).listing()).await.unwrap();
        let own = entries.iter().filter(|entry| entry.project_id.is_some());
        let mut texts: Vec<_> = own.map(crate::harness::text_of).collect();
        texts.sort();
        of_projects.push(texts);
    }
    let [a, b] = of_projects.try_into().unwrap();
    [global, a, b]
}

fn both(name: &str) -> Vec<String> {
    vec![format!("walrus beside {name}"), format!("walrus within {name}")]
}

async fn s2_search_and_list_see_the_global_scope_and_the_named_project(server: TestServer) {
    let calls = server.calls().await;
    let of = user("u");
    fill(&calls, of).await;
    assert_eq!(listed(&calls, of).await, both("global"));
    assert_eq!(found(&calls, of, "walrus").await, both("global"));
    for name in ["a", "b"] {
        let mut expected = [both("global"), both(name)].concat();
        expected.sort();
        assert_eq!(listed(&calls, of.in_project(name)).await, expected);
        assert_eq!(found(&calls, of.in_project(name), "walrus").await, expected);
    }
    assert_eq!(listed(&calls, of.in_project("c")).await, both("global"));
    assert_eq!(listed(&calls, user("other")).await, [] as [&str; 0]);
}

async fn s2_get_sees_exactly_the_named_scope(server: TestServer) {
    let calls = server.calls().await;
    let of = user("u");
    fill(&calls, of).await;
    calls.add_entries(of.entries(vec![named("only global", "x")])).await.unwrap();
    calls.add_entries(of.in_project("a").entries(vec![named("only a", "x")])).await.unwrap();
    for (place, project) in
        [(of, None), (of.in_project("a"), Some("a")), (of.in_project("b"), Some("b"))]
    {
        let entry = calls.get(place.get("in")).await.unwrap();
        assert_eq!(entry.project_id.as_deref(), project);
        for (id, scope) in [("only global", None), ("only a", Some("a"))] {
            let answer = calls.get(place.get(id)).await.map_err(|status| status.code());
            assert_eq!(answer.map(|_| ()).err(), (project != scope).then_some(Code::NotFound));
        }
    }
}

async fn s2_each_hit_and_entry_tells_its_scope(server: TestServer) {
    let calls = server.calls().await;
    let of = user("u");
    fill(&calls, of).await;
    let place = of.in_project("a");
    let hits = calls.search(place.query("walrus")).await.unwrap().entries();
    let listed = calls.list_all(place.listing()).await.unwrap();
    assert_eq!((hits.len(), listed.len()), (4, 4));
    for entry in hits.iter().chain(&listed) {
        let text = crate::harness::text_of(entry);
        let project = text.ends_with(" a").then_some("a");
        assert_eq!(entry.project_id.as_deref(), project, "{text}");
        let session = text.contains("within").then_some("s");
        assert_eq!(entry.session_id.as_deref(), session, "{text}");
    }
}

async fn s2_deletes_take_exactly_the_named_scope(server: TestServer) {
    let calls = server.calls().await;
    let nothing = Vec::new;
    // For each scope in which something is deleted: what the three scopes hold afterwards.
    for (number, at) in [None, Some("a"), Some("b")].into_iter().enumerate() {
        let left = |after: &dyn Fn(&str) -> Vec<String>| {
            let name = |position| ["global", "a", "b"][position];
            [0, 1, 2].map(|position| {
                if position == number { after(name(position)) } else { both(name(position)) }
            })
        };
        let names = ["ids", "words", "session", "project"].map(|what| format!("{what} {number}"));
        let [ids, words, session, project] = names.each_ref().map(|name| user(name));
        for of in [ids, words, session, project] {
            fill(&calls, of).await;
        }

        let place = Place { project: at, ..ids };
        let deleted = calls.delete_entries(place.deletion_of(&["in"])).await.unwrap();
        assert_eq!(deleted.deleted_count, 1);
        let beside = |name: &str| vec![format!("walrus beside {name}")];
        assert_eq!(held(&calls, ids).await, left(&beside));

        let place = Place { project: at, ..words };
        let deleted = calls.delete_entries(place.deletion("walrus")).await.unwrap();
        assert_eq!(deleted.deleted_count, 2);
        assert_eq!(held(&calls, words).await, left(&|_| nothing()));

        assert_eq!(calls.delete_session("app", session.user, at, "s").await.unwrap(), 1);
        assert_eq!(held(&calls, session).await, left(&beside));

        if let Some(name) = at {
            assert_eq!(calls.delete_project("app", project.user, name).await.unwrap(), 2);
            assert_eq!(held(&calls, project).await, left(&|_| nothing()));
        }
    }
    let (gone, stays) = (user("gone"), user("stays"));
    fill(&calls, gone).await;
    fill(&calls, stays).await;
    assert_eq!(calls.delete_user("app", "gone").await.unwrap(), 6);
    assert_eq!(held(&calls, gone).await, [nothing(), nothing(), nothing()]);
    assert_eq!(held(&calls, stays).await, ["global", "a", "b"].map(both));
}

async fn adk_redis_backend_sessions_of_one_name_are_deleted_apart(server: TestServer) {
    let calls = server.calls().await;
    for (of, at) in [(user("first"), None), (user("second"), Some("a"))] {
        fill(&calls, of).await;
        assert_eq!(calls.delete_session("app", of.user, at, "s").await.unwrap(), 1);
        for (project, there) in [(None, at.is_some()), (Some("a"), at.is_none()), (Some("b"), true)]
        {
            let get = calls.get(Place { project, ..of }.get("in")).await;
            assert_eq!(get.is_ok(), there, "{project:?} after deleting in {at:?}");
        }
    }
}

async fn s2_writing_a_session_never_touches_its_namesakes(server: TestServer) {
    let calls = server.calls().await;
    let of = user("u");
    fill(&calls, of).await;
    let replacement = vec![named("new", "walrus anew a")];
    let answer = calls.add_session(of.in_project("a").replacement("s", replacement)).await.unwrap();
    assert_eq!(answer.removed_count, 1);
    let [global, a, b] = held(&calls, of).await;
    assert_eq!(global, both("global"));
    assert_eq!(a, ["walrus anew a", "walrus beside a"]);
    assert_eq!(b, both("b"));
}

#[tokio::test]
async fn agentmemory_868_a_project_search_is_blind_to_five_thousand_entries_elsewhere() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let of = user("u");
    for number in 0..5 {
        let entries: Vec<_> =
            (0..1_000).map(|n| named(&n.to_string(), "walrus elsewhere")).collect();
        let project = format!("other {number}");
        calls.add_entries(of.in_project(&project).entries(entries)).await.unwrap();
    }
    calls.add_entries(of.entries(vec![named("g", "a walrus for all")])).await.unwrap();
    let place = of.in_project("mine");
    calls.add_entries(place.entries(vec![named("m", "a walrus of mine")])).await.unwrap();

    let found = calls.search(SearchRequest { limit: None, ..place.query("walrus") }).await.unwrap();
    let mut hits = ids(&found.entries()).into_iter().map(str::to_owned).collect::<Vec<_>>();
    hits.sort();
    assert_eq!(hits, ["g", "m"]);
    assert_eq!(found.count(memoryd_proto::trailers::CONSIDERED), 2);
    assert_eq!(found.count(memoryd_proto::trailers::MATCHED), 2);
    assert_eq!(listed(&calls, place).await, ["a walrus for all", "a walrus of mine"]);
}
