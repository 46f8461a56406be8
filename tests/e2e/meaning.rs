//! Meaning: the built-in encoder finds what shares no word with the question, in any of its languages
//! (contract, sections 5 and 10).

use memoryd::{Config, EmbedOptions, EmbedWhen, StoreKind};
use memoryd_proto::trailers;
use memoryd_proto::v1::*;

use crate::harness::{GLOBAL, TestServer, ids, query, said, said_after, session, texts};

const FACTS: [&str; 6] = [
    "My dog is called Bruno and loves the beach",
    "I am allergic to peanuts",
    "The flight to Lisbon leaves at seven in the morning",
    "We painted the kitchen yellow last spring",
    "My sister works as a nurse in a hospital in Hamburg",
    "The car needs a new battery before winter",
];

/// Questions that share no word with the right fact, and its place.
const QUESTIONS: [(&str, usize); 10] = [
    ("Wie heißt mein Hund?", 0),
    ("¿Qué alimentos no puedo comer por alergia?", 1),
    ("À quelle heure part l'avion ?", 2),
    ("Какого цвета кухня?", 3),
    ("我姐姐做什么工作？", 4),
    ("車のバッテリーはいつ交換する？", 5),
    ("ما اسم كلبي؟", 0),
    ("제 알레르기는 무엇인가요?", 1),
    ("What is the name of my pet?", 0),
    ("vehicle maintenance", 5),
];

async fn server_of(store: StoreKind, embed: EmbedWhen) -> TestServer {
    let embedder = EmbedOptions::default();
    TestServer::start_with(Config { store, embedder, embed, ..Config::default() }).await
}

