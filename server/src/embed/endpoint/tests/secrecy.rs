//! The key goes into one header and nowhere else; texts go into the request and nowhere else.

use super::server::{Server, body, status};
use super::{embedder, options};
use crate::embed::{EmbedOptions, Purpose, Secret};

#[test]
fn the_key_is_sent_as_a_bearer_token_and_without_a_key_nothing_is() {
    let server = Server::start(vec![]);
    let with_key = EmbedOptions { key: Secret::new("sk-topsecret-4711"), ..options(&server) };
    embedder(&with_key).embed(&["tea"], Purpose::Entry).unwrap();
    embedder(&options(&server)).embed(&["tea"], Purpose::Entry).unwrap();
    let asked = server.asked();
    let heads: Vec<_> = asked.iter().map(|asked| asked.head.to_lowercase()).collect();
    assert!(heads[0].contains("authorization: bearer sk-topsecret-4711\r\n"), "{}", heads[0]);
    assert!(!heads[1].contains("authorization"), "{}", heads[1]);
}

#[test]
fn no_error_and_no_debug_output_shows_the_key_even_if_the_server_repeats_it() {
    let message = "incorrect key: sk-topsecret-4711";
    let server = Server::start(vec![status(401, "", message)]);
    let with_key = EmbedOptions { key: Secret::new("sk-topsecret-4711"), ..options(&server) };
    let error = embedder(&with_key).embed(&["tea"], Purpose::Entry).unwrap_err();
    let shown = format!("{error} {error:?} {with_key:?}");
    assert!(shown.contains("401") && !shown.contains("topsecret"), "{shown}");
}

#[test]
fn no_error_shows_a_text_even_if_the_server_repeats_it() {
    let text = "my appointment with the doctor is on Monday";
    let echo = format!(r#"{{"data":"{text}"}}"#);
    for reply in [status(400, "", text), status(404, "", &format!("what is '{text}'?")), body(echo)]
    {
        let server = Server::start(vec![reply]);
        let error = embedder(&options(&server)).embed(&[text], Purpose::Entry).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(!shown.contains("doctor"), "{shown}");
    }
}
