//! Date words of a question are held against the times of entries (contract, section 5; README, "How it
//! finds").

use memoryd_proto::v1::*;

use crate::harness::{GLOBAL, TestServer, at, new_entry, query};

crate::on_every_store!(
    s5_date_words_in_many_languages_find_the_entries_of_that_time,
    s5_a_question_of_nothing_but_a_date_finds_what_was_said_then,
    s5_a_date_in_the_text_of_entries_still_counts,
    s5_the_reference_time_is_now_when_unset,
);

const DAY: i64 = 86_400;

/// Wednesday, 15 May 2024, noon.
const NOW: i64 = 1_715_774_400;

/// What was cooked, and how many days before.
const MEALS: [(&str, i64); 5] = [
    ("We cooked lentil soup", 1),
    ("We cooked mushroom risotto", 8),
    ("We cooked pumpkin curry", 40),
    ("We cooked tomato pasta", 300),
    ("We cooked fish stew", 400),
];

async fn fill(server: &TestServer) {
    let entries = MEALS.iter().map(|(text, days)| said_on(text, NOW - days * DAY)).collect();
    server.calls().await.add_entries(GLOBAL.entries(entries)).await.unwrap();
}

fn said_on(text: &str, seconds: i64) -> NewEntry {
    NewEntry { timestamp: Some(at(seconds)), ..new_entry(text) }
}

fn asked(question: &str) -> SearchRequest {
    SearchRequest { reference_time: Some(at(NOW)), ..query(question) }
}

async fn s5_date_words_in_many_languages_find_the_entries_of_that_time(server: TestServer) {
    fill(&server).await;
    let calls = server.calls().await;
    for (question, right) in [
        ("What was cooked yesterday?", 0),
        ("What was cooked last week?", 1),
        ("What was cooked in April?", 2),
        ("What was cooked on 5 April 2024?", 2),
        ("cooked gestern", 0),
        ("cooked letzte Woche", 1),
        ("cooked im April", 2),
        ("cooked la semaine dernière", 1),
        ("cooked ayer", 0),
        ("cooked вчера", 0),
        ("cooked на прошлой неделе", 1),
        ("cooked 昨天", 0),
        ("cooked 上周", 1),
        ("cooked 4月", 2),
        ("cooked 昨日", 0),
        ("cooked 어제", 0),
        ("cooked أمس", 0),
        ("cooked dün", 0),
    ] {
        let request = SearchRequest { explain: true, ..asked(question) };
        let found = calls.search(request).await.unwrap();
        assert_eq!(found.texts()[0], MEALS[right].0, "{question}");
        assert_eq!(
            found.hits.len(),
            MEALS.len(),
            "{question}: a date moves, it takes nothing away"
        );
        let explanation = found.hits[0].explanation.as_ref().unwrap();
        let Explanation { time, time_agreement, lexical, rank_value, session, terms, .. } =
            explanation;
        assert!(*time > 0.0 && *time_agreement == 1.0, "{question}: {explanation:?}");
        let sum = terms.iter().map(|term| term.share).sum::<f64>() + time + session;
        assert!((sum - lexical).abs() < 1e-9 && (lexical - rank_value).abs() < 1e-9);
    }
}

async fn s5_a_question_of_nothing_but_a_date_finds_what_was_said_then(server: TestServer) {
    fill(&server).await;
    let calls = server.calls().await;
    for question in ["What happened yesterday?", "yesterday", "Was war gestern?", "昨天"] {
        let found = calls.search(asked(question)).await.unwrap();
        assert_eq!(found.texts(), [MEALS[0].0], "{question}");
        assert!(found.hits[0].score >= 0.5, "{question}");
    }
    assert_eq!(calls.search(asked("three years ago")).await.unwrap().hits, []);
}

async fn s5_a_date_in_the_text_of_entries_still_counts(server: TestServer) {
    let calls = server.calls().await;
    let entries = vec![
        said_on("The treaty was signed in 1943", NOW),
        said_on("The treaty was signed in 1951", NOW - DAY),
        said_on("The treaty was forgotten", NOW - 2 * DAY),
    ];
    calls.add_entries(GLOBAL.entries(entries)).await.unwrap();
    let found = calls.search(asked("Which treaty was signed in 1943?")).await.unwrap();
    assert_eq!(found.texts()[0], "The treaty was signed in 1943");
}

async fn s5_the_reference_time_is_now_when_unset(server: TestServer) {
    let calls = server.calls().await;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let now = now.as_secs() as i64;
    let entries = vec![
        said_on("We cooked lentil soup", now - DAY),
        said_on("We cooked mushroom risotto", now - 60 * DAY),
    ];
    calls.add_entries(GLOBAL.entries(entries)).await.unwrap();
    for (reference_time, right) in
        [(None, "We cooked lentil soup"), (Some(at(now - 59 * DAY)), "We cooked mushroom risotto")]
    {
        let request = SearchRequest { reference_time, ..query("What was cooked yesterday?") };
        assert_eq!(calls.search(request).await.unwrap().texts()[0], right);
    }
}
