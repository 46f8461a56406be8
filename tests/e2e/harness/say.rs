//! Short ways to say common requests. Where a test doesn't care, the app is "app" and the user "user".

use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use prost_types::Timestamp;

/// An entry of one text part, said at a fixed time.
pub(crate) fn said(text: &str) -> NewEntry {
    NewEntry { timestamp: Some(at(1_700_000_000)), ..new_entry(text) }
}

/// An entry of one text part without a time.
pub(crate) fn new_entry(text: &str) -> NewEntry {
    let part = Part { kind: Some(Kind::Text(text.into())), extra_json: None };
    NewEntry {
        content: Some(Content { role: "user".into(), parts: vec![part] }),
        author: "user".into(),
        ..NewEntry::default()
    }
}

/// An entry with an id of the caller's.
pub(crate) fn named(id: &str, text: &str) -> NewEntry {
    NewEntry { entry_id: Some(id.into()), ..said(text) }
}

/// An entry said so many seconds after the usual time.
pub(crate) fn said_after(seconds: i64, text: &str) -> NewEntry {
    NewEntry { timestamp: Some(at(1_700_000_000 + seconds)), ..new_entry(text) }
}

pub(crate) fn at(seconds: i64) -> Timestamp {
    Timestamp { seconds, nanos: 0 }
}

/// The text parts of an entry, joined by "|".
pub(crate) fn text_of(entry: &Entry) -> String {
    let parts = entry.content.iter().flat_map(|content| &content.parts);
    let texts = parts.filter_map(|part| match &part.kind {
        Some(Kind::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("|")
}

pub(crate) fn texts(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(text_of).collect()
}

/// A session of the global scope of "user" in "app".
pub(crate) fn session(id: &str, entries: Vec<NewEntry>) -> AddSessionRequest {
    AddSessionRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        session_id: id.into(),
        entries,
        ..AddSessionRequest::default()
    }
}

/// A search in the global scope of "user" in "app" that takes all hits.
pub(crate) fn query(text: &str) -> SearchRequest {
    SearchRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        query: text.into(),
        limit: Some(u32::MAX),
        ..SearchRequest::default()
    }
}

/// A listing of the global scope of "user" in "app".
pub(crate) fn listing() -> ListEntriesRequest {
    ListEntriesRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        page_size: 1_000,
        ..ListEntriesRequest::default()
    }
}

/// A deletion by words in the global scope of "user" in "app".
pub(crate) fn deletion(text: &str) -> DeleteEntriesRequest {
    DeleteEntriesRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        query: Some(text.into()),
        ..DeleteEntriesRequest::default()
    }
}
