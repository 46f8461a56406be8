//! The order of hits, the same bytes for the same question, and whose statistics decide (contract,
//! section 5).

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use prost::Message;

use crate::harness::{Calls, SearchResult, TestServer, at, new_entry, query, session};

crate::on_every_store!(
    s5_hits_go_by_rank_value_then_newest_then_id,
    google_adk_samples_2590_the_same_search_twice_gives_equal_bytes,
    s5_the_data_of_others_neither_changes_an_order_nor_shows,
);

fn entry(id: &str, second: i64, text: &str) -> NewEntry {
    let timestamp = Some(at(1_700_000_000 + second));
    NewEntry { entry_id: Some(id.into()), timestamp, ..new_entry(text) }
}

fn ids(found: &SearchResult) -> Vec<String> {
    found.entries().into_iter().map(|entry| entry.entry_id).collect()
}

async fn s5_hits_go_by_rank_value_then_newest_then_id(server: TestServer) {
    let calls = server.calls().await;
    let entries = vec![
        entry("same-old", 1, "apples and pears"),
        entry("same-b", 5, "apples and pears"),
        entry("same-a", 5, "apples and pears"),
        entry("same-B", 5, "apples and pears"),
        entry("same-aa", 5, "apples and pears"),
        entry("same-new", 9, "apples and pears"),
        // Worth more than the others, though oldest; worth less, though newest.
        entry("best", 0, "apples apples"),
        entry("worst", 10, "apples among so many other words that it hardly matters at all here"),
    ];
    calls.add_session(session("s", entries)).await.unwrap();
    let request = SearchRequest { explain: true, ..query("apples") };
    let found = calls.search(request).await.unwrap();
    let expected =
        ["best", "same-new", "same-B", "same-a", "same-aa", "same-b", "same-old", "worst"];
    assert_eq!(ids(&found), expected);
    let ranks: Vec<u32> = found.hits.iter().map(|hit| hit.rank).collect();
    assert_eq!(ranks, (1..=8).collect::<Vec<_>>());
    let values = found.hits.iter().map(|hit| hit.explanation.as_ref().unwrap().rank_value);
    let values: Vec<f64> = values.collect();
    assert!(values.is_sorted_by(|left, right| left >= right), "{values:?}");
    assert!(values[1..7].iter().all(|value| value.to_bits() == values[1].to_bits()));

    // A limit cuts this order and makes no other, wherever it cuts.
    for limit in 0..=8_u32 {
        let cut = calls.search(SearchRequest { limit: Some(limit), ..query("apples") }).await;
        assert_eq!(ids(&cut.unwrap()), expected[..limit as usize], "limit {limit}");
    }
}

/// Every message of a search, as it was encoded, without the server's time of adding.
async fn bytes_of(calls: &Calls, request: SearchRequest) -> Vec<Vec<u8>> {
    let without_time = |entry: &mut Entry| entry.create_time = None;
    let messages = calls.search(request).await.unwrap().hits.into_iter().map(|mut hit| {
        hit.entry.iter_mut().for_each(without_time);
        hit.context_before.iter_mut().chain(&mut hit.context_after).for_each(without_time);
        SearchResponse { hit: Some(hit) }.encode_to_vec()
    });
    messages.collect()
}

/// 200 entries over four sessions, sent in an order of `seed`'s.
async fn fill(calls: &Calls, seed: usize) {
    let words = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf"];
    let mut entries: Vec<(usize, NewEntry)> = (0..200_usize)
        .map(|number| {
            let text: Vec<&str> =
                (0..=number % 5).map(|place| words[(number * 3 + place * place) % 7]).collect();
            // Ties between sessions, none within one: there the order of arrival counts.
            let second = i64::try_from(number / 4).unwrap();
            (number, entry(&format!("e{number}"), second, &text.join(" ")))
        })
        .collect();
    entries.sort_by_key(|(number, _)| (number * 7_919 + seed * 104_729) % 211);
    for (number, entry) in entries {
        calls.add_session(session(&format!("s{}", number % 4), vec![entry])).await.unwrap();
    }
}

fn questions() -> Vec<SearchRequest> {
    let texts = ["alpha", "bravo charlie", "golf echo alpha missing", "delta delta"];
    let requests = texts.map(|text| SearchRequest { context: 2, explain: true, ..query(text) });
    requests.to_vec()
}

async fn google_adk_samples_2590_the_same_search_twice_gives_equal_bytes(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls, 1).await;
    for request in questions() {
        let first = calls.search(request.clone()).await.unwrap();
        assert!(first.hits.len() > 20);
        for _ in 0..3 {
            assert_eq!(server.calls().await.search(request.clone()).await.unwrap(), first);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn google_adk_samples_2590_equal_bytes_on_every_store_and_after_a_restart() {
    let mut sled = TestServer::start(StoreKind::Sled).await;
    let memory = TestServer::start(StoreKind::Memory).await;
    fill(&sled.calls().await, 2).await;
    fill(&memory.calls().await, 3).await;
    let mut before = Vec::new();
    for request in questions() {
        let on_sled = bytes_of(&sled.calls().await, request.clone()).await;
        assert_eq!(on_sled, bytes_of(&memory.calls().await, request.clone()).await);
        before.push(sled.calls().await.search(request).await.unwrap());
    }
    sled.restart().await;
    for (request, before) in questions().into_iter().zip(before) {
        assert_eq!(sled.calls().await.search(request).await.unwrap(), before);
    }
}

async fn s5_the_data_of_others_neither_changes_an_order_nor_shows(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls, 4).await;
    let mut before = Vec::new();
    for request in questions() {
        before.push(calls.search(request).await.unwrap());
    }
    // Others make "alpha" common and "golf" unheard of.
    let flood = || (0..300).map(|number| entry(&format!("f{number}"), number, "alpha")).collect();
    for (app, user, project) in
        [("app", "user2", None), ("app2", "user", None), ("app", "user", Some("project"))]
    {
        let request = AddSessionRequest {
            app_name: app.into(),
            user_id: user.into(),
            project_id: project.map(Into::into),
            ..session("s0", flood())
        };
        calls.add_session(request).await.unwrap();
    }
    for (request, before) in questions().into_iter().zip(before) {
        assert_eq!(calls.search(request).await.unwrap(), before);
    }
}
