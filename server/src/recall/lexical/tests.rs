use std::collections::BTreeMap;

use proptest::prelude::*;

use super::ScopeIndex;
use crate::recall::analysis::EntryTerms;

/// A term, its document frequency, and (doc, count, length) of its postings.
type Answer = (String, u32, Vec<(u32, u16, u16)>);

/// Everything an index answers about these terms.
fn answers(index: &ScopeIndex, texts: &[String]) -> Vec<Answer> {
    texts
        .iter()
        .flat_map(|text| {
            let entry = EntryTerms::of(text);
            entry.iter().map(|counted| counted.term.to_owned()).collect::<Vec<_>>()
        })
        .map(|term| {
            let live = index.postings(&term).iter().filter(|posting| posting.count > 0);
            let live = live.map(|posting| (posting.doc, posting.count, posting.length)).collect();
            let frequency = index.document_frequency(&term);
            (term, frequency, live)
        })
        .collect()
}

#[derive(Clone, Debug)]
enum Step {
    Put(u32, String),
    Remove(u32),
    RemoveMany(Vec<u32>),
}

fn step() -> impl Strategy<Value = Step> {
    let doc = || prop_oneof![8 => 0..40u32, 1 => Just(u32::MAX)];
    prop_oneof![
        6 => (doc(), "([abcde北京]{1,2} |the ){0,6}").prop_map(|(doc, text)| Step::Put(doc, text)),
        4 => doc().prop_map(Step::Remove),
        1 => proptest::collection::vec(doc(), 0..20).prop_map(Step::RemoveMany),
    ]
}

proptest! {
    #[test]
    fn an_index_equals_one_built_from_what_is_left(
        steps in proptest::collection::vec(step(), 0..120),
    ) {
        let mut index = ScopeIndex::new();
        let mut model: BTreeMap<u32, String> = BTreeMap::new();
        let mut texts = Vec::new();
        for step in steps {
            match step {
                Step::Put(doc, text) => {
                    if let Some(earlier) = model.insert(doc, text.clone()) {
                        index.remove(doc, &EntryTerms::of(&earlier));
                    }
                    index.insert(doc, &EntryTerms::of(&text));
                    texts.push(text);
                }
                Step::Remove(doc) => {
                    if let Some(text) = model.remove(&doc) {
                        index.remove(doc, &EntryTerms::of(&text));
                    }
                }
                Step::RemoveMany(docs) => {
                    let held: Vec<u32> =
                        docs.into_iter().filter(|doc| model.contains_key(doc)).collect();
                    index.remove_many(&held);
                    model.retain(|doc, _| !held.contains(doc));
                }
            }
        }
        let mut rebuilt = ScopeIndex::new();
        for (doc, text) in &model {
            rebuilt.insert(*doc, &EntryTerms::of(text));
        }
        prop_assert_eq!(index.document_count(), rebuilt.document_count());
        prop_assert_eq!(index.total_length(), rebuilt.total_length());
        prop_assert_eq!(index.term_count(), rebuilt.term_count());
        prop_assert_eq!(answers(&index, &texts), answers(&rebuilt, &texts));
    }
}

#[test]
fn mem_os_1103_a_hundred_thousand_removals_leave_nothing() {
    let texts = ["alpha bravo charlie", "alpha delta", "the alpha"];
    let entries = texts.map(EntryTerms::of);
    let mut index = ScopeIndex::new();
    let empty = index.approximate_bytes();
    for doc in 0..100_000 {
        index.insert(doc, &entries[doc as usize % 3]);
    }
    let full = index.approximate_bytes();
    assert!(full > 100_000 * 8);
    for doc in 0..50_000 {
        index.remove(doc, &entries[doc as usize % 3]);
    }
    assert_eq!(index.document_count(), 50_000);
    assert!(index.postings("alpha").len() <= 100_000);
    let rest: Vec<u32> = (50_000..100_000).rev().collect();
    index.remove_many(&rest);
    assert_eq!(index.document_count(), 0);
    assert_eq!(index.total_length(), 0);
    assert_eq!(index.term_count(), 0);
    assert!(index.approximate_bytes() < empty + 4_096);
}

#[test]
fn removed_postings_are_compacted_before_they_outnumber_the_others() {
    let entry = EntryTerms::of("alpha");
    let mut index = ScopeIndex::new();
    for doc in 0..10_000 {
        index.insert(doc, &entry);
    }
    for doc in 0..9_000 {
        index.remove(doc, &entry);
        let live = index.document_frequency("alpha") as usize;
        assert!(index.postings("alpha").len() <= (live + 8).max(live * 2));
    }
}

#[test]
fn entries_longer_than_a_posting_tells_leave_exactly() {
    let long = EntryTerms::of(&"alpha bravo ".repeat(70_000));
    let short = EntryTerms::of("alpha");
    let mut index = ScopeIndex::new();
    for doc in 0..4 {
        index.insert(doc, if doc % 2 == 0 { &long } else { &short });
    }
    assert_eq!(index.total_length(), 280_002);
    index.remove_many(&[0, 1]);
    assert_eq!(index.total_length(), 140_001);
    index.remove(2, &long);
    assert_eq!(index.total_length(), 1);
}

#[test]
fn long_terms_are_kept_apart() {
    let mut index = ScopeIndex::new();
    index.insert(0, &EntryTerms::of("x1aaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    index.insert(1, &EntryTerms::of("x1aaaaaaaaaaaaaaaaaaaaaaaaaaab"));
    assert_eq!(index.term_count(), 2);
    assert_eq!(index.document_frequency("x1aaaaaaaaaaaaaaaaaaaaaaaaaaab"), 1);
}
