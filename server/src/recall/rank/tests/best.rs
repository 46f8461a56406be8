use std::cell::Cell;

use super::{asking, docs, index_of, order, put, ranked, ranking, session_of};
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Match, Question, Ranking, Wanted, rank_best};
use crate::recall::score::narrowed;

/// The best, of equal ones on one day the later numbers first.
fn best(limit: usize, min_score: f32, question: &Question<'_>, scopes: &[&ScopeIndex]) -> Ranking {
    let wanted = Wanted { limit, min_score, tie: &|left, right| right.cmp(&left) };
    rank_best(wanted, question, scopes, None, &|| false).unwrap()
}

/// Entries of different lengths; many are equal but for their days.
fn many(sessions: bool) -> ScopeIndex {
    let mut index = ScopeIndex::new();
    for doc in 0..1_000_u32 {
        let spread = doc.wrapping_mul(2_654_435_761) >> 16;
        let text = "alpha ".repeat(spread as usize % 3) + &"bravo ".repeat(spread as usize % 7);
        put(&mut index, doc, "", (spread % 5) as i32, &text);
    }
    if sessions {
        index.order_session(0, &[3, 4, 5, 6]);
    }
    index
}

#[test]
fn the_best_are_those_that_sorting_all_brings_first() {
    let other = many(true);
    for index in [many(false), many(true)] {
        let scopes = [&index, &other];
        for words in ["alpha", "alpha bravo", "bravo unknown", "unknown"] {
            let question = asking(words);
            let all = ranking(&question, &scopes);
            let day = |found: &Match| scopes[found.scope].days().of(found.doc);
            for (limit, min_score) in [(0, 0.0), (1, 0.0), (10, 0.0), (7, 0.6), (5_000, 0.4)] {
                let found = best(limit, min_score, &question, &scopes);
                let mut expected = all.matches.clone();
                expected.retain(|found| narrowed(found.score) >= min_score);
                assert_eq!(found.matched, all.matches.len() as u64);
                assert_eq!(found.cut_by_score, found.matched - expected.len() as u64);
                assert_eq!(found.best_by_words, all.best_by_words);
                expected.sort_by(|left, right| {
                    let key = |found: &Match| (day(found), found.scope, found.doc);
                    right.value.total_cmp(&left.value).then_with(|| key(right).cmp(&key(left)))
                });
                expected.truncate(limit);
                assert_eq!(found.matches, expected, "{words} {limit} {min_score}");
            }
        }
    }
}

#[test]
fn only_ties_of_one_day_are_the_callers_to_decide() {
    let mut index = index_of((0..100).map(|doc| (doc, "alpha")));
    put(&mut index, 100, "", 1, "alpha");
    put(&mut index, 101, "", 0, "alpha bravo");
    let asked = Cell::new(0);
    let tie = |left: (usize, u32), right: (usize, u32)| {
        assert!(left.1 < 100 && right.1 < 100);
        asked.set(asked.get() + 1);
        left.cmp(&right)
    };
    let wanted = Wanted { limit: 3, min_score: 0.0, tie: &tie };
    let found = rank_best(wanted, &asking("alpha"), &[&index], None, &|| false).unwrap();
    assert_eq!(docs(&found.matches), [100, 0, 1]);
    assert!(asked.get() > 0);
}

#[test]
fn the_working_memory_is_clean_after_runs_of_frequent_words() {
    let index = index_of((0..200).map(|doc| (doc, "alpha bravo")));
    let apart = session_of(&["alpha", "bravo"]);
    let before = ranked("bravo", &[&apart]);
    assert_eq!(best(5, 0.0, &asking("alpha bravo"), &[&index]).matched, 200);
    assert_eq!(ranked("bravo", &[&apart]), before);
    assert_eq!(order(before), [1]);
}
