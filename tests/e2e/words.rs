//! Words of every language, found as they are written (contract, section 9).

use memoryd_proto::v1::*;

use crate::harness::{Calls, TestServer, query, said, session};

crate::on_every_store!(
    adk_rust_349_substrings_of_unspaced_scripts_are_found,
    adk_python_2438_words_of_every_script_are_found,
    adk_python_6773_latin_words_inside_unspaced_scripts_are_found,
    deja_vu_1098_composed_and_decomposed_are_the_same,
    openclaw_150968_widths_are_the_same,
    mem0_4884_a_chinese_question_ranks_the_right_one_of_a_thousand_first,
    s9_inflections_accents_and_parts_of_identifiers_are_found,
);

/// Puts each text into an entry of its own, and asks each question: it must find the entry beside it.
async fn expect_found(calls: &Calls, pairs: &[(&str, &str)]) {
    let entries = pairs
        .iter()
        .enumerate()
        .map(|(place, (_, text))| NewEntry { entry_id: Some(format!("e{place}")), ..said(text) });
    calls.add_session(session("s", entries.collect())).await.unwrap();
    for (place, (question, text)) in pairs.iter().enumerate() {
        let found = calls.search(query(question)).await.unwrap();
        let ids: Vec<String> = found.entries().into_iter().map(|entry| entry.entry_id).collect();
        assert!(ids.contains(&format!("e{place}")), "{question} in {text}: {ids:?}");
    }
    assert_eq!(calls.search(query("unrelatedness")).await.unwrap().hits, []);
}

async fn adk_rust_349_substrings_of_unspaced_scripts_are_found(server: TestServer) {
    let calls = server.calls().await;
    let pairs = [
        ("咖啡", "我最喜欢的咖啡馆在上海"),
        ("上海", "我最喜欢的咖啡馆在上海"),
        ("東京", "来週東京に出張します"),
        ("コーヒー", "朝はコーヒーを飲む"),
        ("ひらがな", "これはひらがなです"),
        ("서울", "다음 주에 서울에서 만나요"),
        ("กาแฟ", "ฉันชอบดื่มกาแฟตอนเช้า"),
    ];
    expect_found(&calls, &pairs).await;
    // Text cut at any character is taken, kept as it is, and asked for without harm.
    for (_, text) in pairs {
        for (at, _) in text.char_indices().skip(1) {
            let (before, after) = text.split_at(at);
            calls.add_session(session("cut", vec![said(before)])).await.unwrap();
            calls.search(query(after)).await.unwrap();
            let found = calls.search(query(before)).await.unwrap().texts();
            assert!(found.contains(&before.to_owned()), "{before}");
        }
    }
}

async fn adk_python_2438_words_of_every_script_are_found(server: TestServer) {
    let pairs = [
        ("собака", "У меня есть собака."),
        ("СОБАКИ", "У соседа две собаки"),
        ("σκύλος", "Ο σκύλος μου"),
        ("ΣΚΥΛΟΣ", "ένας σκύλος"),
        ("כלב", "יש לי כלב."),
        ("कुत्ता", "मेरा कुत्ता काला है।"),
        ("كتاب", "قرأت الكتاب أمس"),
        ("բարեւ", "Բարեւ, աշխարհ"),
        ("ძაღლი", "ჩემი ძაღლი"),
        ("நாய்", "என் நாய் கருப்பு"),
    ];
    expect_found(&server.calls().await, &pairs).await;
}

async fn adk_python_6773_latin_words_inside_unspaced_scripts_are_found(server: TestServer) {
    let pairs = [
        ("Python", "私はPythonを使う"),
        ("rust", "用户喜欢用Rust编程"),
        ("编程", "用户喜欢用Rust编程"),
        ("go", "ฉันใช้Goทุกวัน"),
        ("2024", "2024년에 만나요"),
        ("iphone", "新しいiPhoneを買った"),
    ];
    expect_found(&server.calls().await, &pairs).await;
}

