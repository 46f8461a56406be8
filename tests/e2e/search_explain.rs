//! Why a hit matched (contract, section 5).

use memoryd_proto::v1::*;

use crate::harness::{TestServer, query, said, session};

crate::on_every_store!(
    s5_an_explanation_is_given_when_asked_and_changes_nothing,
    s5_an_explanation_adds_up,
);

const QUESTION: &str = "Is the red fox quicker than foxes, or red wolves?";

async fn fill(server: &TestServer) {
    let texts = [
        "The red fox, a red fox",
        "red",
        "A fox ran",
        "wolves and a fox and more red wolves than anyone has ever counted",
        "nothing of it",
        "the",
    ];
    let request = session("s", texts.map(said).to_vec());
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
    let embedder = calls.info().await.unwrap().embedder;
    let found = calls.search(SearchRequest { explain: true, ..query(QUESTION) }).await.unwrap();
    assert_eq!(found.hits.len(), 4);
    for (hit, text) in found.hits.iter().zip(found.texts()) {
        let explanation = hit.explanation.as_ref().unwrap();
        let Explanation { rank_value, lexical, semantic, terms } = explanation;
        for part in [*rank_value, *lexical, semantic.unwrap_or(0.0)] {
            assert!((0.0..=1.0).contains(&part), "{text}: {explanation:?}");
        }
        let sum: f64 = terms.iter().map(|term| term.share).sum();
        assert!((sum - lexical).abs() < 1e-12, "{text}: {sum} is not {lexical}");
        if embedder == "none" {
            assert_eq!((*semantic, rank_value.to_bits()), (None, lexical.to_bits()));
        }
        for term in terms {
            assert!(term.share > 0.0, "{text}: {term:?}");
            // What the entry holds of the query, as often as it holds it.
            let holding = text.to_lowercase();
            let count = holding.matches(&term.term).count();
            assert_eq!(term.term_frequency as usize, count, "{text}: {term:?}");
        }
        assert_eq!(
            terms
                .iter()
                .map(|term| (term.term.as_str(), term.document_frequency))
                .collect::<Vec<_>>(),
            [("red", 3), ("fox", 3), ("wolv", 1)]
                .into_iter()
                .filter(|(word, _)| text.to_lowercase().contains(word))
                .collect::<Vec<_>>(),
            "{text}: the words of the query in its order"
        );
    }
}
