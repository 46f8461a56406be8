//! Section 6: a listing in pages gives each entry once, whatever is written meanwhile.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{Calls, GLOBAL, TestServer, at, error_of, ids, named, said, said_after, user};

crate::on_every_store!(
    s6_a_token_is_bound_to_its_request,
    s6_a_forged_token_is_refused,
    s6_pages_end_before_three_mebibytes_but_hold_at_least_one_entry,
    s6_filters_narrow_a_listing,
);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hermes_agent_58323_paging_through_five_thousand_entries_gives_each_once_while_others_write()
 {
    let server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    let id = |number: i64| format!("old {number:04}");
    // Half of them globally; five entries of each second, so that pages end within one.
    for half in 0..2 {
        let of = if half == 0 { GLOBAL } else { place };
        let numbers: Vec<i64> = (0..5_000).filter(|number| number % 2 == half).collect();
        for part in numbers.chunks(500) {
            let entry = |number: &i64| NewEntry {
                timestamp: Some(at(number / 5)),
                ..named(&id(*number), "walrus")
            };
            calls.add_entries(of.entries(part.iter().map(entry).collect())).await.unwrap();
        }
    }
    let stop = Arc::<AtomicBool>::default();
    let (writer, stopped) = (server.calls().await, Arc::clone(&stop));
    let writing = tokio::spawn(async move {
        let mut number = 0;
        while !stopped.load(Ordering::Relaxed) {
            number += 1;
            // Before, among and behind what is being read; and some are deleted again.
            for (of, time) in [(GLOBAL, 2_000), (place, number % 1_000), (GLOBAL, -5)] {
                let entry =
                    NewEntry { timestamp: Some(at(time)), ..said(&format!("new {number}")) };
                writer.add_entries(of.entries(vec![entry])).await.unwrap();
            }
            writer.delete_entries(place.deletion(&number.to_string())).await.unwrap();
        }
        number
    });
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut last = (i64::MAX, 0, String::new());
    let mut request = ListEntriesRequest { page_size: 130, ..place.listing() };
    loop {
        let page = calls.list(request.clone()).await.unwrap();
        for entry in &page.entries {
            let time = entry.timestamp.unwrap();
            let key = (time.seconds, time.nanos, entry.entry_id.clone());
            let in_order = (last.0, last.1) > (key.0, key.1)
                || ((last.0, last.1) == (key.0, key.1) && last.2 < key.2);
            assert!(in_order, "{key:?} after {last:?}");
            last = key;
            *seen.entry(entry.entry_id.clone()).or_default() += 1;
        }
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    stop.store(true, Ordering::Relaxed);
    assert!(writing.await.unwrap() > 1, "nothing was written meanwhile");
    assert!(seen.values().all(|times| *times == 1), "an entry came twice");
    let lost: Vec<_> = (0..5_000).map(id).filter(|id| !seen.contains_key(id)).collect();
    assert_eq!(lost, [] as [&str; 0]);
}

/// Fills two users and two projects with as many entries.
async fn fill(calls: &Calls) {
    for place in [GLOBAL, GLOBAL.in_project("p"), GLOBAL.in_project("q"), user("another")] {
        let entries = (0..10).map(|number| said_after(number, &format!("walrus {number}")));
        calls.add_session(place.session("s", entries.collect())).await.unwrap();
    }
}

async fn refused(calls: &Calls, request: ListEntriesRequest) {
    let status = calls.list(request).await.unwrap_err();
    let (code, reason, fields) = error_of(&status);
    assert_eq!((code, reason.as_str()), (Code::InvalidArgument, "INVALID_PAGE_TOKEN"));
    assert_eq!(fields, ["page_token"]);
}

async fn s6_a_token_is_bound_to_its_request(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls).await;
    let filter = |filter: EntryFilter| Some(filter);
    let of_session = EntryFilter { session_ids: vec!["s".into()], ..EntryFilter::default() };
    let request = ListEntriesRequest {
        page_size: 4,
        filter: filter(of_session.clone()),
        ..GLOBAL.in_project("p").listing()
    };
    let token = calls.list(request.clone()).await.unwrap().next_page_token;
    let token_of = |place: crate::harness::Place<'_>| ListEntriesRequest {
        page_token: token.clone(),
        filter: filter(of_session.clone()),
        ..place.listing()
    };
    let elsewhere = [
        GLOBAL,
        GLOBAL.in_project("q"),
        user("another"),
        user("another").in_project("p"),
        crate::harness::Place { app: "else", ..GLOBAL.in_project("p") },
    ];
    for place in elsewhere {
        refused(&calls, token_of(place)).await;
    }
    let time = Some(at(1_700_000_000));
    let condition = MetadataCondition { key: "k".into(), values_json: vec![] };
    for other in [
        EntryFilter::default(),
        EntryFilter { session_ids: vec!["s".into(), "t".into()], ..of_session.clone() },
        EntryFilter { authors: vec!["s".into()], ..EntryFilter::default() },
        EntryFilter { authors: vec!["user".into()], ..of_session.clone() },
        EntryFilter { start_time: time, ..of_session.clone() },
        EntryFilter { end_time: time, ..of_session.clone() },
        EntryFilter { metadata: vec![condition], ..of_session.clone() },
    ] {
        let with_token = ListEntriesRequest { page_token: token.clone(), ..request.clone() };
        refused(&calls, ListEntriesRequest { filter: Some(other), ..with_token }).await;
    }
    refused(&calls, ListEntriesRequest { omit_blobs: true, ..token_of(GLOBAL.in_project("p")) })
        .await;
    // The page size may change; nothing is lost by it.
    let first = calls.list(request.clone()).await.unwrap().entries;
    let rest = calls.list_all(token_of(GLOBAL.in_project("p"))).await.unwrap();
    let whole = calls.list_all(request).await.unwrap();
    assert_eq!([first, rest].concat(), whole);
    assert_eq!(whole.len(), 20);
}

