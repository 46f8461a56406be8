use super::{finds, finds_all, terms, words};

#[test]
fn s9_inflected_words_share_a_term() {
    for (query, text) in [
        ("paint", "I finished painting it"),
        ("painted", "she paints"),
        ("школа", "в школе было тихо"),
        ("школой", "школу"),
        ("библиотека", "из библиотеки"),
        ("σχολείο", "στα σχολεία"),
        ("evler", "evlerimizden"),
        ("Häuser", "häusern"),
    ] {
        assert!(finds(query, text), "{query} in {text}");
    }
}

#[test]
fn s9_accents_are_folded() {
    for (query, text) in [
        ("cafe", "Café"),
        ("café", "CAFE"),
        ("uber", "Über"),
        ("lodz", "Łódź"),
        ("strasse", "Straße"),
        ("istanbul", "İSTANBUL"),
        ("ISPARTA", "ısparta"),
        ("dien", "điện"),
        ("Ελλαδα", "Ελλάδα"),
        ("ΟΔΟΣ", "οδός"),
        ("елка", "Ёлка"),
        ("smorrebrod", "Smørrebrød"),
        ("oeuvre", "œuvre"),
    ] {
        assert!(finds(query, text), "{query} in {text}");
        assert!(finds(text, query), "{text} in {query}");
    }
}

#[test]
fn s9_arabic_is_folded_and_loses_light_affixes() {
    for (query, text) in [
        ("كتاب", "الكِتَابُ"),
        ("مدرسة", "والمدرسه"),
        ("احمد", "أحمد"),
        ("مستشفي", "مستشفى"),
        ("معلم", "المعلمون"),
        ("محمد", "محـــمد"),
    ] {
        assert!(finds(query, text), "{query} in {text}");
    }
}

#[test]
fn s9_hebrew_points_are_folded() {
    assert!(finds("שלום", "שָׁלוֹם"));
}

#[test]
fn s9_vowel_signs_do_not_tear_words() {
    assert_eq!(words("हिन्दी किताब"), ["हिन्दी", "किताब"]);
    assert_eq!(words("தமிழ் புத்தகம்"), ["தமிழ்", "புத்தகம்"]);
    assert_eq!(words("বাংলা ভাষা"), ["বাংলা", "ভাষা"]);
}

#[test]
fn s9_han_and_kana_are_letters_and_pairs() {
    assert_eq!(terms("北京大学"), ["北", "京", "大", "学", "北京", "京大", "大学"]);
    assert_eq!(terms("カメラ"), ["カ", "メ", "ラ", "カメ", "メラ"]);
}

#[test]
fn s9_hangul_words_longer_than_two_are_pairs() {
    assert_eq!(terms("나 서울 서울역에서"), ["나", "서울", "서울", "울역", "역에"]);
}

#[test]
fn s9_thai_and_lao_runs_are_triples() {
    assert_eq!(terms("กาแฟ"), ["กาแ", "าแฟ"]);
    assert_eq!(terms("กา"), ["กา"]);
    assert_eq!(terms("ລາວ"), ["ລາວ"]);
}

#[test]
fn s9_scripts_part_words() {
    assert!(finds_all("Rust", "用户喜欢用Rust编程"));
    assert!(finds_all("Python", "私はPythonを使う"));
    assert_eq!(terms("2024년"), ["2024", "년"]);
    assert_eq!(terms("SMSка"), ["sms", "ка"]);
    assert_eq!(words("ฉันใช้Go"), ["ฉัน", "ันใ", "นใช", "ใช้", "go"]);
}

#[test]
fn s9_stop_words_count_only_when_alone() {
    assert!(!finds("the cat", "the dog"));
    assert!(finds("The Who", "I saw the who in concert"));
    assert!(!finds("willing", "I will go"), "a stem is no stop word");
}

#[test]
fn s9_kana_and_particles_alone_decide_nothing() {
    assert!(!finds("日本の歴史", "私の猫は元気です"));
    assert!(finds("の", "私の猫"), "but alone they are found");
    assert!(finds("いぬ", "いぬがいる"));
    assert!(!finds("你的猫在哪里？", "我的书"));
    assert!(!finds("서울에서 봤다", "부산에서 만났습니다"));
    assert!(finds("집", "집에 있어요") && finds("집을", "집에서 일해요"));
}

#[test]
fn s9_hindi_is_spelled_one_way_and_loses_its_endings() {
    for (query, text) in [
        ("लड़का", "लड़कों को बुलाओ"),
        ("किताब", "किताबें मेज़ पर"),
        ("हिन्दी", "हिंदी"),
        ("चाँद", "चांद"),
        ("सम्बन्ध", "संबंध"),
        ("ज़रूरत", "जरुरत"),
        ("लडका", "लड़के"),
        ("खाना", "खाने"),
        ("अंग्रेज़ी", "अंग्रेजी"),
    ] {
        assert!(finds(query, text) && finds(text, query), "{query} and {text}");
    }
    assert!(!finds("तुम", "तुम्हारा"), "a nasal before another sound stays");
}

#[test]
fn s9_vietnamese_is_found_as_written_and_without_accents() {
    assert!(finds("ban", "bạn tôi") && finds("bạn", "ban toi"));
    assert_eq!(terms("bạn bán bàn"), ["ban", "bạn", "ban", "bán", "ban", "bàn"]);
    assert_eq!(terms("Đường"), ["duong", "đường"]);
}

#[test]
fn s9_greek_and_transcribed_umlauts() {
    for (query, text) in [
        ("φίλος", "η φίλη μου"),
        ("φιλους", "φίλος"),
        ("ΓΑΤΑ", "οι γάτες"),
        ("δρόμος", "στον δρόμο"),
        ("Mueller", "Herr Müller"),
        ("Köln", "nach Koeln"),
        ("Übung", "UEBUNGEN"),
        ("дом", "в домах"),
    ] {
        assert!(finds(query, text) && finds(text, query), "{query} and {text}");
    }
}

#[test]
fn s9_an_emoji_is_a_word() {
    assert_eq!(terms("nice 👍🏽!"), ["nice", "👍"]);
    assert!(finds("👍", "👍🏿"));
    assert!(finds("❤", "with love ❤️"));
    assert_eq!(terms("👨‍👩‍👧"), ["👨", "👩", "👧"]);
    assert_eq!(terms("🇩🇪🇫🇷"), ["🇩🇪", "🇫🇷"]);
    assert_eq!(terms("1️⃣"), ["1"]);
}

#[test]
fn s9_digits_of_every_script_are_the_same() {
    for text in ["٢٠٢٤", "२०२४", "２０２４", "๒๐๒๔"] {
        assert!(finds("2024", text), "{text}");
    }
}

#[test]
fn s9_punctuation_alone_is_no_word() {
    for text in ["", "。", "!!!", "…", "—", "?!", "\u{301}", "\u{200d}", "___", "™", "\u{640}"]
    {
        assert!(terms(text).is_empty(), "{text}");
    }
}
