//! Searches don't wait for an endpoint that is down.

use std::time::{Duration, Instant};

use super::server::{Server, late, status};
use super::{assert_vectors, embedder, options};
use crate::embed::{EmbedError, EmbedOptions, Purpose};

#[test]
fn after_a_failed_query_the_next_one_fails_at_once_and_asks_nothing() {
    let server = Server::start(vec![late(Duration::from_secs(5))]);
    let query_timeout = Duration::from_millis(300);
    let endpoint = embedder(&EmbedOptions { query_timeout, ..options(&server) });
    endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    let start = Instant::now();
    let error = endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    assert!(matches!(error, EmbedError::Resting { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_server_that_is_busy_for_long_makes_queries_rest_as_long_as_it_says() {
    let server = Server::start(vec![status(429, "Retry-After: 30\r\n", "slow down")]);
    let endpoint = embedder(&options(&server));
    let start = Instant::now();
    let error = endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    assert!(matches!(error, EmbedError::Busy { status: 429, .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(2), "nobody waits for what comes too late");
    let error = endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    let EmbedError::Resting { rest, .. } = error else { panic!("{error}") };
    assert!(rest > Duration::from_secs(20), "{rest:?}");
}

#[test]
fn entries_are_tried_all_the_same_and_their_success_lets_queries_pass_again() {
    let server = Server::start(vec![status(503, "", "oh"), status(503, "", "oh")]);
    let endpoint = embedder(&options(&server));
    endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    assert_eq!(server.asked().len(), 2);
    let entries = endpoint.embed(&["coffee"], Purpose::Entry).unwrap();
    assert_vectors(&entries, &["coffee"]);
    assert_vectors(&endpoint.embed(&["tea"], Purpose::Query).unwrap(), &["tea"]);
}

#[test]
fn a_refused_text_does_not_keep_other_queries_from_asking() {
    let server = Server::start(vec![status(400, "", "no")]);
    let endpoint = embedder(&options(&server));
    endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    assert_vectors(&endpoint.embed(&["milk"], Purpose::Query).unwrap(), &["milk"]);
}
