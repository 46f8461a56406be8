//! From answers to figures.

use std::collections::BTreeSet;
use std::time::Duration;

use memoryd_client::Error;

use crate::ask::{Answer, LIMIT};
use crate::bootstrap::{self, Interval};
use crate::metrics::{ndcg, percentile, recall};
use crate::plan::Question;
use crate::report::{FalseHits, Group, Judged, Run, Speed, WithoutAnswer};
use crate::unrelated::Unrelated;

/// The group of all questions that have an answer.
const ALL: &str = "all";
/// The group that stands for a set whose categories are numbers: the fifth asks for what was never
/// said.
const HEADLINE: &str = "1-4";
const HEADLINE_CATEGORIES: [&str; 4] = ["1", "2", "3", "4"];
/// What the name of a group of one language begins with.
const LANGUAGE: &str = "lang-";

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
        category: question.category.clone(),
        language: question.language.clone(),
        failed: answer.is_err(),
        r1: recall(&ids, &question.right, 1),
        r3: recall(&ids, &question.right, 3),
        r10: recall(&ids, &question.right, LIMIT as usize),
        ndcg10: ndcg(&ids, &question.right, LIMIT as usize),
        right_hits: right.clone().count() as u32,
        right_hits_sure: right.filter(|(_, score)| *score >= min_score).count() as u32,
    }
}

/// The figures of all questions, of each category and of each language where there are some. The first
/// group stands for the set.
pub(crate) fn groups(judged: &[Judged]) -> Vec<Group> {
    let categories = distinct(judged.iter().filter_map(|one| one.category.as_ref()));
    let languages = distinct(judged.iter().filter_map(|one| one.language.as_ref()));
    let are_numbers = !categories.is_empty()
        && categories.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    let headline = if are_numbers { HEADLINE } else { ALL };
    let names = std::iter::once(headline.to_owned()).chain(categories);
    let names = names.chain(languages.iter().map(|name| format!("{LANGUAGE}{name}")));
    names.map(|name| group(&name, judged)).collect()
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.cloned().collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether a question belongs to a group of this name.
pub(crate) fn belongs(one: &Judged, group: &str) -> bool {
    match (group, one.category.as_deref()) {
        (ALL, _) => true,
        (HEADLINE, Some(category)) => HEADLINE_CATEGORIES.contains(&category),
        (name, category) => {
            category == Some(name)
                || language_of(name).is_some_and(|code| one.language.as_deref() == Some(code))
        }
    }
}

/// The language that a group of this name is of.
fn language_of(group: &str) -> Option<&str> {
    group.strip_prefix(LANGUAGE)
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
        r3: mean(|one| one.r3),
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
    let asked: Vec<WithoutAnswer> = unrelated
        .questions
        .iter()
        .zip(answers)
        .filter_map(|(question, answer)| {
            let scores = answer.as_ref().ok()?.hits.iter().map(|(_, score)| *score);
            let (id, language) = (question.id.clone(), question.language.clone());
            let best = scores.clone().fold(0.0, f64::max);
            // Not from `best`: without any hit none is sure, whatever the score.
            let is_sure = scores.into_iter().any(|score| score >= min_score);
            Some(WithoutAnswer { id, language, best, is_sure })
        })
        .collect();
    FalseHits {
        source: unrelated.source.clone(),
        questions: answers.len(),
        errors: answers.len() - asked.len(),
        share: share_of(asked.iter()),
        asked,
    }
}

/// The share of the questions without an answer that see a sure hit: for the group that stands for the
/// set, of all of them; for one of a language, of those in it; for one of a category, `None`.
pub(crate) fn unrelated_share(run: &Run, group: &Group) -> Option<Interval> {
    let unrelated = run.unrelated.as_ref()?;
    if run.headline().is_some_and(|headline| headline.name == group.name) {
        return unrelated.share;
    }
    let language = language_of(&group.name)?;
    share_of(unrelated.asked.iter().filter(|one| one.language.as_deref() == Some(language)))
}

fn share_of<'a>(asked: impl Iterator<Item = &'a WithoutAnswer>) -> Option<Interval> {
    let sure: Vec<_> = asked.map(|one| f64::from(u8::from(one.is_sure))).collect();
    bootstrap::mean(&sure)
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

    use super::*;
    use crate::report::ServerFacts;

    fn question(category: Option<&str>, right: &[&str]) -> Question {
        Question {
            id: "q".to_owned(),
            user: "u".to_owned(),
            text: "t".to_owned(),
            category: category.map(str::to_owned),
            language: Some("de".to_owned()),
            asked_at: None,
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
        let judged = [one("1", &[("a", 1.0)]), one("4", &[]), one("5", &[("a", 1.0)])];
        let groups = groups(&judged);
        let names: Vec<_> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["1-4", "1", "4", "5", "lang-de"]);
        let recalls: Vec<_> = groups.iter().map(|group| group.r10.unwrap().value).collect();
        assert_eq!(recalls, [0.5, 1.0, 0.0, 1.0, 2.0 / 3.0]);
    }

    #[test]
    fn an_unrelated_question_sees_a_false_hit_when_any_is_sure() {
        let questions = vec![question(None, &[]); 3];
        let unrelated = Unrelated { source: "other".to_owned(), questions };
        let answers = [answer(&[("x", 0.4), ("y", 0.5)]), answer(&[("x", 0.4)]), failure()];
        let seen = false_hits(&unrelated, &answers, 0.5);
        assert_eq!((seen.questions, seen.errors), (3, 1));
        assert_eq!(seen.share.unwrap().value, 0.5);
    }

    #[test]
    fn languages_have_shares_of_their_own_and_categories_none() {
        let asked = [("de", true), ("de", false), ("fr", false)].map(|(language, is_sure)| {
            let best = f64::from(u8::from(is_sure));
            let (id, language) = ("u".to_owned(), Some(language.to_owned()));
            WithoutAnswer { id, language, best, is_sure }
        });
        let judged = [judged(&question(Some("words"), &["a"]), &answer(&[("a", 0.7)]), 0.5)];
        let text = String::new;
        let (version, store, analyzer, embedder) = (text(), text(), text(), text());
        let run = Run {
            name: text(),
            mode: text(),
            server: ServerFacts { version, store, analyzer, embedder },
            groups: groups(&judged),
            unrelated: Some(FalseHits {
                source: text(),
                questions: 3,
                errors: 0,
                share: share_of(asked.iter()),
                asked: asked.to_vec(),
            }),
            speed: speed(1, Duration::ZERO, Duration::ZERO, &[]),
            questions: judged.to_vec(),
        };
        let shares = run.groups.iter().map(|group| {
            let share = unrelated_share(&run, group).map(|interval| interval.value);
            (group.name.as_str(), share)
        });
        let expected = [("all", Some(1.0 / 3.0)), ("words", None), ("lang-de", Some(0.5))];
        assert_eq!(shares.collect::<Vec<_>>(), expected);
    }
}
