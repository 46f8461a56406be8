use std::cell::Cell;

use proptest::prelude::*;

use super::{Explainer, Interrupted, Match, rank};
use crate::recall::analysis::{EntryTerms, Query};
use crate::recall::lexical::ScopeIndex;

fn index_of<'a>(entries: impl IntoIterator<Item = (u32, &'a str)>) -> ScopeIndex {
    let mut index = ScopeIndex::new();
    for (doc, text) in entries {
        index.insert(doc, &EntryTerms::of(text));
    }
    index
}

fn ranked(query: &str, scopes: &[&ScopeIndex]) -> Vec<Match> {
    rank(&Query::parse(query), scopes, &|| false).unwrap_or_default()
}

fn best(query: &str, index: &ScopeIndex) -> Option<u32> {
    let matches = ranked(query, &[index]);
    let best = matches.iter().max_by(|left, right| left.value.total_cmp(&right.value));
    best.map(|found| found.doc)
}

#[test]
fn value_is_the_formula() {
    let index = index_of([(0, "alpha alpha bravo"), (1, "alpha"), (7, "charlie delta")]);
    let matches = ranked("alpha bravo unknown", &[&index]);
    let idf = |df: f64| (1.0 + (3.0 - df + 0.5) / (df + 0.5)).ln();
    let weight = |df: f64, tf: f64, length: f64| {
        idf(df) * tf / (tf + 0.9 * (0.6 + 0.4 * length / (6.0 / 3.0)))
    };
    let total = idf(2.0) + idf(1.0) + idf(0.0);
    let expected =
        [(weight(2.0, 2.0, 3.0) + weight(1.0, 1.0, 3.0)) / total, weight(2.0, 1.0, 1.0) / total];
    assert_eq!(matches.len(), 2);
    for (found, (doc, value)) in matches.iter().zip([0, 1].into_iter().zip(expected)) {
        assert_eq!(found.doc, doc);
        assert!((found.value - value).abs() < 1e-12, "{found:?} {value}");
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
    assert_eq!(matches.len(), 1);
    assert!(matches[0].value > 0.0 && matches[0].value < 1.0);
    let shares = Explainer::new(&Query::parse("the who"), &[&index]).shares(0, 0);
    assert_eq!(shares[0].term, "the");
}

#[test]
fn mem0_4884_a_chinese_question_ranks_the_right_one_of_a_thousand_first() {
    let people = ["小王", "李明", "张伟", "陈静", "刘洋", "赵丽", "周强", "吴敏", "郑浩", "孙芳"];
    let places = ["北京", "上海", "广州", "成都", "杭州", "西安", "武汉", "南京", "重庆", "青岛"];
    let things =
        ["喝咖啡", "打篮球", "学钢琴", "看电影", "写代码", "爬山", "游泳", "做饭", "画画", "钓鱼"];
    let mut texts = Vec::new();
    for person in people {
        for place in places {
            texts.extend(things.map(|thing| format!("{person}周末喜欢在{place}{thing}。")));
        }
    }
    let index = index_of((0..).zip(texts.iter().map(String::as_str)));
    assert_eq!(index.document_count(), 1_000);
    for wanted in [0_u32, 123, 456, 999] {
        let at = wanted as usize;
        let (person, place, thing) = (people[at / 100], places[at / 10 % 10], things[at % 10]);
        let question = format!("谁在{place}{thing}，是{person}吗？");
        assert_eq!(best(&question, &index), Some(wanted), "{question}");
    }
}

#[test]
fn hermes_agent_44040_a_long_question_ranks_the_entry_that_shares_three_words_first() {
    let mut index = index_of((0..200).map(|doc| (doc, "we talked about moving house before")));
    index.insert(900, &EntryTerms::of("The dog goes to the vet on Elm Street, a small clinic."));
    let question = "could you please remind me again which vet clinic our old dog visited \
                    before moving house";
    assert_eq!(best(question, &index), Some(900));
}

#[test]
fn explanation_adds_up_to_the_value() {
    let index = index_of([(3, "alpha bravo bravo"), (9_000, "alpha charlie"), (9_001, "delta")]);
    let query = Query::parse("alpha bravo charlie unknown");
    for found in ranked("alpha bravo charlie unknown", &[&index]) {
        let shares = Explainer::new(&query, &[&index]).shares(found.scope, found.doc);
        let sum: f64 = shares.iter().map(|share| share.share).sum();
        assert!((sum - found.value).abs() < 1e-12);
    }
    let shares = Explainer::new(&query, &[&index]).shares(0, 3);
    let terms: Vec<&str> = shares.iter().map(|share| share.term.as_str()).collect();
    assert_eq!(terms, ["alpha", "bravo"]);
    assert_eq!((shares[1].count, shares[1].document_frequency), (2, 1));
    assert!(Explainer::new(&query, &[&index]).shares(0, 9_001).is_empty());
    assert!(Explainer::new(&query, &[&index]).shares(1, 3).is_empty());
}

#[test]
fn true_memory_689_a_long_ranking_can_be_stopped() {
    let index = index_of((0..20_000).map(|doc| (doc, "alpha")));
    let query = Query::parse("alpha");
    let asked = Cell::new(0);
    let counting = |stop_at: u32| {
        asked.set(0);
        rank(&query, &[&index], &|| {
            asked.set(asked.get() + 1);
            asked.get() == stop_at
        })
    };
    assert_eq!(counting(2), Err(Interrupted));
    assert_eq!(asked.get(), 2);
    assert_eq!(counting(0).map(|matches| matches.len()), Ok(20_000));
    assert!(asked.get() >= 4);
}

#[test]
fn the_last_doc_numbers_are_ranked_too() {
    let index = index_of([(0, "alpha"), (4_095, "alpha"), (4_096, "alpha"), (u32::MAX, "alpha")]);
    let docs: Vec<u32> = ranked("alpha", &[&index]).iter().map(|found| found.doc).collect();
    assert_eq!(docs, [0, 4_095, 4_096, u32::MAX]);
}

proptest! {
    #[test]
    fn google_adk_samples_2590_the_order_of_arrival_leaves_no_trace(
        entries in proptest::collection::btree_map(
            prop_oneof![0..50u32, 4_000..4_200u32], "([abcde]{1,2} ){1,6}", 1..40),
        seed in any::<u64>(),
        query in "([abcde]{1,2} ){1,6}",
    ) {
        let mut shuffled: Vec<(u32, &str)> =
            entries.iter().map(|(doc, text)| (*doc, text.as_str())).collect();
        let sorted = index_of(shuffled.clone());
        shuffled.sort_by_key(|(doc, _)| (u64::from(*doc) + 1).wrapping_mul(seed | 1).rotate_left(17));
        let mut arrived = index_of(shuffled.clone());
        let (gone, gone_text) = shuffled[0];
        arrived.remove(gone, &EntryTerms::of(gone_text));
        arrived.insert(gone, &EntryTerms::of(gone_text));
        let bits = |index: &ScopeIndex| -> Vec<(u32, u64)> {
            ranked(&query, &[index]).iter().map(|found| (found.doc, found.value.to_bits())).collect()
        };
        prop_assert_eq!(bits(&sorted), bits(&arrived));
        let words = Query::parse(&query);
        let holding = entries.values().filter(|text| {
            let entry = EntryTerms::of(text);
            words.terms().iter().any(|term| entry.count(term) > 0)
        });
        prop_assert_eq!(bits(&sorted).len(), holding.count());
        prop_assert!(ranked(&query, &[&sorted]).iter().all(|found| 0.0 < found.value && found.value < 1.0));
    }
}
