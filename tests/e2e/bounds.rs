//! Lists that are longer than any use of them are refused before they cost anything.

use memoryd::StoreKind;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{TestServer, deletion, error_of, listing, query, said, session};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s8_lists_beyond_their_limit_are_refused_with_the_field_and_the_limit() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let fields = |status: tonic::Status| {
        let (code, reason, fields) = error_of(&status);
        assert_eq!((code, reason.as_str()), (Code::InvalidArgument, "INVALID_ARGUMENT"));
        assert!(status.message().contains("at most"), "{status}");
        fields
    };

    let many = vec![said("x"); 10_001];
    let refused = calls.add_session(session("s", many)).await.unwrap_err();
    assert_eq!(fields(refused), ["entries"]);

    let part = Part { kind: Some(Kind::Text("x".into())), extra_json: None };
    let mut entry = said("x");
    entry.content.as_mut().unwrap().parts = vec![part; 1_001];
    let refused = calls.add_session(session("s", vec![entry])).await.unwrap_err();
    assert_eq!(fields(refused), ["entries[0].content.parts"]);

    let ids =
        DeleteEntriesRequest { query: None, entry_ids: vec!["x".into(); 100_001], ..deletion("") };
    assert_eq!(fields(calls.delete_entries(ids).await.unwrap_err()), ["entry_ids"]);
    let long = deletion(&"word ".repeat(4_000));
    assert_eq!(fields(calls.delete_entries(long).await.unwrap_err()), ["query"]);

    let authors = EntryFilter { authors: vec!["x".into(); 1_001], ..EntryFilter::default() };
    let search = SearchRequest { filter: Some(authors), ..query("x") };
    assert_eq!(fields(calls.search(search).await.unwrap_err()), ["filter.authors"]);
    let condition = MetadataCondition { key: "k".into(), values_json: vec!["1".into(); 1_001] };
    let metadata = EntryFilter { metadata: vec![condition], ..EntryFilter::default() };
    let list = ListEntriesRequest { filter: Some(metadata), ..listing() };
    assert_eq!(fields(calls.list(list).await.unwrap_err()), ["filter.metadata[0].values_json"]);
    let long = query(&"word ".repeat(300_000));
    assert_eq!(fields(calls.search(long).await.unwrap_err()), ["query"]);

    // Up to the limits all is well.
    let many = calls.add_session(session("s", vec![said("x"); 10_000])).await.unwrap();
    assert_eq!(many.results.len(), 10_000);
    let authors = EntryFilter { authors: vec!["user".into(); 1_000], ..EntryFilter::default() };
    let search = SearchRequest { filter: Some(authors), limit: Some(1), ..query("x") };
    assert_eq!(calls.search(search).await.unwrap().hits.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s6_a_page_stays_below_what_clients_take_with_and_without_blobs() {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    // Long texts: leaving out blobs doesn't make them any shorter.
    for number in 0..8 {
        let mut entry = said(&format!("{number} {}", "word ".repeat(200_000)));
        let blob = InlineData { data: vec![1; 100_000].into(), ..InlineData::default() };
        let part = Part { kind: Some(Kind::InlineData(blob)), extra_json: None };
        entry.content.as_mut().unwrap().parts.push(part);
        calls.add_session(session(&format!("s{number}"), vec![entry])).await.unwrap();
    }
    for omit_blobs in [false, true] {
        let request = ListEntriesRequest { omit_blobs, ..listing() };
        let mut seen = 0;
        let mut page = calls.list(request.clone()).await.unwrap();
        loop {
            let bytes = prost::Message::encoded_len(&page);
            assert!(bytes <= 4 * 1024 * 1024, "a page of {bytes} bytes");
            seen += page.entries.len();
            if page.next_page_token.is_empty() {
                break;
            }
            assert!(!page.entries.is_empty());
            let page_token = page.next_page_token;
            page = calls.list(ListEntriesRequest { page_token, ..request.clone() }).await.unwrap();
        }
        assert_eq!(seen, 8, "omit_blobs: {omit_blobs}");
    }
}
