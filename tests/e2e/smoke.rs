//! The shortest way through every room.

use crate::harness::{TestServer, deletion, query, said, session};

crate::on_every_store!(what_was_said_is_found_and_forgotten);

async fn what_was_said_is_found_and_forgotten(server: TestServer) {
    let calls = server.calls().await;
    let entries = vec![said("I moved to Lisbon last spring"), said("How is the weather there?")];
    let added = calls.add_session(session("s", entries)).await.unwrap();
    assert_eq!(added.results.len(), 2);

    let found = calls.search(query("lisbon")).await.unwrap();
    assert_eq!(found.texts(), ["I moved to Lisbon last spring"]);

    let deleted = calls.delete_entries(deletion("Lisbon")).await.unwrap();
    assert_eq!(deleted.deleted_count, 1);
    assert_eq!(calls.search(query("lisbon")).await.unwrap().hits, []);
    assert_eq!(calls.delete_user("app", "user").await.unwrap(), 1);
}
