//! Why a hit matched (contract, section 5).

use memoryd_proto::v1::*;

use crate::harness::{TestServer, query, said, session};

crate::on_every_store!(
    s5_an_explanation_is_given_when_asked_and_changes_nothing,
    s5_an_explanation_adds_up,
);

const QUESTION: &str = "Is the red fox quicker than foxes, or red wolves?";

/// In the order of the session.
const TEXTS: [&str; 6] = [
    "The red fox, a red fox",
    "red",
    "A fox ran",
    "wolves and a fox and more red wolves than anyone has ever counted",
    "nothing of it",
    "the",
];

async fn fill(server: &TestServer) {
    let request = session("s", TEXTS.map(said).to_vec());
    server.calls().await.add_session(request).await.unwrap();
}

async fn s5_an_explanation_is_given_when_asked_and_changes_nothing(server: TestServer) {
    fill(&server).await;
    let calls = server.calls().await;
    let plain = calls.search(query(QUESTION)).await.unwrap();
    let explained = calls.search(SearchRequest { explain: true, ..query(QUESTION) }).await.unwrap();
    assert!(plain.hits.iter().all(|hit| hit.explanation.is_none()));
    assert!(explained.hits.iter().all(|hit| hit.explanation.is_some()));
    let hits = explained.hits.into_iter().map(|hit| Hit { explanation: None, ..hit });
    assert_eq!(hits.collect::<Vec<_>>(), plain.hits);
    assert_eq!(explained.counts, plain.counts);
}

async fn s5_an_explanation_adds_up(server: TestServer) {
    fill(&server).await;
    let calls = server.calls().await;
    let found = calls.search(SearchRequest { explain: true, ..query(QUESTION) }).await.unwrap();
    assert_eq!(found.hits.len(), 4);
    for (hit, text) in found.hits.iter().zip(found.texts()) {
        let explanation = hit.explanation.as_ref().unwrap();
        let Explanation { rank_value, lexical, semantic, terms, session, .. } = explanation;
        for part in [*rank_value, *lexical, *session] {
            assert!((0.0..=1.0).contains(&part), "{text}: {explanation:?}");
        }
        let sum: f64 = terms.iter().map(|term| term.share).sum::<f64>() + session;
        assert!((sum - lexical).abs() < 1e-12, "{text}: {sum} is not {lexical}");
        assert_eq!((*semantic, *rank_value), (None, *lexical), "by words alone");
        for term in terms {
            assert!(term.share > 0.0, "{text}: {term:?}");
            // What the entry, or the one that lends it, holds of the query, as often as it holds it.
            let at = TEXTS.iter().position(|known| *known == text).unwrap() as i32;
            let holding = TEXTS[(at + term.lent_by) as usize].to_lowercase();
            let count = holding.matches(&term.term).count();
            assert_eq!(term.term_frequency as usize, count, "{text}: {term:?}");
        }
        let named = |own: bool| {
            let terms = terms.iter().filter(move |term| !own || term.lent_by == 0);
            terms.map(|term| (term.term.as_str(), term.document_frequency)).collect::<Vec<_>>()
        };
        let words = [("red", 3), ("fox", 3), ("wolv", 1)];
        let held = words.into_iter().filter(|(word, _)| text.to_lowercase().contains(word));
        assert_eq!(named(true), held.collect::<Vec<_>>(), "{text}: the words of the query");
        let order = |(word, _): &(&str, u64)| words.iter().position(|(known, _)| known == word);
        assert!(named(false).iter().map(order).is_sorted(), "{text}: in the order of the query");
    }
}
