//! Tenants that are let go of to stay within the memory budget, and come back.

use memoryd::{Config, StoreKind};
use memoryd_proto::v1::*;

use crate::harness::{TestServer, deletion, listing, query, said, session};

const USERS: usize = 12;
const ENTRIES: usize = 40;

/// Room for about one of the users.
async fn tight_server() -> TestServer {
    let config = Config { memory_budget: 64 * 1024, store: StoreKind::Sled, ..Config::default() };
    TestServer::start_with(config).await
}

fn user(number: usize) -> String {
    format!("user {number}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s4_users_beyond_the_memory_budget_see_every_write_and_nobody_elses() {
    let server = tight_server().await;
    let calls = server.calls().await;
    for round in 0..3 {
        for number in 0..USERS {
            let entries = (0..ENTRIES).map(|entry| said(&format!("round {round} item {entry}")));
            let entries = entries.collect();
            let id = format!("session {round}");
            let add = AddSessionRequest { user_id: user(number), ..session(&id, entries) };
            calls.add_session(add).await.unwrap();
            let found = calls
                .search(SearchRequest { user_id: user(number), ..query(&format!("{round}")) })
                .await
                .unwrap();
            let latest = found
                .texts()
                .iter()
                .filter(|text| text.contains(&format!("round {round}")))
                .count();
            assert_eq!(latest, ENTRIES, "user {number} in round {round}");
            // Somebody who was let go of in between.
            let other = (number + USERS / 2) % USERS;
            let expected = ENTRIES * (round + usize::from(other <= number));
            let request = ListEntriesRequest { user_id: user(other), ..listing() };
            assert_eq!(calls.list_all(request).await.unwrap().len(), expected);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s7_what_is_deleted_stays_deleted_when_its_user_comes_back_into_memory() {
    let server = tight_server().await;
    let calls = server.calls().await;
    let entries = |number: usize| {
        let texts = (0..ENTRIES).map(move |entry| said(&format!("user {number} item {entry}")));
        texts.chain([said("to be forgotten")]).collect::<Vec<_>>()
    };
    for number in 0..USERS {
        let add = AddSessionRequest { user_id: user(number), ..session("s", entries(number)) };
        calls.add_session(add).await.unwrap();
    }
    for number in 0..USERS {
        let delete = DeleteEntriesRequest { user_id: user(number), ..deletion("forgotten") };
        assert_eq!(calls.delete_entries(delete).await.unwrap().deleted_count, 1);
    }
    for number in 0..USERS {
        let search = SearchRequest { user_id: user(number), ..query("forgotten") };
        assert_eq!(calls.search(search).await.unwrap().hits, []);
        let add = AddSessionRequest { user_id: user(number), ..session("s", entries(number)) };
        let again = calls.add_session(add).await.unwrap();
        let suppressed =
            again.results.iter().filter(|result| result.outcome() == Outcome::Suppressed).count();
        assert_eq!(suppressed, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn s4_a_user_loaded_while_others_write_to_it_misses_nothing() {
    let mut server = tight_server().await;
    let writers = 4;
    let rounds = 15;
    for restart in 0..2 {
        let mut tasks = Vec::new();
        for writer in 0..writers {
            let calls = server.calls().await;
            tasks.push(tokio::spawn(async move {
                for round in 0..rounds {
                    let id = format!("{restart}-{writer}-{round}");
                    // An entry of its own, and one that every round of every writer updates.
                    let own = said(&format!("own {id}"));
                    let shared = NewEntry {
                        entry_id: Some("shared".into()),
                        ..said(&format!("shared {id}"))
                    };
                    let add = session(&id, vec![own]);
                    calls.add_session(add).await.unwrap();
                    calls.add_session(session("shared", vec![shared])).await.unwrap();
                    // Pushes the user out of memory.
                    let filler = AddSessionRequest {
                        user_id: user(writer),
                        ..session(
                            &id,
                            (0..ENTRIES).map(|entry| said(&format!("{entry}"))).collect(),
                        )
                    };
                    calls.add_session(filler).await.unwrap();
                    drop(
                        calls
                            .search(SearchRequest { user_id: user(writer), ..query("1") })
                            .await
                            .unwrap(),
                    );
                    // Acknowledged, so there; the shared one never misses, whoever updates it.
                    let found = calls.search(query("own shared")).await.unwrap().texts();
                    assert!(found.contains(&format!("own {id}")), "{id} is missing");
                    let shared = found.iter().filter(|text| text.starts_with("shared")).count();
                    assert_eq!(shared, 1, "the shared entry in {id}");
                }
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        server.restart().await;
        let calls = server.calls().await;
        let all = calls.search(query("own")).await.unwrap().hits.len();
        assert_eq!(all, writers * rounds * (restart + 1));
    }
}