async fn deja_vu_1098_composed_and_decomposed_are_the_same(server: TestServer) {
    let calls = server.calls().await;
    let pairs = [
        ("caf\u{e9}", "cafe\u{301}"),
        ("na\u{ef}ve", "nai\u{308}ve"),
        ("\u{c5}ngstr\u{f6}m", "A\u{30a}ngstro\u{308}m"),
        ("se\u{f1}or", "sen\u{303}or"),
        ("\u{439}од", "и\u{306}од"),
        ("\u{3ac}λφα", "α\u{301}λφα"),
        ("がくせい", "か\u{3099}くせい"),
        ("パン", "ハ\u{309a}ン"),
        ("한글말", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}\u{1106}\u{1161}\u{11af}"),
        ("\u{958}लम", "\u{915}\u{93c}लम"),
    ];
    assert!(pairs.iter().all(|(composed, decomposed)| composed != decomposed));
    expect_found(&calls, &pairs).await;
    let reverse = pairs.map(|(composed, decomposed)| (decomposed, composed));
    assert_eq!(calls.delete_user("app", "user").await.unwrap(), 10);
    expect_found(&calls, &reverse).await;
    // What comes back is what was sent, not what was searched.
    let found = calls.search(query("cafe")).await.unwrap();
    assert_eq!(found.texts(), ["caf\u{e9}"]);
}

async fn openclaw_150968_widths_are_the_same(server: TestServer) {
    let pairs = [
        ("ガイド", "ｶﾞｲﾄﾞを読む"),
        ("ﾃﾚﾋﾞ", "テレビを見る"),
        ("abc", "ＡＢＣ社の人"),
        ("ｒｕｓｔ", "I write Rust"),
        ("１２３４５", "code 12345"),
        ("98765", "コード９８７６５"),
    ];
    expect_found(&server.calls().await, &pairs).await;
}

async fn mem0_4884_a_chinese_question_ranks_the_right_one_of_a_thousand_first(server: TestServer) {
    let calls = server.calls().await;
    let people = ["小王", "李明", "张伟", "陈静", "刘洋", "赵丽", "周强", "吴敏", "郑浩", "孙芳"];
    let places = ["北京", "上海", "广州", "成都", "杭州", "西安", "武汉", "南京", "重庆", "青岛"];
    let things =
        ["喝咖啡", "打篮球", "学钢琴", "看电影", "写代码", "爬山", "游泳", "做饭", "画画", "钓鱼"];
    let text = |at: usize| {
        format!("{}周末喜欢在{}{}。", people[at / 100], places[at / 10 % 10], things[at % 10])
    };
    let entries = (0..1_000).map(|number| said(&text(number))).collect();
    calls.add_session(session("s", entries)).await.unwrap();
    for wanted in (0..1_000).step_by(37) {
        let (person, place, thing) =
            (people[wanted / 100], places[wanted / 10 % 10], things[wanted % 10]);
        let question = format!("谁在{place}{thing}，是{person}吗？");
        let request = SearchRequest { limit: Some(1), ..query(&question) };
        assert_eq!(calls.search(request).await.unwrap().texts(), [text(wanted)], "{question}");
    }
}

async fn s9_inflections_accents_and_parts_of_identifiers_are_found(server: TestServer) {
    let pairs = [
        ("painted", "she paints walls"),
        ("школой", "в школе было тихо"),
        ("cafe", "Café Central"),
        ("hauptstrasse", "Hauptstraße 5"),
        ("smorrebrod", "Smørrebrød"),
        ("snake", "the snake_case name"),
        ("snake_case", "the snake_case name"),
        ("http", "parseHTTPRequest fails"),
        ("known", "a well-known fact"),
        ("config", "edit /etc/memoryd/config.toml"),
        ("مدرسة", "والمدرسه"),
        ("👍", "nice 👍🏽!"),
        ("🇩🇪", "from 🇩🇪 with love"),
    ];
    expect_found(&server.calls().await, &pairs).await;
}
