use std::time::{Duration, Instant};

use super::{IndexedEntry, ScopeIndex};
use crate::recall::analysis::{EntryTerms, Query};

fn by(index: &mut ScopeIndex, doc: u32, author: &str) {
    index.insert(doc, IndexedEntry { terms: &EntryTerms::of("alpha"), author, day: 0 });
}

fn named(index: &ScopeIndex, query: &str) -> Vec<u32> {
    let query = Query::parse(query);
    let named = index.authors().named_by(query.terms().iter().map(String::as_str));
    (0..10).filter(|doc| index.authors().is_by(*doc, &named)).collect()
}

#[test]
fn a_name_is_named_by_all_its_terms() {
    let mut index = ScopeIndex::new();
    let authors = ["Caroline", "Anna Maria", "Anna", "", "The Who", "小王", "", "the", "!?"];
    for (doc, author) in (0..).zip(authors) {
        by(&mut index, doc, author);
    }
    assert_eq!(named(&index, "When did Caroline's dog come home?"), [0]);
    assert_eq!(named(&index, "what does Anna like"), [2]);
    assert_eq!(named(&index, "Maria and ANNA"), [1, 2]);
    assert_eq!(named(&index, "小王喜欢什么"), [5]);
    assert!(named(&index, "the who").is_empty());
    assert!(named(&index, "!?").is_empty());
    assert!(named(&index, "").is_empty());
}

#[test]
fn an_author_without_entries_is_forgotten() {
    let mut index = ScopeIndex::new();
    by(&mut index, 0, "Ann");
    by(&mut index, 1, "Ann");
    by(&mut index, 2, "Ben");
    index.remove(0, &EntryTerms::of("alpha"));
    assert_eq!(named(&index, "Ann"), [1]);
    index.remove_many(&[1]);
    assert!(named(&index, "Ann").is_empty());
    // The number is used again, by another name.
    by(&mut index, 3, "Cem");
    assert_eq!(named(&index, "Ann Ben Cem"), [2, 3]);
}

#[test]
fn a_name_of_many_words_and_many_names_cost_what_they_say() {
    let mut index = ScopeIndex::new();
    let long: String = (0..60).map(|word| format!("w{word} ")).collect();
    by(&mut index, 0, &long);
    for doc in 1..2_000 {
        by(&mut index, doc, &format!("Ann number{doc}"));
    }
    assert_eq!(named(&index, &format!("{long} Ann")), [0]);
    assert_eq!(named(&index, "Ann number3 number7"), [3, 7]);
    let all: Vec<u32> = (0..2_000).collect();
    index.remove_many(&all);
    assert!(index.approximate_bytes() < ScopeIndex::new().approximate_bytes() + 4_096);
}

#[test]
fn authors_who_share_a_term_go_at_the_cost_of_one_each() {
    let mut index = ScopeIndex::new();
    let entry = EntryTerms::of("");
    for doc in 0..100_000 {
        index.insert(doc, IndexedEntry { terms: &entry, author: &format!("guest {doc}"), day: 0 });
    }
    let start = Instant::now();
    for doc in 10..99_999 {
        index.remove(doc, &entry);
    }
    // The square of them is five thousand million steps.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(named(&index, "guest 3 and guest 12"), [3]);
    assert_eq!(named(&index, "guest 7, guest 99999"), [7]);
}

#[test]
fn authors_come_and_go_without_a_trace() {
    let mut index = ScopeIndex::new();
    by(&mut index, 0, "Ann One");
    by(&mut index, 1, "Ann Two");
    let bytes = index.approximate_bytes();
    for round in 0..1_000 {
        by(&mut index, 2, &format!("Ann Three{}", round % 7));
        assert_eq!(named(&index, &format!("Ann Three{}", round % 7)), [2]);
        index.remove(2, &EntryTerms::of("alpha"));
        assert!(named(&index, &format!("Ann Three{}", round % 7)).is_empty());
    }
    assert_eq!(named(&index, "Ann One Two"), [0, 1]);
    assert!(index.approximate_bytes() < bytes + 4_096);
}
