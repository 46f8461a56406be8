//! Whether a restarted server gives the same answers, byte for byte.

use memoryd_client::Error;

use crate::ask::Answer;
use crate::plan::Question;

/// Differences that are told one by one; the rest is only counted.
const TOLD: usize = 5;

/// What differs, in words; empty when nothing does.
pub(crate) fn differences(
    questions: &[Question],
    before: &[Result<Answer, Error>],
    after: &[Result<Answer, Error>],
) -> Vec<String> {
    let mut told = Vec::new();
    let mut differing = 0_usize;
    for (question, (before, after)) in questions.iter().zip(before.iter().zip(after)) {
        let Some(difference) = difference(before, after) else { continue };
        differing += 1;
        if told.len() < TOLD {
            told.push(format!("question {} after the restart: {difference}", question.id));
        }
    }
    if differing > told.len() {
        told.push(format!("{differing} answers in all differ after the restart"));
    }
    told
}

fn difference(before: &Result<Answer, Error>, after: &Result<Answer, Error>) -> Option<String> {
    match (before, after) {
        (Ok(before), Ok(after)) if before.bytes == after.bytes => None,
        (Ok(before), Ok(after)) => Some(difference_of_answers(before, after)),
        (Err(before), Err(after)) if before.to_string() == after.to_string() => None,
        (_, Err(error)) => Some(format!("another error, {error}")),
        (Err(_), Ok(_)) => Some("an answer instead of an error".to_owned()),
    }
}

fn difference_of_answers(before: &Answer, after: &Answer) -> String {
    if before.hits.len() != after.hits.len() {
        return format!("{} hits instead of {}", after.hits.len(), before.hits.len());
    }
    for (place, (old, new)) in before.hits.iter().zip(&after.hits).enumerate() {
        if old != new {
            let rank = place + 1;
            return format!("hit {rank} is {} ({}), was {} ({})", new.0, new.1, old.0, old.1);
        }
    }
    "the same ids and scores in other bytes".to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use super::*;

    fn answer(hits: &[(&str, f64)], bytes: &[u8]) -> Result<Answer, Error> {
        let hits = hits.iter().map(|(id, score)| ((*id).to_owned(), *score)).collect();
        Ok(Answer { hits, bytes: bytes.to_vec(), took: Duration::ZERO })
    }

    fn question() -> Question {
        Question {
            id: "q1".to_owned(),
            user: "u".to_owned(),
            text: "t".to_owned(),
            category: None,
            language: None,
            asked_at: None,
            right: HashSet::new(),
        }
    }

    #[test]
    fn every_kind_of_difference_is_told() {
        let base = || answer(&[("a", 0.5)], b"1");
        let error = || Err(Error::InvalidReply("odd".to_owned()));
        for (before, after, expected) in [
            (base(), base(), None),
            (error(), error(), None),
            (base(), answer(&[], b"2"), Some("0 hits instead of 1")),
            (base(), answer(&[("a", 0.4)], b"2"), Some("hit 1 is a (0.4), was a (0.5)")),
            (base(), answer(&[("a", 0.5)], b"2"), Some("the same ids and scores in other bytes")),
            (error(), base(), Some("an answer instead of an error")),
        ] {
            let told = differences(&[question()], &[before], &[after]);
            let expected = expected.map(|text| format!("question q1 after the restart: {text}"));
            assert_eq!(told, Vec::from_iter(expected));
        }
        let told = differences(&[question()], &[base()], &[error()]);
        assert!(told[0].contains("another error, "), "{told:?}");
    }

    #[test]
    fn many_differences_are_counted() {
        let questions = vec![question(); 9];
        let all = |bytes: &[u8]| (0..9).map(|_| answer(&[], bytes)).collect::<Vec<_>>();
        let told = differences(&questions, &all(b"1"), &all(b"2"));
        assert_eq!(told.len(), TOLD + 1);
        assert_eq!(told[TOLD], "9 answers in all differ after the restart");
    }
}
