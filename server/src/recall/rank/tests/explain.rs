use super::{asking, index_of, put, ranked, session_of};
use crate::domain::Calibration;
use crate::recall::analysis::Query;
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Dated, Explainer, Meaning, Mode, Question, rank};
use crate::recall::vector::{QueryVector, Vector};

#[test]
fn explanation_adds_up_to_the_value() {
    let index = index_of([(3, "alpha bravo bravo"), (9_000, "alpha charlie"), (9_001, "delta")]);
    let scopes = [&index];
    let question = asking("alpha bravo charlie unknown");
    let explainer = Explainer::new(&question, &scopes);
    for found in ranked("alpha bravo charlie unknown", &scopes) {
        let explanation = explainer.explain(found.scope, found.doc).unwrap();
        assert!((explanation.rank_value() - found.value).abs() < 1e-12);
        assert!((explanation.score_by_words - found.score).abs() < 1e-12);
    }
    let shares = explainer.explain(0, 3).unwrap().terms;
    let terms: Vec<&str> = shares.iter().map(|share| share.term.as_str()).collect();
    assert_eq!(terms, ["alpha", "bravo"]);
    assert_eq!((shares[1].count, shares[1].document_frequency), (2, 1));
    assert!(explainer.explain(0, 9_001).unwrap().terms.is_empty());
    assert_eq!(explainer.explain(0, 5), None);
    assert_eq!(explainer.explain(0, 80_000), None);
    assert_eq!(explainer.explain(1, 3), None);
}

#[test]
fn stop_words_are_shown_as_they_are_read() {
    let index = index_of([(0, "I saw The Who")]);
    let question = asking("the who");
    assert_eq!(Explainer::new(&question, &[&index]).explain(0, 0).unwrap().terms[0].term, "the");
}

#[test]
fn a_lent_term_names_its_lender() {
    let index = session_of(&["alpha", "bravo", "x charlie", "delta", "echo echo", "x"]);
    let question = asking("alpha bravo charlie delta echo");
    let explanation = Explainer::new(&question, &[&index]).explain(0, 2).unwrap();
    let lent: Vec<(&str, i32, u32)> = explanation
        .terms
        .iter()
        .map(|share| (share.term.as_str(), share.lent_by, share.count))
        .collect();
    assert_eq!(
        lent,
        [("alpha", -2, 1), ("bravo", -1, 1), ("charli", 0, 1), ("delta", 1, 1), ("echo", 2, 2)]
            .map(|(term, by, count)| (&term[..term.len().min(5)], by, count))
    );
    assert!(explanation.session > 0.0);
}

/// A scope where everything has a say.
fn everything() -> ScopeIndex {
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "Ann", 7, "paint ships ships");
    put(&mut index, 1, "Ben", 7, "ships sail");
    put(&mut index, 2, "Ann", 8, "clouds");
    put(&mut index, 3, "Ann", 3, "paint clouds in 1943");
    for doc in 4..20 {
        put(&mut index, doc, "", 40, "quiet day");
    }
    index.order_session(0, &[0, 1, 2]);
    for doc in 0..4_i16 {
        let values = [1.0, f32::from(doc), -0.5 * f32::from(doc)];
        assert!(index.set_vector(doc.unsigned_abs().into(), &Vector::quantise(&values).unwrap()));
    }
    index
}

fn on_day_7(day: i32) -> f64 {
    f64::from(day == 7)
}

#[test]
fn every_part_adds_up_to_the_value() {
    let index = everything();
    let scopes = [&index];
    let texts = [("Ann paint ships yesterday", "Ann paint ships"), ("yesterday", ""), ("1943", "")];
    for (words, rest) in texts {
        for mode in [Mode::Hybrid, Mode::Lexical, Mode::Semantic] {
            let vector = QueryVector::quantise(&[0.6, 0.8, 0.0]).unwrap();
            let question = Question {
                dated: Some(Dated { rest: Query::parse(rest), agreement: &on_day_7 }),
                meaning: Some(Meaning { vector, calibration: Calibration::ENCODER }),
                mode,
                ..asking(words)
            };
            let explainer = Explainer::new(&question, &scopes);
            let matches = rank(&question, &scopes, None, &|| false).unwrap().matches;
            assert!(!matches.is_empty());
            for found in matches {
                let parts = explainer.explain(found.scope, found.doc).unwrap();
                assert!((parts.rank_value() - found.value).abs() < 1e-9, "{parts:?} {found:?}");
                assert_eq!(parts.likeness, found.likeness);
                assert_eq!(parts.own_likeness, found.own_likeness);
                let score = parts.score_by_words.max(parts.score_by_meaning).min(1.0);
                assert!((score - found.score).abs() < 1e-9);
            }
        }
    }
}

#[test]
fn the_parts_are_told_apart() {
    let index = everything();
    let question = Question {
        dated: Some(Dated { rest: Query::parse("Ann paint ships"), agreement: &on_day_7 }),
        ..asking("Ann paint ships yesterday")
    };
    let scopes = [&index];
    let explainer = Explainer::new(&question, &scopes);
    let both = explainer.explain(0, 0).unwrap();
    assert!(both.time > 0.0 && both.author > 0.0 && both.session > 0.0);
    assert_eq!((both.agreement, both.meaning, both.likeness), (1.0, 0.0, None));
    let by_another = explainer.explain(0, 1).unwrap();
    assert!(by_another.time > 0.0 && by_another.author == 0.0);
    let without_session = explainer.explain(0, 3).unwrap();
    assert_eq!((without_session.session, without_session.agreement), (0.0, 0.0));
}

#[test]
fn time_gives_nothing_where_the_words_of_the_date_say_more() {
    let index = everything();
    let question = Question {
        dated: Some(Dated { rest: Query::parse("clouds"), agreement: &on_day_7 }),
        ..asking("clouds in 1943")
    };
    let scopes = [&index];
    let explanation = Explainer::new(&question, &scopes).explain(0, 3).unwrap();
    assert_eq!(explanation.time, 0.0);
    let terms: Vec<&str> = explanation.terms.iter().map(|share| share.term.as_str()).collect();
    assert_eq!(terms, ["cloud", "1943"]);
}