async fn fill(server: &TestServer) {
    let entries = FACTS.iter().map(|fact| said(fact)).collect();
    let request = AddEntriesRequest { ..GLOBAL.entries(entries) };
    server.calls().await.add_entries(request).await.unwrap();
    server.all_vectors().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_questions_in_other_languages_and_words_find_what_they_mean() {
    for store in [StoreKind::Sled, StoreKind::Memory] {
        let server = server_of(store, EmbedWhen::Background).await;
        fill(&server).await;
        let calls = server.calls().await;
        for mode in [SearchMode::Hybrid, SearchMode::Semantic] {
            for (question, right) in QUESTIONS {
                let request = SearchRequest { mode: mode.into(), ..query(question) };
                let found = calls.search(request).await.unwrap();
                assert_eq!(found.texts()[0], FACTS[right], "{mode:?} {question}");
                assert!(found.hits[0].score > 0.0 && found.hits[0].score <= 1.0);
            }
        }
        let request =
            SearchRequest { mode: SearchMode::Lexical.into(), ..query("Wie heißt mein Hund?") };
        assert_eq!(calls.search(request).await.unwrap().hits, [], "no word is shared");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_inline_vectors_are_there_when_the_addition_is_answered() {
    let server = server_of(StoreKind::Sled, EmbedWhen::Inline).await;
    let calls = server.calls().await;
    for (at, fact) in FACTS.iter().enumerate() {
        let request = session("s", vec![said_after(at as i64, fact)]);
        calls.add_session(request).await.unwrap();
        assert_eq!(calls.info().await.unwrap().pending_vectors, 0);
        let request = SearchRequest { mode: SearchMode::Semantic.into(), ..query(fact) };
        assert_eq!(calls.search(request).await.unwrap().texts()[0], *fact);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_words_find_an_entry_before_its_vector_is_there() {
    let server = server_of(StoreKind::Sled, EmbedWhen::Background).await;
    let calls = server.calls().await;
    let entries =
        (0..200).map(|n| said_after(n, &format!("walrus number {n} of the herd"))).collect();
    calls.add_session(session("s", entries)).await.unwrap();
    assert_eq!(calls.search(query("walrus")).await.unwrap().hits.len(), 200);
    server.all_vectors().await;
    assert_eq!(calls.search(query("walrus")).await.unwrap().hits.len(), 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn google_adk_samples_2590_meaning_gives_equal_bytes_after_a_restart() {
    let mut server = server_of(StoreKind::Sled, EmbedWhen::Background).await;
    fill(&server).await;
    let ask = async |server: &TestServer| {
        let calls = server.calls().await;
        let mut answers = Vec::new();
        for (question, _) in QUESTIONS {
            let request = SearchRequest { explain: true, ..query(question) };
            answers.push(calls.search(request).await.unwrap());
        }
        answers
    };
    let before = ask(&server).await;
    server.restart().await;
    server.all_vectors().await;
    assert_eq!(ask(&server).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn topoteretes_cognee_3526_nothing_is_found_by_the_meaning_of_what_was_deleted() {
    for store in [StoreKind::Sled, StoreKind::Memory] {
        let mut server = server_of(store, EmbedWhen::Background).await;
        fill(&server).await;
        let calls = server.calls().await;
        let dog = calls.search(query(FACTS[0])).await.unwrap().entries()[0].entry_id.clone();
        let request = GLOBAL.deletion_of(std::slice::from_ref(&dog));
        assert_eq!(calls.delete_entries(request).await.unwrap().deleted_count, 1);
        for _ in 0..2 {
            let calls = server.calls().await;
            for question in ["Wie heißt mein Hund?", FACTS[0]] {
                for mode in [SearchMode::Semantic, SearchMode::Hybrid, SearchMode::Lexical] {
                    let request =
                        SearchRequest { mode: mode.into(), context: 5, ..query(question) };
                    let found = calls.search(request).await.unwrap();
                    assert!(!ids(&found.entries()).contains(&dog.as_str()), "{mode:?} {question}");
                }
            }
            if store == StoreKind::Memory {
                break;
            }
            server.restart().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn supermemoryai_openclaw_supermemory_24_meaning_never_deletes() {
    let server = server_of(StoreKind::Memory, EmbedWhen::Background).await;
    fill(&server).await;
    let calls = server.calls().await;
    for (question, right) in QUESTIONS {
        let found = calls.search(query(question)).await.unwrap();
        assert_eq!(found.texts()[0], FACTS[right], "it can be found");
        let matching = Match::Any.into();
        let request = DeleteEntriesRequest { r#match: matching, ..GLOBAL.deletion(question) };
        let deleted = calls.delete_entries(request).await.unwrap();
        let left = texts(&calls.list_all(GLOBAL.listing()).await.unwrap());
        assert_eq!(deleted.deleted_count, 0, "{question} leaves {left:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mem0ai_mem0_4453_a_higher_min_score_only_takes_hits_away_also_by_meaning() {
    let server = server_of(StoreKind::Memory, EmbedWhen::Background).await;
    fill(&server).await;
    let calls = server.calls().await;
    for (question, _) in QUESTIONS {
        let all = calls.search(query(question)).await.unwrap();
        for min_score in [0.1, 0.3, 0.5, 0.7, 0.9] {
            let request = SearchRequest { min_score: Some(min_score), ..query(question) };
            let fewer = calls.search(request).await.unwrap();
            let expected: Vec<Hit> =
                all.hits.iter().filter(|hit| hit.score >= min_score).cloned().collect();
            assert_eq!(fewer.hits, expected, "{question} at {min_score}");
            let cut = fewer.count(trailers::CUT_BY_SCORE);
            assert_eq!(cut as usize, all.hits.len() - expected.len());
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queries_with_nothing_to_mean_are_answered_by_words_alone() {
    let server = server_of(StoreKind::Memory, EmbedWhen::Background).await;
    fill(&server).await;
    let calls = server.calls().await;
    let long = "wind und wetter ".repeat(20_000);
    for text in ["", " ", "。", "?!", "x", "🦭🦭", "\u{0}", "the of and", "e\u{301}\u{301}", &long]
    {
        for mode in [SearchMode::Hybrid, SearchMode::Semantic] {
            let request = SearchRequest { mode: mode.into(), ..query(text) };
            let found = calls.search(request).await.unwrap();
            let finite = found.hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score));
            assert!(finite && found.hits.len() <= FACTS.len(), "{mode:?} {text:?}");
        }
    }
}
