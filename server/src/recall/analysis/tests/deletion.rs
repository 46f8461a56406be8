use super::super::{DeletionQuery, EntryTerms, WordMatch};

fn holds_all(query: &str, text: &str) -> bool {
    DeletionQuery::parse(query).is_held_by([text], WordMatch::All)
}

fn holds_any(query: &str, text: &str) -> bool {
    DeletionQuery::parse(query).is_held_by([text], WordMatch::Any)
}

#[test]
fn s7_every_word_must_be_held() {
    let text = "My dog Rex likes the red ball.";
    assert!(holds_all("red ball", text));
    assert!(holds_all("BALL, Rex's", text));
    assert!(!holds_all("red car", text));
    assert!(holds_any("red car", text));
    assert!(!holds_any("blue car", text));
}

#[test]
fn s7_a_cut_or_a_stem_never_deletes() {
    assert!(!holds_any("internal", "an international flight"));
    assert!(!holds_any("cats", "a cat"));
    assert!(!holds_any(&"a".repeat(70), &"a".repeat(71)));
    assert!(holds_all("International", "an INTERNATIONAL flight"));
}

#[test]
fn s7_stop_words_never_decide() {
    for query in ["the", "the of and", "was ist das", ""] {
        assert!(DeletionQuery::parse(query).is_empty(), "{query}");
        assert!(!holds_all(query, "the of and was ist das"), "{query}");
        assert!(!holds_any(query, "the of and was ist das"), "{query}");
    }
    assert!(holds_all("the cat", "a cat"));
    assert!(!holds_any("the cat", "the dog"));
}

#[test]
fn s7_unspaced_scripts_are_held_as_whole_runs() {
    assert!(holds_all("咖啡", "我喜欢喝咖啡"));
    assert!(!holds_all("红茶", "我喜欢喝咖啡"));
    assert!(!holds_any("咖喱", "我喜欢喝咖啡"), "one letter is not the word");
    assert!(!holds_all("北京大学", "北京和京大大学"), "pairs are not the word");
    assert!(holds_all("서울", "서울에서 만나요"));
    assert!(holds_all("กาแฟ", "ฉันชอบดื่มกาแฟตอนเช้า"));
}

#[test]
fn s7_identifiers_are_words_and_hold_their_parts() {
    assert!(holds_all("user_id", "the user_id column"));
    assert!(!holds_any("user_id", "the user has an id"));
    assert!(holds_all("column", "the columnName column"));
    assert!(holds_all("name", "the columnName"));
}

#[test]
fn s7_a_number_is_held_whole() {
    for (query, text) in [
        ("3.5", "it weighs 3,5 kg"),
        ("3,50", "3.5"),
        ("1234567", "1,234,567 people"),
        ("030 1234567", "call (030) 123-4567"),
        ("1.2.3", "release v1.2.3-rc1"),
        ("192.168.0.1", "on 192.168.0.1:8080"),
        ("2023", "on 2023-05-07"),
        ("12", "between 12 and 15, 12-15, 12.05.2023"),
        ("10", "10 000 lines"),
    ] {
        assert!(holds_all(query, text), "{query} in {text}");
    }
    for (query, text) in [
        ("3.5", "3.51"),
        ("3.5", "3 and 5"),
        ("3.51", "3.5"),
        ("3", "3.5"),
        ("5", "3.5"),
        ("5", "5km"),
        ("12", "+49 12 3456789"),
        ("1234567", "+49 30 1234567"),
        ("030", "030/123-4567"),
        ("030 1234567", "040 1234567"),
        ("234", "1,234,567"),
        ("1234", "1.234 kg"),
        ("192.168.0.1", "192.168.0.10"),
        ("192", "192.168.0.1"),
        ("446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("3f3fd93", "3f3fd93a1b2c4d5e6f708192a3b4c5d6e7f80912"),
        ("0130", "DE89 3704 0044 0532 0130 00"),
    ] {
        assert!(!holds_any(query, text), "{query} in {text}");
    }
}

#[test]
fn s7_a_joined_name_is_one_word_and_holds_its_parts() {
    assert!(holds_all("bob@example.com", "write to Bob@example.com."));
    assert!(!holds_any("bob@example.com", "bob, example com"));
    assert!(!holds_any("bob@example.com", "bob@example.org"));
    assert!(holds_all("example", "bob@example.com"));
    assert!(holds_all("node.js", "in Node.js 20"));
    assert!(!holds_any("node.js", "node js"));
    assert!(!holds_any("C", "C++ and C#"));
    assert!(!holds_any("C++", "C#"));
    assert!(!holds_any("email", "e-mail"), "another way to write it is not the word as written");
}

#[test]
fn s7_words_may_stand_in_different_texts_of_an_entry() {
    let deletion = DeletionQuery::parse("red ball");
    assert!(deletion.is_held_by(["a red", "round ball"], WordMatch::All));
    assert!(!deletion.is_held_by(["a red", "round box"], WordMatch::All));
}

#[test]
fn s7_what_is_held_is_among_the_candidates() {
    let texts = ["camelCase", "YouTube 北京大学", "서울에서", "กาแฟ 👍🏽", "Alice's café"];
    let queries = ["camel", "tube", "京大", "서울", "กาแฟ", "👍", "alice", "cafe"];
    for query in queries {
        let deletion = DeletionQuery::parse(query);
        let mut held = 0;
        for text in texts.into_iter().filter(|text| holds_any(query, text)) {
            held += 1;
            let entry = EntryTerms::of(text);
            let terms = deletion.candidates().terms();
            assert!(terms.iter().any(|term| entry.count(term) > 0), "{query} in {text}");
        }
        assert!(held > 0, "{query}");
    }
}
