//! Bounds that don't depend on the clock: how often ranking asks whether to go on tells its work.

use std::cell::Cell;

use super::{asking, index_of, put, ranked, ranking};
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Explainer, Interrupted, rank};

#[test]
fn true_memory_689_a_long_ranking_can_be_stopped() {
    let index = index_of((0..20_000).map(|doc| (doc, "alpha")));
    let question = asking("alpha");
    let asked = Cell::new(0);
    let counting = |stop_at: u32| {
        asked.set(0);
        rank(&question, &[&index], None, &|| {
            asked.set(asked.get() + 1);
            asked.get() == stop_at
        })
    };
    assert_eq!(counting(2), Err(Interrupted));
    assert_eq!(asked.get(), 2);
    assert_eq!(counting(0).map(|ranking| ranking.matches.len()), Ok(20_000));
    assert!((4..12).contains(&asked.get()), "{}", asked.get());
    // What the stopped one had summed up is gone.
    assert_eq!(
        counting(0).map(|ranking| ranking.matches[7].value),
        Ok(ranked("alpha", &[&index])[7].value)
    );
}

#[test]
fn a_slow_filter_can_be_stopped() {
    let index = index_of((0..1_000).map(|doc| (doc, "alpha")));
    let admitted = Cell::new(0);
    let admit = |_: usize, _: u32| {
        admitted.set(admitted.get() + 1);
        true
    };
    let stopped = rank(&asking("alpha"), &[&index], Some(&admit), &|| true);
    assert_eq!(stopped, Err(Interrupted));
    assert!(admitted.get() <= 64, "{}", admitted.get());
}

#[test]
fn a_question_of_twenty_thousand_words_costs_its_words() {
    let words: String = (0..20_000).map(|word| format!("word{word} ")).collect();
    let mut index = index_of([(0, "word3 word19999"), (1, "other")]);
    index.order_session(0, &[0, 1]);
    let question = asking(&words);
    let asked = Cell::new(0);
    let found = rank(&question, &[&index], None, &|| {
        asked.set(asked.get() + 1);
        false
    });
    assert_eq!(found.unwrap().matches.len(), 1);
    assert!(asked.get() < 10);
    let explanation = Explainer::new(&question, &[&index]).explain(0, 0).unwrap();
    assert_eq!(explanation.terms.len(), 2);
}

#[test]
fn questions_of_next_to_nothing_are_answered() {
    let index = index_of([(0, "a b c"), (1, "🎉 party"), (2, "the cat"), (3, "")]);
    assert_eq!(ranked("c", &[&index]).len(), 1);
    assert_eq!(ranked("🎉", &[&index]).len(), 1);
    assert_eq!(ranked("🎉🎉🎉", &[&index]).len(), 1);
    assert_eq!(ranked("the", &[&index]).len(), 1);
    assert!(ranked("", &[&index]).is_empty());
    assert!(ranked("\u{0}\u{301}", &[&index]).is_empty());
    assert_eq!(ranking(&asking("c"), &[&ScopeIndex::new()]).best_by_words, 0.0);
}

#[test]
fn the_working_memory_fits_every_scope() {
    let mut small = ScopeIndex::new();
    put(&mut small, 3, "", 0, "alpha");
    let large = index_of((0..9_000).map(|doc| (doc, "alpha")));
    for scopes in [[&small, &large], [&large, &small]] {
        assert_eq!(ranked("alpha", &scopes).len(), 9_001);
    }
    assert_eq!(ranked("alpha", &[&small]).len(), 1);
}
