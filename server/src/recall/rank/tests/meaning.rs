use super::{Mode, asking, docs, idf, index_of, ranking, session_of};
use crate::domain::Calibration;
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Meaning, Question};
use crate::recall::vector::{QueryVector, Vector};

fn meaning(values: [f32; 3]) -> Option<Meaning> {
    let vector = QueryVector::quantise(&values).unwrap();
    Some(Meaning { vector, calibration: Calibration::ENCODER })
}

fn with(words: &str, values: [f32; 3]) -> Question<'static> {
    Question { meaning: meaning(values), ..asking(words) }
}

fn set(index: &mut ScopeIndex, doc: u32, values: [f32; 3]) {
    assert!(index.set_vector(doc, &Vector::quantise(&values).unwrap()));
}

fn close(left: f64, right: f64) {
    assert!((left - right).abs() < 0.01, "{left} {right}");
}

#[test]
fn an_entry_that_means_the_same_is_found_without_a_word() {
    let mut index = index_of([(0, "alpha"), (1, "bravo"), (2, "charlie")]);
    set(&mut index, 0, [1.0, 0.0, 0.0]);
    set(&mut index, 1, [0.0, 1.0, 0.0]);
    let found = ranking(&with("unknown", [0.8, 0.05, 0.59]), &[&index]).matches;
    assert_eq!(docs(&found), [0]);
    close(found[0].likeness.unwrap(), 0.8);
    close(found[0].value, 0.25 * 0.8 / 1.25);
    close(found[0].score, 1.0);
    assert_eq!(found[0].lexical, 0.0);
}

#[test]
fn likeness_is_mixed_with_the_neighbours() {
    let mut index = session_of(&["alpha", "bravo", "charlie"]);
    set(&mut index, 0, [0.0, 1.0, 0.0]);
    set(&mut index, 1, [1.0, 0.0, 0.0]);
    set(&mut index, 2, [0.0, 0.0, 1.0]);
    let found = ranking(&with("unknown", [0.6, 0.8, 0.0]), &[&index]).matches;
    assert_eq!(docs(&found), [0, 1]);
    close(found[0].own_likeness.unwrap(), 0.8);
    close(found[0].likeness.unwrap(), (0.8 + 0.3 * 0.6) / 1.09_f64.sqrt());
    close(found[1].own_likeness.unwrap(), 0.6);
    close(found[1].likeness.unwrap(), (0.6 + 0.5 * 0.8) / 1.34_f64.sqrt());
}

#[test]
fn a_neighbour_that_means_the_same_is_no_evidence() {
    let mut index = session_of(&["alpha", "bravo"]);
    set(&mut index, 0, [1.0, 0.0, 0.0]);
    set(&mut index, 1, [0.0, 1.0, 0.0]);
    assert_eq!(docs(&ranking(&with("unknown", [1.0, 0.0, 0.0]), &[&index]).matches), [0]);
}

#[test]
fn the_floor_is_the_embedders() {
    let mut index = index_of([(0, "alpha")]);
    set(&mut index, 0, [0.12, 0.993, 0.0]);
    let mut question = with("unknown", [1.0, 0.0, 0.0]);
    assert_eq!(ranking(&question, &[&index]).matches.len(), 1);
    question.meaning.as_mut().unwrap().calibration = Calibration::STATIC_TABLE;
    assert!(ranking(&question, &[&index]).matches.is_empty());
}

#[test]
fn an_entry_whose_vector_is_still_to_come_is_found_by_words() {
    let mut index = index_of([(0, "alpha"), (1, "alpha")]);
    set(&mut index, 1, [1.0, 0.0, 0.0]);
    let found = ranking(&with("alpha", [1.0, 0.0, 0.0]), &[&index]).matches;
    assert_eq!(docs(&found), [0, 1]);
    assert_eq!((found[0].likeness, found[0].own_likeness), (None, None));
    assert!(found[1].value > found[0].value);
}

#[test]
fn without_vectors_to_compare_with_ranking_is_by_words() {
    let mut index = index_of([(0, "alpha"), (1, "bravo")]);
    let plain = ranking(&asking("alpha"), &[&index]);
    assert_eq!(ranking(&with("alpha", [1.0, 0.0, 0.0]), &[&index]), plain);
    // Another embedder's.
    assert!(index.set_vector(0, &Vector::quantise(&[1.0, 0.0]).unwrap()));
    assert_eq!(ranking(&with("alpha", [1.0, 0.0, 0.0]), &[&index]), plain);
}

#[test]
fn modes_decide_what_is_heard() {
    let mut index = index_of([(0, "alpha"), (1, "bravo")]);
    set(&mut index, 0, [1.0, 0.0, 0.0]);
    set(&mut index, 1, [0.6, 0.8, 0.0]);
    let mut question = with("alpha", [0.0, 1.0, 0.0]);
    assert_eq!(docs(&ranking(&question, &[&index]).matches), [0, 1]);
    question.mode = Mode::Lexical;
    assert_eq!(ranking(&question, &[&index]), ranking(&asking("alpha"), &[&index]));
    question.mode = Mode::Semantic;
    let found = ranking(&question, &[&index]);
    assert_eq!(docs(&found.matches), [1]);
    assert_eq!(found.best_by_words, 0.0);
    close(found.matches[0].value, 0.8);
    close(found.matches[0].score, 1.0);
    question.meaning = None;
    assert!(ranking(&question, &[&index]).matches.is_empty());
}

#[test]
fn likeness_is_less_sure_where_the_memory_knows_the_words_of_the_question() {
    let mut index = index_of([(0, "alpha"), (1, "bravo bravo"), (2, "charlie")]);
    set(&mut index, 0, [1.0, 0.0, 0.0]);
    let asked = [0.5, 0.866, 0.0];
    let score_of_alpha = |words: &str| {
        let matches = ranking(&with(words, asked), &[&index]).matches;
        matches.iter().find(|found| found.doc == 0).unwrap().score
    };
    close(score_of_alpha("delta"), 1.5 * 0.5);
    close(score_of_alpha("bravo"), 1.5 * 0.25);
    let known = idf(3.0, 1.0) / (idf(3.0, 1.0) + idf(3.0, 0.0));
    close(score_of_alpha("bravo delta"), 1.5 * (0.5 - 0.25 * known));
    // What only meaning is asked for can't be confirmed by words.
    let question = Question { mode: Mode::Semantic, ..with("bravo", asked) };
    close(ranking(&question, &[&index]).matches[0].score, 1.5 * (0.5 - 0.25 * 0.25));
}
