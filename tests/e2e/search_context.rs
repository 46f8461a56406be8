//! What stands beside a hit in its session (contract, section 5).

use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{Calls, TestServer, at, deletion, error_of, new_entry, query, session, texts};

crate::on_every_store!(
    s5_context_brings_neighbours_up_to_the_borders_of_the_session,
    s5_context_stays_in_the_hits_own_session_and_scope,
    s5_context_follows_deletions_and_the_order_of_time,
);

fn turn(number: i64, text: &str) -> NewEntry {
    NewEntry { timestamp: Some(at(1_700_000_000 + number)), ..new_entry(text) }
}

/// Texts before, of, and after the only hit.
async fn around(calls: &Calls, request: SearchRequest) -> (Vec<String>, String, Vec<String>) {
    let found = calls.search(request).await.unwrap();
    assert_eq!(found.hits.len(), 1);
    let hit = &found.hits[0];
    (texts(&hit.context_before), found.texts()[0].clone(), texts(&hit.context_after))
}

async fn s5_context_brings_neighbours_up_to_the_borders_of_the_session(server: TestServer) {
    let calls = server.calls().await;
    let words: Vec<String> = (0..12).map(|number| format!("turn word{number:02}")).collect();
    let entries = (0..).zip(&words).map(|(number, text)| turn(number, text)).collect();
    calls.add_session(session("s", entries)).await.unwrap();
    for context in 0..=5_usize {
        for place in 0..words.len() {
            let request = SearchRequest {
                context: u32::try_from(context).unwrap(),
                ..query(&format!("word{place:02}"))
            };
            let before = words[place.saturating_sub(context)..place].to_vec();
            let after = words[place + 1..(place + 1 + context).min(words.len())].to_vec();
            let found = around(&calls, request).await;
            assert_eq!(found, (before, words[place].clone(), after), "{context} at {place}");
        }
    }
    for context in [6, u32::MAX] {
        let refused = calls.search(SearchRequest { context, ..query("word01") }).await.unwrap_err();
        let expected = (Code::InvalidArgument, "INVALID_ARGUMENT".into(), vec!["context".into()]);
        assert_eq!(error_of(&refused), expected);
    }
    // Hits that stand side by side are each other's neighbours.
    let both = SearchRequest { context: 1, ..query("word03 word04") };
    let found = calls.search(both).await.unwrap();
    let of =
        |text: &str| found.hits[found.texts().iter().position(|hit| hit == text).unwrap()].clone();
    assert_eq!(texts(&of("turn word03").context_after), ["turn word04"]);
    assert_eq!(texts(&of("turn word04").context_before), ["turn word03"]);
}

async fn s5_context_stays_in_the_hits_own_session_and_scope(server: TestServer) {
    let calls = server.calls().await;
    // The same session id three times over, and times that interleave.
    for (offset, project) in [(0, None), (1, Some("a")), (2, Some("b"))] {
        let entries = ["first", "second", "third"].map(|word| format!("{word} {project:?}"));
        let entries = (0..).zip(&entries).map(|(number, text)| turn(number * 10 + offset, text));
        let request = AddSessionRequest {
            project_id: project.map(Into::into),
            ..session("same", entries.collect())
        };
        calls.add_session(request).await.unwrap();
    }
    calls
        .add_session(session("other", vec![turn(9, "other nine"), turn(11, "other eleven")]))
        .await
        .unwrap();
    let direct = AddEntriesRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        entries: vec![turn(10, "direct ten"), turn(12, "direct twelve")],
        ..AddEntriesRequest::default()
    };
    calls.add_entries(direct).await.unwrap();

    let request = |project: Option<&str>, text: &str| SearchRequest {
        project_id: project.map(Into::into),
        context: 5,
        ..query(text)
    };
    let found = calls.search(request(Some("a"), "second")).await.unwrap();
    assert_eq!(found.hits.len(), 2);
    for hit in found.hits {
        let project = hit.entry.unwrap().project_id;
        assert_eq!(texts(&hit.context_before), [format!("first {project:?}")]);
        assert_eq!(texts(&hit.context_after), [format!("third {project:?}")]);
        let neighbours = hit.context_before.iter().chain(&hit.context_after);
        assert!(neighbours.map(|entry| &entry.project_id).all(|of| *of == project));
    }
    let (before, _, after) = around(&calls, request(None, "eleven")).await;
    assert_eq!((before, after), (vec!["other nine".into()], vec![]));
    // Entries added directly stand beside nothing.
    assert_eq!(around(&calls, request(None, "ten")).await, (vec![], "direct ten".into(), vec![]));
}

async fn s5_context_follows_deletions_and_the_order_of_time(server: TestServer) {
    let calls = server.calls().await;
    // Sent out of order, and two of the same second: those keep the order in which they came.
    let entries = vec![turn(5, "echo"), turn(1, "alfa"), turn(3, "charlie"), turn(3, "delta")];
    calls.add_session(session("s", entries)).await.unwrap();
    calls.add_session(session("s", vec![turn(2, "bravo")])).await.unwrap();
    let request = |text: &str| SearchRequest { context: 5, ..query(text) };
    let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let expected = (owned(&["alfa", "bravo"]), "charlie".into(), owned(&["delta", "echo"]));
    assert_eq!(around(&calls, request("charlie")).await, expected);

    calls.delete_entries(deletion("bravo")).await.unwrap();
    calls.delete_entries(deletion("delta")).await.unwrap();
    let expected = (owned(&["alfa"]), "charlie".into(), owned(&["echo"]));
    assert_eq!(around(&calls, request("charlie")).await, expected);
}
