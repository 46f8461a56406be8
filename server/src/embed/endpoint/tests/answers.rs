//! Answers that can't be used are errors, and never a vector.

use super::server::{Server, body, endless};
use super::{embedder, options};
use crate::embed::{AnswerFault, EmbedError, EmbedOptions, Purpose};

/// What becomes of this answer to two texts.
fn fault(answer: &str) -> AnswerFault {
    let server = Server::start(vec![body(answer)]);
    match embedder(&options(&server)).embed(&["one", "two"], Purpose::Entry) {
        Err(EmbedError::Answer { fault, .. }) => {
            assert_eq!(server.asked().len(), 1, "asking again gives the same answer");
            fault
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn too_few_or_too_many_vectors_are_an_error() {
    assert_eq!(fault(r#"{"data":[]}"#), AnswerFault::Count { sent: 2, answered: 0 });
    let one = r#"{"data":[{"index":1,"embedding":[1]}]}"#;
    assert_eq!(fault(one), AnswerFault::Count { sent: 2, answered: 1 });
    let three = r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]},
        {"index":2,"embedding":[1]}]}"#;
    assert_eq!(fault(three), AnswerFault::Count { sent: 2, answered: 3 });
}

#[test]
fn vectors_of_two_lengths_in_one_answer_are_an_error() {
    let answer = r#"{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}"#;
    assert_eq!(fault(answer), AnswerFault::Length { expected: 2, answered: 1 });
}

#[test]
fn nan_infinity_null_and_zero_are_errors() {
    for values in ["[NaN]", "[1e39]", "[null]", "[\"1\"]", "\"AAAA\""] {
        let answer = format!(
            r#"{{"data":[{{"index":0,"embedding":{values}}},{{"index":1,"embedding":[1]}}]}}"#
        );
        assert!(matches!(fault(&answer), AnswerFault::Malformed { .. }), "{values}");
    }
    let zero = r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[0.0]}]}"#;
    assert_eq!(fault(zero), AnswerFault::NoDirection { index: 1 });
}

#[test]
fn a_length_that_differs_from_the_configured_or_an_earlier_one_is_an_error() {
    let answer = || body(r#"{"data":[{"index":0,"embedding":[1,2]}]}"#);
    let server = Server::start(vec![answer()]);
    let endpoint = embedder(&EmbedOptions { dimensions: Some(3), ..options(&server) });
    let error = endpoint.embed(&["one"], Purpose::Entry).unwrap_err();
    assert!(error.to_string().contains("2 numbers where 3 were expected"), "{error}");
    assert!(!error.is_transient());

    let server = Server::start(vec![answer()]);
    let endpoint = embedder(&options(&server));
    endpoint.embed(&["one"], Purpose::Entry).unwrap();
    let error = endpoint.embed(&["two"], Purpose::Entry).unwrap_err();
    assert!(error.to_string().contains("3 numbers where 2 were expected"), "{error}");
}

#[test]
fn an_endless_answer_is_cut_off_at_64_mib() {
    let server = Server::start(vec![endless()]);
    let error = embedder(&options(&server)).embed(&["one"], Purpose::Entry).unwrap_err();
    let EmbedError::Answer { fault, .. } = error else { panic!("{error}") };
    assert_eq!(fault, AnswerFault::TooLong { most: 64 * 1024 * 1024 });
}
