//! What users of other systems reported about words.

use super::{EntryTerms, Query, analyze, finds, finds_all, terms};

#[test]
fn adk_rust_349_substrings_of_unspaced_scripts_are_found() {
    for (query, text) in [
        ("咖啡", "我最喜欢的咖啡馆在上海"),
        ("東京", "来週東京に出張します"),
        ("コーヒー", "朝はコーヒーを飲む"),
        ("서울", "다음 주에 서울에서 만나요"),
        ("กาแฟ", "ฉันชอบดื่มกาแฟตอนเช้า"),
    ] {
        assert!(finds_all(query, text), "{query} in {text}");
        for (at, _) in text.char_indices() {
            let (before, after) = text.split_at(at);
            assert_eq!(before.is_empty(), analyze(before).is_empty());
            assert!(!after.is_empty());
            analyze(after);
        }
    }
}

#[test]
fn adk_python_2438_words_of_every_script_are_found() {
    for (query, text) in [
        ("собака", "У меня есть собака."),
        ("σκύλος", "Ο σκύλος μου"),
        ("כלב", "יש לי כלב."),
        ("कुत्ता", "मेरा कुत्ता काला है।"),
    ] {
        assert!(finds(query, text), "{query} in {text}");
        assert!(!finds("unrelated", text));
    }
}

#[test]
fn adk_python_6773_latin_words_inside_unspaced_scripts_are_found() {
    assert!(finds_all("python", "私はPythonを使う"));
    assert!(finds_all("rust", "用户喜欢用Rust编程"));
}

#[test]
fn deja_vu_1098_composed_and_decomposed_are_the_same() {
    let pairs = [
        ("caf\u{e9}", "cafe\u{301}"),
        ("na\u{ef}ve", "nai\u{308}ve"),
        ("\u{c5}ngstr\u{f6}m", "A\u{30a}ngstro\u{308}m"),
        ("se\u{f1}or", "sen\u{303}or"),
        ("\u{439}од", "и\u{306}од"),
        ("\u{3ac}λφα", "α\u{301}λφα"),
        ("が", "か\u{3099}"),
        ("パン", "ハ\u{309a}ン"),
        ("한글말", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}\u{1106}\u{1161}\u{11af}"),
        ("\u{958}लम", "\u{915}\u{93c}लम"),
    ];
    for (composed, decomposed) in pairs {
        assert_ne!(composed, decomposed);
        assert_eq!(analyze(composed), analyze(decomposed));
        assert!(!analyze(composed).is_empty());
    }
}

#[test]
fn openclaw_150968_widths_are_the_same() {
    assert_eq!(terms("ｶﾞｲﾄﾞ"), terms("ガイド"));
    assert_eq!(terms("ＡＢＣ"), ["abc"]);
}

#[test]
fn hermes_agent_43435_operators_are_words() {
    for operator in ["NEAR", "NOT", "AND", "OR"] {
        let query = Query::parse(operator);
        assert_eq!(query.terms().len(), 1, "{operator}");
        assert!(finds(operator, &format!("wifi {operator} home")));
    }
    assert!(finds("coffee NOT tea", "tea"));
}

#[test]
fn ccrecall_29_punctuation_is_text() {
    let hostile = [
        "o'brien",
        "well-known",
        "a:b",
        "\"half",
        "(open",
        "star*",
        "^up",
        "\\",
        "\\word",
        "x AND",
    ];
    for query in hostile {
        let expected = query.chars().any(char::is_alphanumeric);
        assert_eq!(!Query::parse(query).is_empty(), expected, "{query}");
    }
    assert!(finds("(\"coffee*\" ^tea:", "coffee"));
}

#[test]
fn hermes_agent_44040_a_long_question_meets_three_shared_words() {
    let question = "could you please remind me again which vet clinic our old dog visited \
                    before moving house";
    let entry = EntryTerms::of("The dog goes to the vet on Elm Street, a small clinic.");
    let held = Query::parse(question).terms().iter().filter(|term| entry.count(term) > 0).count();
    assert_eq!(held, 3);
}

#[test]
fn nano_brain_181_nul_separates_words() {
    assert_eq!(terms("left\0right"), ["left", "right"]);
    assert!(finds("\0right\0", "left\0right"));
    assert!(Query::parse("\0").is_empty());
}

#[test]
fn adk_memory_tokenizer_punctuation_does_not_hide_words() {
    assert!(finds("alice", "I met Alice."));
    assert!(finds("deadline", "deadline: friday"));
    assert!(finds("example", "write to bob@example.com"));
    assert!(Query::parse("。").is_empty());
}
