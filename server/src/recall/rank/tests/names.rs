use super::{asking, docs, idf, put, ranked, ranking};
use crate::domain::Calibration;
use crate::recall::analysis::Query;
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Dated, Explainer, Meaning, Question};
use crate::recall::vector::{QueryVector, Vector};

fn painters() -> ScopeIndex {
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "Ben", 0, "Ann paints");
    put(&mut index, 1, "Ben", 0, "ships sail");
    put(&mut index, 2, "Ann", 0, "ships paint");
    put(&mut index, 3, "", 7, "quiet day");
    index
}

#[test]
fn a_term_that_names_an_author_counts_half() {
    let matches = ranked("Ann ships", &[&painters()]);
    assert_eq!(docs(&matches), [0, 1, 2]);
    let (name, word) = (0.5 * idf(4.0, 1.0), idf(4.0, 2.0));
    let held = 1.0 / 1.8;
    let expected = [name * held, word * held, 1.8 * word * held].map(|sum| sum / (name + word));
    for (found, value) in matches.iter().zip(expected) {
        assert!((found.value - value).abs() < 1e-12, "{found:?} {value}");
    }
}

#[test]
fn a_name_counts_half_in_every_scope_when_one_has_its_author() {
    let other = {
        let mut index = ScopeIndex::new();
        put(&mut index, 0, "", 0, "Ann sails");
        index
    };
    let half = ranked("Ann ships", &[&painters(), &other]);
    let found = half.iter().find(|found| found.scope == 1).unwrap();
    assert_eq!(found.value, half[0].value);
}

#[test]
fn a_name_that_no_author_has_counts_in_full() {
    let matches = ranked("Zoe ships", &[&painters()]);
    assert_eq!(matches[0].value, matches[1].value);
    let total = idf(4.0, 0.0) + idf(4.0, 2.0);
    assert!((matches[0].value - idf(4.0, 2.0) / 1.8 / total).abs() < 1e-12);
}

#[test]
fn a_question_of_a_name_alone_finds_who_speaks_of_it() {
    assert_eq!(docs(&ranked("Ann", &[&painters()])), [0]);
    assert!((ranked("Ann", &[&painters()])[0].value - 1.0 / 1.8).abs() < 1e-12);
}

#[test]
fn the_likeness_of_a_named_author_moves_an_entry_up_and_is_told() {
    let mut index = painters();
    for doc in [1, 2] {
        assert!(index.set_vector(doc, &Vector::quantise(&[0.6, 0.8]).unwrap()));
    }
    let vector = QueryVector::quantise(&[1.0, 0.0]).unwrap();
    let meaning = Some(Meaning { vector, calibration: Calibration::ENCODER });
    let question = Question { meaning, ..asking("Ann clouds") };
    let scopes = [&index];
    let matches = ranking(&question, &scopes).matches;
    assert_eq!(docs(&matches), [0, 1, 2]);
    assert!((matches[2].value - 1.5 * matches[1].value).abs() < 1e-12);
    // How sure a likeness is has nothing to do with who wrote the entry.
    assert_eq!(matches[2].likeness, matches[1].likeness);
    let parts = Explainer::new(&question, &scopes).explain(0, 2).unwrap();
    assert!((parts.author - 0.5 * parts.meaning).abs() < 1e-12);
    assert!((parts.rank_value() - matches[2].value).abs() < 1e-12);
}

#[test]
fn neither_author_nor_day_settles_a_question_of_words() {
    let index = painters();
    let named = ranking(&asking("Ann ships"), &[&index]);
    assert!(named.best_by_words < named.matches[2].lexical);
    assert_eq!(named.best_by_words, named.matches[1].lexical);
    let on_day_7 = |day: i32| f64::from(day == 7);
    let dated = Question {
        dated: Some(Dated { rest: Query::parse("quiet clouds"), agreement: &on_day_7 }),
        ..asking("quiet clouds yesterday")
    };
    let found = ranking(&dated, &[&index]);
    let plain = ranking(&asking("quiet clouds yesterday"), &[&index]);
    assert!(found.matches[0].lexical > plain.matches[0].lexical);
    assert_eq!(found.best_by_words, plain.best_by_words);
}
