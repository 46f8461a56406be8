use super::{finds, finds_all, terms, words};

#[test]
fn s9_snake_case_is_whole_and_parts() {
    assert_eq!(words("user_account_name"), ["user_account_name", "user", "account", "name"]);
    assert_eq!(terms("__init__"), ["init"]);
    assert!(finds_all("user_account", "see user_account"));
    assert!(finds("account", "see user_account"));
}

#[test]
fn s9_camel_case_is_whole_and_parts() {
    assert_eq!(words("JavaScript"), ["javascript", "java", "script"]);
    assert_eq!(words("HTTPServer"), ["httpserver", "http", "server"]);
    assert_eq!(words("PDFs"), ["pdfs"]);
    assert_eq!(words("MP3Player"), ["mp3player", "mp3", "player"]);
    assert_eq!(words("4F3A9B"), ["4f3a9b"]);
    assert_eq!(words("ÉcoleÉtudes"), ["ecoleetudes", "ecole", "etudes"]);
    assert!(finds("javascript", "JavaScript"));
    assert!(finds("server", "HTTPServer"));
}

#[test]
fn s9_a_part_that_makes_the_term_of_the_whole_counts_once() {
    assert_eq!(terms("camelCase"), ["camel", "case"]);
}

#[test]
fn s9_punctuation_parts_addresses_paths_and_versions() {
    assert_eq!(words("bob@example.com"), ["bob", "example", "com"]);
    assert_eq!(words("/usr/local/bin"), ["usr", "local", "bin"]);
    assert_eq!(words("v1.2.3-rc4"), ["v1", "2", "3", "rc4"]);
    assert_eq!(words("well-known"), ["well", "known"]);
}

#[test]
fn s9_words_with_digits_or_underscores_stay_whole() {
    assert_eq!(terms("covid19vaccines"), ["covid19vaccines"]);
    assert_eq!(terms("int64_types").first().map(String::as_str), Some("int64_types"));
}

#[test]
fn s9_possessives_are_dropped() {
    assert_eq!(words("Alice's Bob’s CAROL'S"), ["alice", "bob", "carol"]);
    assert_eq!(words("the 1990's"), ["the", "1990"]);
    assert_eq!(words("don't 'start"), ["don", "t", "start"]);
}

#[test]
fn s9_a_sign_of_trade_is_no_letter() {
    assert_eq!(words("ACME™ rockets"), ["acme", "rockets"]);
}
