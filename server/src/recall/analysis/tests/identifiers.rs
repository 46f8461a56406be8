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
    assert_eq!(words("bob@example.com"), ["bob@example.com", "bob", "example", "com"]);
    assert_eq!(words("/usr/local/bin"), ["usr", "local", "bin"]);
    assert_eq!(words("v1.2.3-rc4"), ["v1.2.3", "1.2.3", "v1", "2", "3", "rc4"]);
    assert_eq!(words("well-known"), ["well", "known"]);
}

#[test]
fn s9_words_with_digits_or_underscores_stay_whole() {
    assert_eq!(terms("covid19vaccines"), ["covid19vaccines"]);
    assert_eq!(terms("int64_types").first().map(String::as_str), Some("int64_types"));
}

#[test]
fn s9_names_of_code_are_found_whole_and_by_their_parts() {
    for (whole, parts) in [
        ("E0382", &["e0382"][..]),
        ("0x80070005", &["0X80070005"]),
        ("ENOENT: no such file", &["ENOENT", "file"]),
        ("NullPointerException", &["nullpointerexception", "pointer", "exception"]),
        ("std::collections::HashMap", &["HashMap", "std", "hash", "collections"]),
        ("foo_bar.baz()", &["foo_bar", "baz", "bar", "foo_bar.baz"]),
        ("--dry-run", &["dry", "run", "dry-run"]),
        ("/etc/nginx/nginx.conf", &["nginx.conf", "nginx", "etc", "conf"]),
        ("C:\\Users\\x", &["users", "c:\\users"]),
        ("v1.2.3-rc1", &["1.2.3", "v1.2.3", "rc1"]),
        ("192.168.0.1:8080", &["192.168.0.1", "8080", "168"]),
        ("550e8400-e29b-41d4-a716-446655440000", &["550e8400e29b41d4a716446655440000", "550e8400"]),
        ("a3f3fd93a1b2c4d5e6f708192a3b4c5d6e7f8091", &["a3f3fd9"]),
        ("bob.smith@example.com", &["bob", "smith", "example"]),
        ("https://docs.example.org/start?page=2", &["docs.example.org", "example", "start"]),
        ("#1234", &["1234"]),
        ("@alice", &["alice"]),
        (".NET", &["net"]),
        ("ASP.NET", &["asp", "net"]),
        ("node.js", &["node", "Node.js"]),
        ("DE89 3704 0044 0532 0130 00", &["DE89370400440532013000"]),
        ("covid-19", &["covid19", "covid"]),
        ("e-mail", &["email", "mail"]),
        ("Wi-Fi", &["wifi"]),
        ("the U.S. Army", &["US Army"]),
    ] {
        assert!(finds_all(whole, &format!("see ({whole}), please")), "{whole}");
        for part in parts {
            assert!(finds(whole, part), "{whole} in {part}");
            assert!(finds_all(part, whole), "{part} in {whole}");
        }
    }
}

#[test]
fn s9_signs_that_make_another_name_are_kept() {
    assert!(finds("C++", "I write C++."));
    assert!(finds("c#", "(C#)"));
    for (query, text) in [("C++", "C"), ("C", "C++"), ("C#", "C++"), ("C#", "plan C")] {
        assert!(!finds(query, text), "{query} in {text}");
    }
    assert_eq!(words("C#5 a++b"), ["c", "5", "a", "b"], "no name goes on after its sign");
}

#[test]
fn s9_a_full_stop_without_its_space_joins_nothing() {
    assert_eq!(words("It was fun.We left"), ["it", "was", "fun", "we", "left"]);
}

#[test]
fn s9_no_hash_is_cut_from_a_word() {
    assert_eq!(terms("decade feedface 12345678"), ["decad", "feedf", "12345678"]);
}

#[test]
fn s9_possessives_are_dropped() {
    assert_eq!(words("Alice's Bob’s CAROL'S"), ["alice", "bob", "carol"]);
    assert_eq!(words("the 1990's"), ["the", "1990"]);
    assert_eq!(words("the U.S.'s"), ["the", "us"]);
    assert_eq!(words("o'brien 'start"), ["o", "brien", "start"]);
}

#[test]
fn s9_what_an_apostrophe_joins_is_no_word() {
    assert_eq!(words("don't we'll they’ve I'd"), ["don", "we", "they", "i"]);
    assert_eq!(
        words("l'avion d’accord qu'il jusqu'ici L'ÉCOLE"),
        ["avion", "accord", "il", "ici", "ecole"]
    );
    assert_eq!(words("dell'acqua un'amica nell'aria"), ["acqua", "amica", "aria"]);
    assert_eq!(words("l' d' 'l"), ["l", "d", "l"], "nothing is elided before nothing");
    assert!(finds("avion", "J'ai pris l'avion.") && finds("l'eau", "de l’eau"));
}

#[test]
fn s9_a_sign_of_trade_is_no_letter() {
    assert_eq!(words("ACME™ rockets"), ["acme", "rockets"]);
}
