//! Limits, least scores and the counts that end a search (contract, section 5).

use memoryd_proto::trailers::{CONSIDERED, CUT_BY_LIMIT, CUT_BY_SCORE, MATCHED};
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{Calls, SearchResult, TestServer, error_of, query, said, session};

crate::on_every_store!(
    deepchat_1884_a_limit_is_honoured_in_full,
    mem0_4453_raising_min_score_only_takes_hits_away,
    s5_min_score_lies_between_zero_and_one,
    automem_73_every_hit_carries_its_score,
    life_os_534_nothing_stored_and_all_below_min_score_differ,
);

/// Considered, matched, cut by score, cut by limit.
fn counts(found: &SearchResult) -> [u64; 4] {
    [CONSIDERED, MATCHED, CUT_BY_SCORE, CUT_BY_LIMIT].map(|name| found.count(name))
}

async fn deepchat_1884_a_limit_is_honoured_in_full(server: TestServer) {
    let calls = server.calls().await;
    let entries = (0..1_000).map(|number| {
        said(&if number < 800 { format!("apple {number}") } else { format!("pear {number}") })
    });
    calls.add_session(session("s", entries.collect())).await.unwrap();
    for (limit, hits) in [
        (None, 10),
        (Some(0), 0),
        (Some(1), 1),
        (Some(10), 10),
        (Some(500), 500),
        (Some(799), 799),
        (Some(800), 800),
        (Some(801), 800),
        (Some(u32::MAX), 800),
    ] {
        let found = calls.search(SearchRequest { limit, ..query("apple") }).await.unwrap();
        assert_eq!(found.hits.len(), hits, "{limit:?}");
        assert_eq!(counts(&found), [1_000, 800, 0, 800 - hits as u64], "{limit:?}");
        let ranks = found.hits.iter().map(|hit| hit.rank as usize);
        assert!(ranks.eq(1..=hits), "{limit:?}");
        assert!(found.texts().iter().all(|text| text.starts_with("apple")));
    }
}

/// Entries that answer a question of three words more and less well.
async fn fill(calls: &Calls) {
    let texts = [
        "red green blue",
        "red green",
        "green and a great many other words that have nothing to do with it",
        "blue",
        "blue blue blue",
        "red",
        "red red and violet, orange, white",
        "yellow",
    ];
    calls.add_session(session("s", texts.map(said).to_vec())).await.unwrap();
}

async fn mem0_4453_raising_min_score_only_takes_hits_away(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls).await;
    let all = calls.search(query("red green blue")).await.unwrap();
    assert_eq!((all.hits.len(), counts(&all)), (7, [8, 7, 0, 0]));
    let scores = all.hits.iter().map(|hit| hit.score);
    let around = scores.flat_map(|score| [score.next_down(), score, score.next_up()]);
    let steps = (0_u8..=20).map(|step| f32::from(step) / 20.0);
    for min_score in steps.chain(around.filter(|score| (0.0..=1.0).contains(score))) {
        let request = SearchRequest { min_score: Some(min_score), ..query("red green blue") };
        let found = calls.search(request.clone()).await.unwrap();
        let expected = all.hits.iter().filter(|hit| hit.score >= min_score).enumerate();
        let expected: Vec<Hit> = expected
            .map(|(place, hit)| Hit { rank: u32::try_from(place).unwrap() + 1, ..hit.clone() })
            .collect();
        let cut = 7 - expected.len() as u64;
        assert_eq!(found.hits, expected, "{min_score}");
        assert_eq!(counts(&found), [8, 7, cut, 0]);
        // It applies before the limit.
        let limited = calls.search(SearchRequest { limit: Some(2), ..request }).await.unwrap();
        let kept = expected.len().min(2);
        assert_eq!(limited.hits, expected[..kept], "{min_score} and a limit");
        assert_eq!(counts(&limited), [8, 7, cut, (expected.len() - kept) as u64]);
    }
}

async fn s5_min_score_lies_between_zero_and_one(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls).await;
    let search = async |min_score| {
        calls.search(SearchRequest { min_score: Some(min_score), ..query("red") }).await
    };
    let wrong = [f32::NAN, -f32::NAN, -0.1, 1.1, -f32::MIN_POSITIVE, 1.0_f32.next_up()];
    for min_score in wrong.into_iter().chain([f32::INFINITY, f32::NEG_INFINITY]) {
        let refused = search(min_score).await.unwrap_err();
        let expected = (Code::InvalidArgument, "INVALID_ARGUMENT".into(), vec!["min_score".into()]);
        assert_eq!(error_of(&refused), expected, "{min_score}");
    }
    let unset = calls.search(query("red")).await.unwrap();
    for min_score in [0.0, -0.0, f32::MIN_POSITIVE] {
        assert_eq!(search(min_score).await.unwrap(), unset, "{min_score}");
    }
    assert!(search(1.0).await.is_ok());
}

async fn automem_73_every_hit_carries_its_score(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls).await;
    for text in ["red green blue", "red", "yellow", "blue or whatever else there may be to say"] {
        let found = calls.search(query(text)).await.unwrap();
        assert!(!found.hits.is_empty());
        for hit in &found.hits {
            assert!(hit.score > 0.0 && hit.score <= 1.0, "{text}: {}", hit.score);
        }
    }
    // Not scaled to the best of the batch: a poor match is poor though nothing is better.
    let poor = "yellow submarines surface quietly beneath distant northern harbours tonight";
    let score = async |text: &str| calls.search(query(text)).await.unwrap().hits[0].score;
    let (exact, poor) = (score("yellow").await, score(poor).await);
    assert!(poor < 0.5 && poor < exact, "{poor} against {exact}");
}

async fn life_os_534_nothing_stored_and_all_below_min_score_differ(server: TestServer) {
    let calls = server.calls().await;
    let request = SearchRequest { min_score: Some(1.0), ..query("red unheard") };
    let nothing = calls.search(request.clone()).await.unwrap();
    fill(&calls).await;
    let below = calls.search(request).await.unwrap();
    let unmatched = calls.search(query("unheard")).await.unwrap();
    assert_eq!((nothing.hits.len(), counts(&nothing)), (0, [0; 4]));
    assert_eq!((below.hits.len(), counts(&below)), (0, [8, 4, 4, 0]));
    assert_eq!((unmatched.hits.len(), counts(&unmatched)), (0, [8, 0, 0, 0]));
}
