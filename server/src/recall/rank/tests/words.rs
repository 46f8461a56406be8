use super::{asking, docs, idf, index_of, put, ranked, ranking};
use crate::recall::index::ScopeIndex;
use crate::recall::rank::rank;

#[test]
fn value_is_the_formula() {
    let index = index_of([(0, "alpha alpha bravo"), (1, "alpha"), (7, "charlie delta")]);
    let matches = ranked("alpha bravo unknown", &[&index]);
    let weight = |df: f64, tf: f64, length: f64| {
        idf(3.0, df) * tf / (tf + 0.8 * (0.6 + 0.4 * length / (6.0 / 3.0)))
    };
    let total = idf(3.0, 2.0) + idf(3.0, 1.0) + idf(3.0, 0.0);
    let expected =
        [(weight(2.0, 2.0, 3.0) + weight(1.0, 1.0, 3.0)) / total, weight(2.0, 1.0, 1.0) / total];
    assert_eq!(docs(&matches), [0, 1]);
    for (found, value) in matches.iter().zip(expected) {
        assert!((found.value - value).abs() < 1e-12, "{found:?} {value}");
        assert_eq!(found.lexical, found.value);
        assert!((found.score - 1.12 * value.sqrt()).abs() < 1e-12);
        assert_eq!((found.likeness, found.own_likeness), (None, None));
    }
}

#[test]
fn s5_statistics_are_those_of_all_scopes_given() {
    let global = index_of([(0, "alpha"), (1, "bravo")]);
    let project = index_of([(0, "alpha"), (1, "alpha charlie")]);
    let matches = ranked("alpha", &[&global, &project]);
    let places: Vec<(usize, u32)> = matches.iter().map(|found| (found.scope, found.doc)).collect();
    assert_eq!(places, [(0, 0), (1, 0), (1, 1)]);
    assert_eq!(matches[0].value, matches[1].value);
    let together = index_of([(0, "alpha"), (1, "bravo"), (2, "alpha"), (3, "alpha charlie")]);
    assert_eq!(matches[0].value, ranked("alpha", &[&together])[0].value);
}

#[test]
fn s5_nothing_searchable_answers_nothing() {
    let index = index_of([(0, "alpha")]);
    assert!(ranked("?!", &[&index]).is_empty());
    assert!(ranked("bravo", &[&index]).is_empty());
    assert!(ranked("alpha", &[]).is_empty());
    assert!(ranked("alpha", &[&ScopeIndex::new()]).is_empty());
}

#[test]
fn an_entry_without_words_counts_and_never_matches() {
    let index = index_of([(0, "alpha"), (1, "!!!"), (2, "")]);
    assert_eq!(index.document_count(), 3);
    assert_eq!(ranked("alpha", &[&index]).len(), 1);
}

#[test]
fn stop_words_alone_find_entries_that_hold_them() {
    let index = index_of([(0, "I saw The Who"), (1, "unrelated words")]);
    let matches = ranked("the who", &[&index]);
    assert_eq!(docs(&matches), [0]);
    assert!(matches[0].value > 0.0 && matches[0].value < 1.0);
}

#[test]
fn the_last_sentence_of_a_long_question_counts_more() {
    let index = index_of([(0, "alpha"), (1, "bravo"), (2, "charlie"), (3, "delta")]);
    let [first, _, last] = &ranked("Alpha. Bravo. Charlie?", &[&index])[..] else { panic!() };
    assert!((last.value - 1.5 * first.value).abs() < 1e-12);
    assert!((first.value - 1.0 / 3.5 / 1.8).abs() < 1e-12);
    let short = ranked("Alpha. Charlie?", &[&index]);
    assert_eq!(short[0].value, short[1].value);
}

#[test]
fn docs_far_apart_are_ranked_in_order() {
    let index = index_of([(0, "alpha"), (4_095, "alpha"), (4_096, "alpha"), (70_000, "alpha")]);
    assert_eq!(docs(&ranked("alpha", &[&index])), [0, 4_095, 4_096, 70_000]);
}

#[test]
fn an_entry_by_an_author_whom_the_question_names_comes_first() {
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "Ben", 0, "I paint ships");
    put(&mut index, 1, "Ann", 0, "I paint ships");
    put(&mut index, 2, "Ann", 0, "I sail");
    let matches = ranked("What does Ann paint?", &[&index]);
    assert_eq!(docs(&matches), [0, 1]);
    assert!((matches[1].value - 1.8 * matches[0].value).abs() < 1e-12);
    // Capped: "paint" alone gives more than 1/1.8.
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "Paint Ann", 0, &"paint ann ".repeat(40));
    for doc in 1..40 {
        put(&mut index, doc, "", 0, "another word");
    }
    assert_eq!(ranked("paint ann", &[&index])[0].value, 1.0);
}

#[test]
fn what_is_not_admitted_neither_matches_nor_settles_anything() {
    let index = index_of([(0, "alpha bravo"), (1, "alpha charlie delta echo"), (2, "golf")]);
    let question = asking("alpha bravo");
    let all = ranking(&question, &[&index]);
    assert_eq!(all.best_by_words, all.matches[0].lexical);
    let admit = |scope: usize, doc: u32| {
        assert!(scope == 0 && doc != 2);
        doc == 1
    };
    let some = rank(&question, &[&index], Some(&admit), &|| false).unwrap();
    assert_eq!(some.matches, all.matches[1..]);
    assert_eq!(some.best_by_words, all.matches[1].lexical);
    assert!(some.best_by_words < all.best_by_words);
    let none = rank(&question, &[&index], Some(&|_, _| false), &|| false).unwrap();
    assert_eq!((none.matches.len(), none.best_by_words), (0, 0.0));
    // Nothing of an earlier ranking is left in the working memory.
    assert_eq!(ranking(&question, &[&index]), all);
}

#[test]
fn the_one_entry_that_holds_a_keyword_is_worth_showing() {
    let fillers =
        ["tea at noon", "the ferry leaves at six", "paint for the fence", "a red bicycle"];
    for others in [1, 19] {
        let texts = std::iter::repeat_n(fillers, 5).flatten().take(others);
        let index = index_of((1..).zip(texts).chain([(0, "she writes rust at work")]));
        let matches = ranked("rust", &[&index]);
        assert_eq!(docs(&matches), [0]);
        assert!(matches[0].score >= 0.5, "{others}: {}", matches[0].score);
    }
}
