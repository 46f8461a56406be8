//! What is tried again, and what isn't.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use super::server::{Server, broken, late, status, stuck};
use super::{assert_vectors, embed, embedder, options};
use crate::embed::{EmbedError, EmbedOptions, Purpose};

#[test]
fn a_server_that_is_busy_is_asked_again_when_it_says() {
    let server = Server::start(vec![status(429, "Retry-After: 1\r\n", "slow down")]);
    let start = Instant::now();
    assert_vectors(&embed(&server, &["tea"]), &["tea"]);
    assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn failures_of_the_server_and_broken_connections_are_tried_again() {
    let server = Server::start(vec![status(500, "", "oh"), broken(), status(503, "", "oh")]);
    assert_vectors(&embed(&server, &["tea"]), &["tea"]);
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn attempts_come_to_an_end() {
    let server = Server::start((0..9).map(|_| status(502, "", "bad gateway")).collect());
    let error = embedder(&options(&server)).embed(&["tea"], Purpose::Entry).unwrap_err();
    assert!(
        matches!(&error, EmbedError::Busy { status: 502, message, .. } if message == "bad gateway")
    );
    assert!(error.is_transient());
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn a_refusal_is_not_tried_again_and_the_servers_message_is_told() {
    for code in [400, 401, 403, 404, 422] {
        let server =
            Server::start(vec![status(code, "", &format!("no model m3{}", "!".repeat(9999)))]);
        let error = embedder(&options(&server)).embed(&["tea"], Purpose::Entry).unwrap_err();
        assert!(!error.is_transient());
        let told = error.to_string();
        assert!(told.contains(&format!("HTTP {code}: no model m3!")) && told.len() < 400, "{told}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(vec![]);
    let location: &'static str = format!("Location: {}/v1/embeddings\r\n", elsewhere.url).leak();
    let server = Server::start(vec![status(307, location, "")]);
    let error = embedder(&options(&server)).embed(&["tea"], Purpose::Entry).unwrap_err();
    assert!(error.to_string().contains("redirects"), "{error}");
    assert!(elsewhere.asked().is_empty());
}

#[test]
fn a_query_that_is_not_answered_in_time_fails_in_time() {
    for reply in [late(Duration::from_secs(5)), stuck(Duration::from_secs(5))] {
        let server = Server::start(vec![reply]);
        let query_timeout = Duration::from_millis(200);
        let endpoint = embedder(&EmbedOptions { query_timeout, ..options(&server) });
        let start = Instant::now();
        let error = endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
        assert!(matches!(error, EmbedError::TimedOut { .. }), "{error}");
        let took = start.elapsed();
        assert!((query_timeout..Duration::from_secs(2)).contains(&took), "{took:?}");
    }
}

#[test]
fn an_entry_that_is_not_answered_in_time_is_sent_again() {
    let server = Server::start(vec![late(Duration::from_secs(5))]);
    let entry_timeout = Duration::from_millis(300);
    let endpoint = embedder(&EmbedOptions { entry_timeout, ..options(&server) });
    assert_vectors(&endpoint.embed(&["tea"], Purpose::Entry).unwrap(), &["tea"]);
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn https_to_a_server_without_tls_is_an_error() {
    let server = Server::start(vec![]);
    let choice = format!("openai:{}", server.url.replace("http:", "https:")).parse().unwrap();
    let endpoint = embedder(&EmbedOptions { choice, ..options(&server) });
    let error = endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    assert!(matches!(error, EmbedError::Unreachable { .. }), "{error}");
    assert!(server.asked().is_empty());
}

#[test]
fn a_server_that_is_not_there_is_an_error_that_names_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let choice = format!("openai:http://{address}").parse().unwrap();
    let model = Some("m".to_owned());
    let endpoint = embedder(&EmbedOptions { choice, model, ..EmbedOptions::default() });
    let error = endpoint.embed(&["tea"], Purpose::Query).unwrap_err();
    assert!(matches!(error, EmbedError::Unreachable { .. }), "{error}");
    assert!(error.to_string().contains(&address.to_string()), "{error}");
}
