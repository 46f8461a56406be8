//! From answers to figures.

use std::time::Duration;

use memoryd_client::Error;

use crate::ask::{Answer, LIMIT};
use crate::bootstrap;
use crate::metrics::{ndcg, percentile, recall};
use crate::plan::Question;
use crate::report::{FalseHits, Group, Judged, Speed};
use crate::unrelated::Unrelated;

/// The group that a set without categories consists of.
const ALL: &str = "all";
/// The group that stands for a set with categories: the fifth asks for what was never said.
const HEADLINE: &str = "1-4";
const HEADLINE_CATEGORIES: std::ops::RangeInclusive<u8> = 1..=4;

/// How good the answer to one question is. A failed search found nothing.
pub(crate) fn judged(
    question: &Question,
    answer: &Result<Answer, Error>,
    min_score: f64,
) -> Judged {
    let hits = answer.as_ref().map_or(&[][..], |answer| &answer.hits);
    let ids: Vec<&str> = hits.iter().map(|(id, _)| id.as_str()).collect();
    let right = hits.iter().filter(|(id, _)| question.right.contains(id));
    Judged {
        id: question.id.clone(),
        category: question.category,
        failed: answer.is_err(),
        r1: recall(&ids, &question.right, 1),
        r10: recall(&ids, &question.right, LIMIT as usize),
        ndcg10: ndcg(&ids, &question.right, LIMIT as usize),
        right_hits: right.clone().count() as u32,
        right_hits_sure: right.filter(|(_, score)| *score >= min_score).count() as u32,
    }
}

/// The figures of all questions, and of each category where there are some. The first group stands
/// for the set.
pub(crate) fn groups(judged: &[Judged]) -> Vec<Group> {
    let mut categories: Vec<u8> = judged.iter().filter_map(|one| one.category).collect();
    categories.sort_unstable();
    categories.dedup();
    if categories.is_empty() {
        return vec![group(ALL, judged)];
    }
    let names = categories.iter().map(ToString::to_string);
    let names = std::iter::once(HEADLINE.to_owned()).chain(names);
    names.map(|name| group(&name, judged)).collect()
}

/// Whether a question belongs to a group of this name.
pub(crate) fn belongs(one: &Judged, group: &str) -> bool {
    match (group, one.category) {
        (ALL, _) => true,
        (HEADLINE, Some(category)) => HEADLINE_CATEGORIES.contains(&category),
        (name, Some(category)) => name == category.to_string(),
        (_, None) => false,
    }
}

fn group(name: &str, judged: &[Judged]) -> Group {
    let members: Vec<&Judged> = judged.iter().filter(|one| belongs(one, name)).collect();
    let mean = |value: fn(&Judged) -> f64| {
        bootstrap::mean(&members.iter().map(|one| value(one)).collect::<Vec<_>>())
    };
    let sure: Vec<_> = members
        .iter()
        .map(|one| (f64::from(one.right_hits_sure), f64::from(one.right_hits)))
        .collect();
    Group {
        name: name.to_owned(),
        questions: members.len(),
        errors: members.iter().filter(|one| one.failed).count(),
        r1: mean(|one| one.r1),
        r10: mean(|one| one.r10),
        ndcg10: mean(|one| one.ndcg10),
        right_hits_sure: bootstrap::share(&sure),
    }
}

/// How often an unrelated question sees a hit that is taken for sure.
pub(crate) fn false_hits(
    unrelated: &Unrelated,
    answers: &[Result<Answer, Error>],
    min_score: f64,
) -> FalseHits {
    let answered: Vec<&Answer> = answers.iter().flatten().collect();
    let sees = |answer: &&Answer| answer.hits.iter().any(|(_, score)| *score >= min_score);
    let seen: Vec<f64> = answered.iter().map(|answer| f64::from(u8::from(sees(answer)))).collect();
    FalseHits {
        source: unrelated.source.clone(),
        questions: answers.len(),
        errors: answers.len() - answered.len(),
        share: bootstrap::mean(&seen),
    }
}

/// Speed of putting in and of asking.
pub(crate) fn speed(
    entries: usize,
    ingest: Duration,
    settled: Duration,
    answers: &[Result<Answer, Error>],
) -> Speed {
    let took: Vec<_> = answers.iter().flatten().map(|answer| answer.took).collect();
    let milliseconds = |share| percentile(&took, share).as_secs_f64() * 1e3;
    let seconds = ingest.as_secs_f64();
    Speed {
        entries,
        entries_per_second: if seconds > 0.0 { entries as f64 / seconds } else { 0.0 },
        settled_seconds: settled.as_secs_f64(),
        p50_milliseconds: milliseconds(0.5),
        p99_milliseconds: milliseconds(0.99),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::SystemTime;

    use super::*;

    fn question(category: Option<u8>, right: &[&str]) -> Question {
        Question {
            id: "q".to_owned(),
            user: "u".to_owned(),
            text: "t".to_owned(),
            category,
            asked_at: SystemTime::UNIX_EPOCH,
            right: right.iter().map(|id| (*id).to_owned()).collect::<HashSet<_>>(),
        }
    }

    fn answer(hits: &[(&str, f64)]) -> Result<Answer, Error> {
        let hits = hits.iter().map(|(id, score)| ((*id).to_owned(), *score)).collect();
        Ok(Answer { hits, bytes: Vec::new(), took: Duration::from_millis(2) })
    }

    fn failure() -> Result<Answer, Error> {
        Err(Error::InvalidReply("odd".to_owned()))
    }

    #[test]
    fn right_hits_are_counted_below_and_from_the_score_on() {
        let answer = answer(&[("x", 0.9), ("a", 0.5), ("b", 0.49)]);
        let one = judged(&question(None, &["a", "b", "c"]), &answer, 0.5);
        assert_eq!((one.right_hits, one.right_hits_sure), (2, 1));
        assert_eq!((one.r1, one.failed), (0.0, false));
        assert!((one.r10 - 2.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_failed_search_counts_as_nothing_found() {
        let question = question(None, &["a"]);
        let found = judged(&question, &answer(&[("a", 0.7)]), 0.5);
        let failed = judged(&question, &failure(), 0.5);
        let groups = groups(&[found, failed]);
        assert_eq!((groups[0].questions, groups[0].errors), (2, 1));
        assert_eq!(groups[0].r10.unwrap().value, 0.5);
        assert_eq!(groups[0].right_hits_sure.unwrap().value, 1.0);
    }

    #[test]
    fn the_fifth_category_is_told_but_not_counted_in_the_headline() {
        let one = |category, hits: &[(&str, f64)]| {
            judged(&question(Some(category), &["a"]), &answer(hits), 0.5)
        };
        let judged = [one(1, &[("a", 1.0)]), one(4, &[]), one(5, &[("a", 1.0)])];
        let groups = groups(&judged);
        let names: Vec<_> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["1-4", "1", "4", "5"]);
        let recalls: Vec<_> = groups.iter().map(|group| group.r10.unwrap().value).collect();
        assert_eq!(recalls, [0.5, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn an_unrelated_question_sees_a_false_hit_when_any_is_sure() {
        let unrelated = Unrelated { source: "other".to_owned(), questions: Vec::new() };
        let answers = [answer(&[("x", 0.4), ("y", 0.5)]), answer(&[("x", 0.4)]), failure()];
        let seen = false_hits(&unrelated, &answers, 0.5);
        assert_eq!((seen.questions, seen.errors), (3, 1));
        assert_eq!(seen.share.unwrap().value, 0.5);
    }
}
