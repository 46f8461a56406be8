use super::{asking, docs, order, put, ranking};
use crate::recall::analysis::Query;
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Dated, Mode, Question};
use crate::recall::score::score_by_words;

/// Fully on day 7, half on the three days after it.
fn on_day_7(day: i32) -> f64 {
    match day {
        7 => 1.0,
        8..=10 => 0.5,
        _ => 0.0,
    }
}

fn dated(words: &str, rest: &str) -> Question<'static> {
    let rest = Query::parse(rest);
    Question { dated: Some(Dated { rest, agreement: &on_day_7 }), ..asking(words) }
}

fn diary() -> ScopeIndex {
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "", 3, "went to the dentist");
    put(&mut index, 1, "", 7, "went to the dentist");
    put(&mut index, 2, "", 8, "went to the dentist");
    put(&mut index, 3, "", 7, "painted the fence");
    for doc in 4..30 {
        put(&mut index, doc, "", 40, "quiet day");
    }
    index
}

#[test]
fn a_day_that_agrees_moves_an_entry_up() {
    let found = ranking(&dated("dentist on 8 January", "dentist on"), &[&diary()]).matches;
    assert_eq!(order(found.clone()), [1, 2, 0]);
    let alone = ranking(&asking("dentist on 8 January"), &[&diary()]).matches;
    let risen = |at: usize| found[at].value - alone[at].value;
    assert!(risen(1) > risen(2) && risen(2) > risen(0));
}

#[test]
fn a_day_that_agrees_is_no_evidence_beside_words() {
    let found = ranking(&dated("dentist yesterday", "dentist"), &[&diary()]).matches;
    assert_eq!(docs(&found), [0, 1, 2]);
}

#[test]
fn a_question_for_nothing_but_a_day_finds_the_day() {
    for (words, rest) in [
        ("yesterday", ""),
        ("what did we do yesterday?", "what did we do"),
        ("what happened yesterday?", "what happened"),
        ("昨天发生了什么？", "发生了什么？"),
    ] {
        let ranking = ranking(&dated(words, rest), &[&diary()]);
        assert_eq!(docs(&ranking.matches), [1, 3], "{words}");
        assert!(ranking.matches.iter().all(|found| found.value == 1.0 && found.score == 1.0));
        assert_eq!(ranking.best_by_words, 1.0);
    }
}

#[test]
fn the_words_of_a_date_still_find_entries_that_hold_them() {
    let mut index = diary();
    put(&mut index, 30, "", 40, "yesterday was a holiday");
    let found = ranking(&dated("what happened yesterday?", "what happened"), &[&index]).matches;
    assert_eq!(order(found), [3, 1, 30]);
}

#[test]
fn without_an_entry_that_agrees_fully_time_is_left_out() {
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "", 8, "the treaty of 1943");
    put(&mut index, 1, "", 3, "a treaty");
    let question = dated("treaty in 1943", "treaty in");
    assert_eq!(ranking(&question, &[&index]), ranking(&asking("treaty in 1943"), &[&index]));
    let question = dated("1943", "");
    assert_eq!(docs(&ranking(&question, &[&index]).matches), [0]);
}

#[test]
fn a_date_in_the_text_counts_as_much_as_without_dates() {
    let mut index = diary();
    put(&mut index, 30, "", 40, "the treaty of 1943");
    let plain = ranking(&asking("treaty 1943"), &[&index]).matches;
    let dated = ranking(&dated("treaty 1943", "treaty"), &[&index]).matches;
    assert_eq!(plain, dated);
}

#[test]
fn agreement_that_is_no_number_or_out_of_range_does_no_harm() {
    let index = diary();
    let wild = |day: i32| match day {
        3 => f64::NAN,
        7 => f64::INFINITY,
        _ => -5.0,
    };
    let rest = Query::parse("dentist");
    let question = Question { dated: Some(Dated { rest, agreement: &wild }), ..asking("dentist") };
    let found = ranking(&question, &[&index]).matches;
    assert_eq!(order(found.clone()), [1, 2, 0]);
    assert!(found.iter().all(|found| (0.0..=1.0).contains(&found.value)));
}

#[test]
fn lexical_mode_hears_dates_and_semantic_mode_does_not() {
    let mut question = dated("yesterday", "");
    question.mode = Mode::Lexical;
    assert_eq!(docs(&ranking(&question, &[&diary()]).matches), [1, 3]);
    question.mode = Mode::Semantic;
    assert!(ranking(&question, &[&diary()]).matches.is_empty());
}

#[test]
fn an_author_who_is_called_like_a_month_is_not_named_by_a_date() {
    let mut index = diary();
    put(&mut index, 30, "May", 40, "went to the dentist");
    let question = dated("dentist in May", "dentist in");
    let found = ranking(&question, &[&index]).matches;
    assert!(found[3].value < found[1].value);
    assert_eq!(score_by_words(found[3].value), found[3].score);
}
