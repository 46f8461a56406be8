//! What a hostile text may cost: bounded by its length.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::{EntryTerms, Query, analyze, terms};
use crate::recall::constants::LONGEST_TERM_CHARS;

#[test]
fn a_word_of_five_thousand_letters_is_one_short_term() {
    let word = "é".repeat(5_000);
    let tokens = analyze(&word);
    assert_eq!(tokens.len(), 1);
    assert_eq!(tokens[0].word.len(), 5_000);
    assert!(terms(&format!("x1{word}"))[0].chars().count() == LONGEST_TERM_CHARS);
}

#[test]
fn a_query_of_twenty_thousand_words_keeps_each() {
    let query: String = (0..20_000).map(|number| format!("w{number} w{number} ")).collect();
    assert_eq!(Query::parse(&query).terms().len(), 20_000);
}

#[test]
fn an_entry_of_two_hundred_thousand_words_keeps_each() {
    let text: String = (0..200_000).map(|number| format!("w{number} ")).collect();
    let entry = EntryTerms::of(&text);
    assert_eq!(entry.iter().len(), 200_000);
    assert_eq!(entry.length(), 200_000);
}

#[test]
fn marks_and_humps_without_end_are_borne() {
    assert_eq!(terms(&format!("e{}", "\u{301}\u{316}".repeat(50_000))), ["e"]);
    assert!(analyze(&"aB".repeat(50_000)).len() <= 50_001);
    assert!(analyze(&"a_".repeat(50_000)).len() <= 50_001);
}

/// Patterns that a text may repeat without end, each with what it may end with.
const REPEATED: [(&str, &str); 30] = [
    ("1,", "1q"),
    ("1-", "1q"),
    ("1/", "1q"),
    ("1.", "1q"),
    ("1'", "1q"),
    ("1 ", "1q"),
    ("1)", "1q"),
    ("1(", "1q"),
    ("1 / ", "1q"),
    ("(1)", "1q"),
    ("(1) ", "1q"),
    ("+1", "1q"),
    ("½", "1q"),
    ("1q,", ""),
    ("1,1-1/", "1q"),
    ("1-1,1 ", "1q"),
    ("1,1q-", "1"),
    ("1.1@1::", "1q"),
    ("1,234.", "1q"),
    ("٣،", "١q"),
    ("1,", "1%"),
    ("a.", "1"),
    ("a-1-", "q"),
    ("AB12 3456 ", "q"),
    ("12345678-1234-", "q"),
    ("a'", "q"),
    ("a\u{2bc}", "q"),
    ("1\u{2bc}", "q"),
    ("aб", ".q"),
    ("한1", "q"),
];

/// Far more than any of them takes, and far less than its square.
const ENOUGH: Duration = Duration::from_secs(60);

#[test]
fn a_long_text_of_any_pattern_costs_no_more_than_its_length() {
    for (pattern, end) in REPEATED {
        let text = pattern.repeat((1 << 17) / pattern.len()) + end;
        let (done, answer) = mpsc::channel();
        // A text whose cost is a square would hold the test for hours.
        thread::spawn(move || {
            let entry = EntryTerms::of(&text);
            let query = Query::parse(&text);
            let _ = done.send(!entry.is_empty() && !query.is_empty());
        });
        assert_eq!(answer.recv_timeout(ENOUGH), Ok(true), "{pattern:?} {end:?}");
    }
}
