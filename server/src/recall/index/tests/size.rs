use super::{IndexedEntry, ScopeIndex, put, vector};
use crate::recall::analysis::EntryTerms;

#[test]
fn mem_os_1103_a_hundred_thousand_removals_leave_nothing() {
    let texts = ["alpha bravo charlie", "alpha delta", "the alpha"];
    let entries = texts.map(EntryTerms::of);
    let entry =
        |doc: u32| IndexedEntry { terms: &entries[doc as usize % 3], author: "Ann", day: 0 };
    let mut index = ScopeIndex::new();
    let empty = index.approximate_bytes();
    for doc in 0..100_000 {
        index.insert(doc, entry(doc));
    }
    let full = index.approximate_bytes();
    assert!(full > 100_000 * 8);
    for doc in 0..50_000 {
        index.remove(doc, entry(doc).terms);
    }
    assert_eq!(index.document_count(), 50_000);
    assert!(index.postings("alpha").0.len() <= 100_000);
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
        put(&mut index, doc, "alpha");
    }
    for doc in 0..9_000 {
        index.remove(doc, &entry);
        let live = index.document_frequency("alpha") as usize;
        assert!(index.postings("alpha").0.len() <= (live + 8).max(live * 2));
    }
}

#[test]
fn entries_longer_than_a_posting_tells_leave_exactly() {
    let long = "alpha bravo ".repeat(70_000);
    let mut index = ScopeIndex::new();
    for doc in 0..4 {
        put(&mut index, doc, if doc % 2 == 0 { &long } else { "alpha" });
    }
    assert_eq!(index.total_length(), 280_002);
    index.remove_many(&[0, 1, 0]);
    assert_eq!(index.total_length(), 140_001);
    index.remove(2, &EntryTerms::of(&long));
    assert_eq!(index.total_length(), 1);
}

#[test]
fn long_terms_are_kept_apart() {
    let mut index = ScopeIndex::new();
    put(&mut index, 0, "x1aaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    put(&mut index, 1, "x1aaaaaaaaaaaaaaaaaaaaaaaaaaab");
    put(&mut index, 2, "x1aaaaaaaaaaaa");
    put(&mut index, 3, "x1aaaaaaaaaaaaa");
    assert_eq!(index.term_count(), 4);
    assert_eq!(index.document_frequency("x1aaaaaaaaaaaaaaaaaaaaaaaaaaab"), 1);
    assert_eq!(index.document_frequency("x1aaaaaaaaaaaa"), 1);
}

#[test]
fn what_is_not_there_cannot_be_removed() {
    let mut index = ScopeIndex::new();
    put(&mut index, 1, "alpha");
    index.remove(0, &EntryTerms::of("alpha"));
    index.remove(9, &EntryTerms::of("alpha"));
    index.remove_many(&[0, 9, u32::MAX]);
    assert_eq!((index.document_count(), index.total_length()), (1, 1));
    assert_eq!(index.document_frequency("alpha"), 1);
}

#[test]
fn an_entry_with_everything_takes_few_bytes_beside_its_postings() {
    let mut values = [0.0; 256];
    values[3] = 1.0;
    let (mut bare, mut full) = (ScopeIndex::new(), ScopeIndex::new());
    for doc in 0..20_000 {
        let terms = EntryTerms::of("alpha bravo charlie");
        bare.insert(doc, IndexedEntry { terms: &terms, author: "", day: 0 });
        full.insert(doc, IndexedEntry { terms: &terms, author: "Ann", day: doc as i32 / 9 });
        full.place(doc, doc / 50, doc.checked_sub(1), None);
        assert!(full.set_vector(doc, &vector(&values)));
    }
    let overhead = (full.approximate_bytes() - bare.approximate_bytes()) / 20_000;
    assert!((256 + 24..=256 + 72).contains(&overhead), "{overhead}");
    assert!(bare.approximate_bytes() / 20_000 < 8 * 3 + 8 * 3 / 4 + 12);
}
