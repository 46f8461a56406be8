//! What any read shows of a place.

use memoryd_proto::trailers;
use memoryd_proto::v1::*;
use tonic::Code;

use super::{Calls, Place};

/// The outcomes of an addition, in order.
pub(crate) fn outcomes(results: &[EntryResult]) -> Vec<Outcome> {
    results.iter().map(EntryResult::outcome).collect()
}

/// The ids of an addition, in order.
pub(crate) fn result_ids(results: &[EntryResult]) -> Vec<String> {
    results.iter().map(|result| result.entry_id.clone()).collect()
}

/// The ids of entries, in order.
pub(crate) fn ids(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.entry_id.as_str()).collect()
}

/// The texts that a place lists, sorted.
pub(crate) async fn listed(calls: &Calls, place: Place<'_>) -> Vec<String> {
    let mut texts = super::texts(&calls.list_all(place.listing()).await.unwrap());
    texts.sort();
    texts
}

/// The texts that a place finds by a word, sorted.
pub(crate) async fn found(calls: &Calls, place: Place<'_>, word: &str) -> Vec<String> {
    let mut texts = calls.search(place.query(word)).await.unwrap().texts();
    texts.sort();
    texts
}

/// Asserts that no read and no count of a place tells of these entries, all of which hold `word`.
pub(crate) async fn assert_no_trace(calls: &Calls, place: Place<'_>, word: &str, ids: &[String]) {
    let listed = calls.list_all(place.listing()).await.unwrap();
    assert!(listed.iter().all(|entry| !ids.contains(&entry.entry_id)), "listed: {listed:?}");
    for mode in [SearchMode::Hybrid, SearchMode::Lexical] {
        let request = SearchRequest { mode: mode.into(), context: 5, ..place.query(word) };
        let found = calls.search(request).await.unwrap();
        assert_eq!(found.hits, [], "{mode:?} finds what is gone");
        assert_eq!(found.count(trailers::MATCHED), 0);
        assert_eq!(found.count(trailers::CONSIDERED), listed.len() as u64);
    }
    for id in ids {
        let status = calls.get(place.get(id)).await.unwrap_err();
        assert_eq!(status.code(), Code::NotFound, "{status:?}");
    }
    if !ids.is_empty() {
        let by_ids = DeleteEntriesRequest { dry_run: true, ..place.deletion_of(ids) };
        assert_eq!(calls.delete_entries(by_ids).await.unwrap(), DeleteEntriesResponse::default());
    }
    let by_word = DeleteEntriesRequest { dry_run: true, ..place.deletion(word) };
    assert_eq!(calls.delete_entries(by_word).await.unwrap(), DeleteEntriesResponse::default());
}
