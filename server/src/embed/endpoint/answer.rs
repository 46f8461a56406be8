//! From the bytes of an answer to vectors of unit length.

use serde::Deserialize;

use crate::embed::{AnswerFault, EmbedOptions, EmbedderIdentity};

/// The part of an answer that is read.
#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: u64,
    embedding: Vec<f32>,
}

/// The vectors of `sent` texts, in the order of the texts, each of unit length.
pub(super) fn vectors(
    body: &[u8],
    sent: usize,
    identity: &EmbedderIdentity,
) -> Result<Vec<Vec<f32>>, AnswerFault> {
    let Answer { data } = serde_json::from_slice(body)
        // The parser's own words may repeat a text that the server echoes.
        .map_err(|error| AnswerFault::Malformed { line: error.line(), column: error.column() })?;
    if data.len() != sent {
        return Err(AnswerFault::Count { sent, answered: data.len() });
    }
    let mut ordered: Vec<Option<Vec<f32>>> = vec![None; sent];
    for Item { index, embedding } in data {
        let slot = usize::try_from(index).ok().and_then(|place| ordered.get_mut(place));
        match slot {
            Some(slot @ None) => *slot = Some(embedding),
            Some(Some(_)) | None => return Err(AnswerFault::Index { index, sent }),
        }
    }
    // As many items as texts and no index twice: every place is taken.
    let found: Vec<Vec<f32>> = ordered.into_iter().flatten().collect();
    let lengths = found.iter().map(Vec::len);
    same_length(lengths, identity)?;
    found
        .into_iter()
        .enumerate()
        .map(|(index, vector)| unit(vector).ok_or(AnswerFault::NoDirection { index }))
        .collect::<Result<Vec<_>, _>>()
        .and_then(|vectors| learn(vectors, identity))
}

/// All of one length, and of the known one if there is one.
fn same_length(
    mut lengths: impl Iterator<Item = usize>,
    identity: &EmbedderIdentity,
) -> Result<(), AnswerFault> {
    let Some(first) = lengths.next() else { return Ok(()) };
    let expected = identity.dims().unwrap_or_else(|| first.clamp(1, EmbedOptions::MOST_DIMENSIONS));
    match std::iter::once(first).chain(lengths).find(|length| *length != expected) {
        Some(answered) => Err(AnswerFault::Length { expected, answered }),
        None => Ok(()),
    }
}

/// Only vectors that are sound in every way decide which length is expected from now on.
fn learn(
    vectors: Vec<Vec<f32>>,
    identity: &EmbedderIdentity,
) -> Result<Vec<Vec<f32>>, AnswerFault> {
    if let Some(vector) = vectors.first() {
        let answered = vector.len();
        identity.learn(answered).map_err(|expected| AnswerFault::Length { expected, answered })?;
    }
    Ok(vectors)
}

/// `vector` divided by its length; `None` if it has no direction.
fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    // In f64, where squares of any f32 neither overflow nor vanish.
    let square: f64 = vector.iter().map(|value| f64::from(*value).powi(2)).sum();
    if !square.is_finite() || square == 0.0 {
        return None;
    }
    let length = square.sqrt();
    for value in &mut vector {
        *value = (f64::from(*value) / length) as f32;
    }
    Some(vector)
}

#[cfg(test)]
mod tests {
    use std::f32::consts::FRAC_1_SQRT_2;

    use super::{unit, vectors};
    use crate::embed::{AnswerFault, EmbedderIdentity};

    fn identity() -> EmbedderIdentity {
        EmbedderIdentity::new("openai:m@host".to_owned(), None)
    }

    fn read(body: &str, sent: usize) -> Result<Vec<Vec<f32>>, AnswerFault> {
        vectors(body.as_bytes(), sent, &identity())
    }

    #[test]
    fn vectors_come_in_the_order_of_the_index_with_unit_length() {
        let body = r#"{"object":"list","model":"m","data":[
            {"index":1,"embedding":[0,-2],"object":"embedding"},{"index":0,"embedding":[3,4]}]}"#;
        assert_eq!(read(body, 2).unwrap(), [[0.6, 0.8], [0.0, -1.0]]);
    }

    #[test]
    fn very_small_and_very_large_values_keep_their_direction() {
        let body =
            r#"{"data":[{"index":0,"embedding":[3e38,3e38]},{"index":1,"embedding":[1e-40,0]}]}"#;
        let found = read(body, 2).unwrap();
        for (value, expected) in found.concat().iter().zip([FRAC_1_SQRT_2, FRAC_1_SQRT_2, 1.0, 0.0])
        {
            assert!((value - expected).abs() < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn a_vector_without_direction_is_refused_and_teaches_nothing() {
        let known = identity();
        let body = br#"{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0,-0.0]}]}"#;
        assert_eq!(vectors(body, 2, &known), Err(AnswerFault::NoDirection { index: 1 }));
        assert_eq!(known.dims(), None);
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(unit(vec![1.0, value]), None, "{value}");
        }
    }

    #[test]
    fn indices_that_repeat_or_run_over_are_refused() {
        for index in [0, 2, u64::MAX] {
            let body = format!(
                r#"{{"data":[{{"index":0,"embedding":[1]}},{{"index":{index},"embedding":[1]}}]}}"#
            );
            assert_eq!(read(&body, 2), Err(AnswerFault::Index { index, sent: 2 }));
        }
    }

    #[test]
    fn no_numbers_or_far_too_many_are_refused() {
        let body = r#"{"data":[{"index":0,"embedding":[]}]}"#;
        assert_eq!(read(body, 1), Err(AnswerFault::Length { expected: 1, answered: 0 }));
        let body = format!(r#"{{"data":[{{"index":0,"embedding":[1{}]}}]}}"#, ",0".repeat(20_000));
        let fault = read(&body, 1).unwrap_err();
        assert_eq!(fault, AnswerFault::Length { expected: 3_584, answered: 20_001 });
    }

    #[test]
    fn a_malformed_answer_tells_where_but_not_what() {
        for body in ["", "no JSON", r#"{"data":{}}"#, r#"{"data":[{"index":0,"embedding":[NaN]}]}"#]
        {
            assert!(matches!(read(body, 1), Err(AnswerFault::Malformed { .. })), "{body}");
        }
        let fault = read(r#"{"data":"my diary"}"#, 1).unwrap_err();
        assert!(!format!("{fault} {fault:?}").contains("diary"));
    }
}
