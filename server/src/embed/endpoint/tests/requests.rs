//! What is sent, and that the vectors come to the right texts.

use std::time::Duration;

use super::server::{Server, late, status, takes_at_most};
use super::{assert_vectors, embed, embedder, options};
use crate::embed::{EmbedOptions, Purpose, Work};

#[test]
fn vectors_come_in_the_order_of_the_texts_whatever_the_order_of_the_answer() {
    let server = Server::start(vec![]);
    let texts = ["tea", "the harbour", "用户喜欢茶"];
    assert_vectors(&embed(&server, &texts), &texts);
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].head.starts_with("POST /v1/embeddings HTTP/1.1\r\n"), "{}", asked[0].head);
    let expected = serde_json::json!({"model": "m3", "input": texts, "encoding_format": "float"});
    assert_eq!(asked[0].body, expected);
}

#[test]
fn a_text_without_anything_in_it_is_not_sent_and_has_no_vector() {
    let server = Server::start(vec![]);
    let found = embed(&server, &["", "tea", " \n\t"]);
    assert_eq!((&found[0], &found[2]), (&None, &None));
    assert_vectors(&found[1..2], &["tea"]);
    assert_eq!(server.asked()[0].texts(), ["tea"]);
    assert_eq!(embed(&server, &[" ", ""]), [None, None]);
    assert_eq!(embed(&server, &[]), []);
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_connection_is_used_again() {
    let server = Server::start(vec![status(503, "", "oh"), status(404, "", "oh")]);
    let endpoint = embedder(&options(&server));
    for _ in 0..4 {
        drop(endpoint.embed(&["tea"], Purpose::Entry));
    }
    assert_eq!((server.asked().len(), server.connections()), (5, 1));
}

#[test]
fn many_texts_go_in_batches_by_count_and_by_bytes() {
    let server = Server::start(vec![]);
    let texts: Vec<String> = (0..150).map(|number| format!("fact {number}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_vectors(&embed(&server, &texts), &texts);
    let sizes: Vec<_> = server.asked().iter().map(|asked| asked.texts().len()).collect();
    assert_eq!(sizes, [64, 64, 22]);

    let server = Server::start(vec![]);
    let long = "x".repeat(20_000);
    embed(&server, &vec![long.as_str(); 25]);
    let sizes: Vec<_> = server.asked().iter().map(|asked| asked.texts().len()).collect();
    assert_eq!(sizes, [19, 6]);
}

#[test]
fn a_very_long_text_is_cut_between_two_characters() {
    let server = Server::start(vec![]);
    embed(&server, &[&format!("a{}", "ü".repeat(50_000))]);
    assert_eq!(server.asked()[0].texts(), [format!("a{}", "ü".repeat(12_287))]);
}

#[test]
fn a_text_too_long_for_the_model_is_shortened_and_its_neighbours_are_sent_whole() {
    let script = (0..20).map(|_| takes_at_most(2_000)).collect();
    let server = Server::start(script);
    let long = "y".repeat(5_000);
    let texts = ["one", "two", &long, "four"];
    let cut = long[..1_250].to_owned();
    assert_vectors(&embed(&server, &texts), &["one", "two", &cut, "four"]);
    assert_eq!(server.asked().len(), 7);
}

#[test]
fn a_batch_that_takes_too_long_is_sent_in_parts() {
    let server = Server::start(vec![late(Duration::from_secs(5))]);
    let entry_timeout = Duration::from_millis(300);
    let endpoint = embedder(&EmbedOptions { entry_timeout, ..options(&server) });
    let texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"];
    assert_vectors(&endpoint.embed(&texts, Purpose::Entry).unwrap(), &texts);
    let sizes: Vec<_> = server.asked().iter().map(|asked| asked.texts().len()).collect();
    assert_eq!(sizes, [6, 2, 2, 2]);
}

#[test]
fn dimensions_are_asked_for_and_part_of_the_identity() {
    let server = Server::start(vec![]);
    let host = server.url.trim_start_matches("http://");
    let embedder_of = |dimensions| embedder(&EmbedOptions { dimensions, ..options(&server) });
    let (plain, three) = (embedder_of(None), embedder_of(Some(3)));
    assert_eq!(plain.identity().name(), format!("openai:m3@{host}"));
    assert_eq!(plain.identity().dims(), None);
    assert_eq!(three.identity().name(), format!("openai:m3@{host}/3"));
    assert_eq!(three.identity().dims(), Some(3));
    plain.embed(&["tea"], Purpose::Query).unwrap();
    three.embed(&["tea"], Purpose::Query).unwrap();
    assert_eq!(plain.identity().dims(), Some(3));
    let asked = server.asked();
    assert_eq!(
        (&asked[0].body["dimensions"], &asked[1].body["dimensions"]),
        (&().into(), &3.into())
    );
}

#[test]
fn an_endpoint_is_batched_and_its_floor_can_be_set() {
    let server = Server::start(vec![]);
    let endpoint = embedder(&options(&server));
    assert_eq!((endpoint.work(), endpoint.batch_size()), (Work::Network, 64));
    assert_eq!(endpoint.calibration().floor, 0.40);
    let endpoint = embedder(&EmbedOptions { floor: Some(0.8), ..options(&server) });
    assert_eq!(endpoint.calibration().floor, 0.8);
}
