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