async fn s6_a_forged_token_is_refused(server: TestServer) {
    let calls = server.calls().await;
    fill(&calls).await;
    let request = ListEntriesRequest { page_size: 4, ..GLOBAL.listing() };
    let token = calls.list(request.clone()).await.unwrap().next_page_token;
    let mut forged =
        vec!["x".to_owned(), "=".into(), "AAAA".into(), format!("{token}="), "é".into()];
    forged.extend((1..token.len().min(24)).map(|length| token[..length].to_owned()));
    // Another version, scope or binding.
    for position in 0..18 {
        let mut bytes = token.clone().into_bytes();
        bytes[position] = if bytes[position] == b'z' { b'y' } else { b'z' };
        forged.push(String::from_utf8(bytes).unwrap());
    }
    for page_token in forged {
        refused(&calls, ListEntriesRequest { page_token, ..request.clone() }).await;
    }
}

async fn s6_pages_end_before_three_mebibytes_but_hold_at_least_one_entry(server: TestServer) {
    use prost::Message;
    let calls = server.calls().await;
    let blob = |bytes| {
        let part = part::Kind::InlineData(crate::harness::parts::inline(vec![7; bytes]));
        crate::harness::parts::of_parts(vec![crate::harness::parts::part(part)])
    };
    for (number, bytes) in [700_000, 700_000, 3_500_000, 10, 10].into_iter().enumerate() {
        let timestamp = Some(at(i64::try_from(number).unwrap()));
        let entry = NewEntry { timestamp, ..blob(bytes) };
        calls.add_entries(GLOBAL.entries(vec![entry])).await.unwrap();
    }
    let mut pages = Vec::new();
    let mut request = GLOBAL.listing();
    loop {
        let page = calls.list(request.clone()).await.unwrap();
        let bytes = page.encoded_len();
        assert!(page.entries.len() == 1 || bytes <= 3 * 1024 * 1024, "{bytes}");
        pages.push(page.entries.len());
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    assert_eq!(pages, [2, 1, 2]);
}

async fn s6_filters_narrow_a_listing(server: TestServer) {
    let calls = server.calls().await;
    let entry = |id: &str, author: &str, metadata: Option<&str>| NewEntry {
        author: author.into(),
        metadata_json: metadata.map(str::to_owned),
        ..named(id, "walrus")
    };
    let first = vec![entry("1", "a", Some("{\"k\":1}")), entry("2", "b", Some("{\"k\":\"x\"}"))];
    calls.add_session(GLOBAL.session("s", first)).await.unwrap();
    calls.add_session(GLOBAL.session("t", vec![entry("3", "a", Some("{\"l\":1}"))])).await.unwrap();
    calls.add_entries(GLOBAL.entries(vec![entry("4", "", None)])).await.unwrap();
    let texts = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let with = |sessions: &[&str], authors: &[&str], values: Option<&[&str]>| EntryFilter {
        session_ids: texts(sessions),
        authors: texts(authors),
        metadata: values
            .map(|values| MetadataCondition { key: "k".into(), values_json: texts(values) })
            .into_iter()
            .collect(),
        ..EntryFilter::default()
    };
    for (filter, expected) in [
        (with(&[], &[], None), vec!["1", "2", "3", "4"]),
        (with(&["s"], &[], None), vec!["1", "2"]),
        (with(&["s", "t"], &[], None), vec!["1", "2", "3"]),
        (with(&["none"], &[], None), vec![]),
        (with(&[], &["a"], None), vec!["1", "3"]),
        (with(&[], &["a", ""], None), vec!["1", "3", "4"]),
        (with(&["s"], &["a"], None), vec!["1"]),
        (with(&[], &[], Some(&[])), vec!["1", "2"]),
        (with(&[], &[], Some(&["1"])), vec!["1"]),
        (with(&[], &[], Some(&["\"x\"", " 1 "])), vec!["1", "2"]),
        (with(&["t"], &[], Some(&["1"])), vec![]),
    ] {
        for page_size in [1, 1_000] {
            let filter = Some(filter.clone());
            let request = ListEntriesRequest { filter, page_size, ..GLOBAL.listing() };
            assert_eq!(ids(&calls.list_all(request).await.unwrap()), expected);
        }
    }
}

#[tokio::test]
async fn s6_a_token_outlives_a_restart() {
    let mut server = TestServer::start(StoreKind::Sled).await;
    let calls = server.calls().await;
    fill(&calls).await;
    let request = ListEntriesRequest { page_size: 3, ..GLOBAL.listing() };
    let whole = calls.list_all(request.clone()).await.unwrap();
    let first = calls.list(request.clone()).await.unwrap();
    server.restart().await;
    let page_token = first.next_page_token;
    let rest = ListEntriesRequest { page_token, ..request };
    let rest = server.calls().await.list_all(rest).await.unwrap();
    assert_eq!([first.entries, rest].concat(), whole);
    let distinct: HashSet<_> = ids(&whole).into_iter().collect();
    assert_eq!(distinct.len(), 10);
}
