//! Section 3: times are the caller's, to the nanosecond, and order is the order of time.

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use prost_types::Timestamp;
use tonic::Code;

use crate::harness::{Calls, GLOBAL, TestServer, error_of, ids, named};

crate::on_every_store!(
    nowledge_mem_102_the_callers_times_are_kept_to_the_nanosecond,
    nowledge_mem_102_what_is_no_time_is_refused,
    deja_vu_1050_listing_is_in_true_time_order,
    s5_hits_of_equal_value_are_newest_first,
    s3_time_filters_are_exact_to_the_nanosecond,
);

const FIRST: Timestamp = Timestamp { seconds: -62_135_596_800, nanos: 0 };
const BEFORE_1970: Timestamp = Timestamp { seconds: -1, nanos: 999_999_999 };
const LAST: Timestamp = Timestamp { seconds: 253_402_300_799, nanos: 999_999_999 };

fn time(seconds: i64, nanos: i32) -> Timestamp {
    Timestamp { seconds, nanos }
}

fn said_at(id: &str, timestamp: Timestamp) -> NewEntry {
    NewEntry { timestamp: Some(timestamp), ..named(id, "walrus") }
}

async fn nowledge_mem_102_the_callers_times_are_kept_to_the_nanosecond(server: TestServer) {
    let calls = server.calls().await;
    let times =
        [FIRST, BEFORE_1970, time(0, 0), time(0, 1), time(1_700_000_000, 123_456_789), LAST];
    for timestamp in times {
        // Hidden from the start when it lies in the past, but never wrong.
        let entry = NewEntry { expire_time: Some(LAST), ..said_at("e", timestamp) };
        calls.add_session(GLOBAL.session("s", vec![entry])).await.unwrap();
        let got = calls.get(GLOBAL.get("e")).await.unwrap();
        assert_eq!((got.timestamp, got.expire_time), (Some(timestamp), Some(LAST)));
        assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), std::slice::from_ref(&got));
        assert_eq!(calls.search(GLOBAL.query("walrus")).await.unwrap().entries(), [got]);
    }
}

async fn nowledge_mem_102_what_is_no_time_is_refused(server: TestServer) {
    let calls = server.calls().await;
    for bad in [
        time(FIRST.seconds - 1, 999_999_999),
        time(LAST.seconds + 1, 0),
        time(i64::MIN, 0),
        time(i64::MAX, 0),
        time(0, -1),
        // A leap second: clients clamp it, the wire has no such time.
        time(1_483_228_799, 1_000_000_000),
        time(0, i32::MAX),
    ] {
        let entry = NewEntry { expire_time: Some(bad), ..said_at("e", bad) };
        let status = calls.add_session(GLOBAL.session("s", vec![entry])).await.unwrap_err();
        let (code, _, fields) = error_of(&status);
        assert_eq!(code, Code::InvalidArgument, "{bad:?}");
        assert_eq!(fields, ["entries[0].timestamp", "entries[0].expire_time"], "{bad:?}");
    }
    assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), []);
}

/// Times with and without fractions, oldest first.
const ORDERED: [Timestamp; 11] = [
    FIRST,
    Timestamp { seconds: -2, nanos: 999_999_999 },
    Timestamp { seconds: -1, nanos: 0 },
    Timestamp { seconds: -1, nanos: 1 },
    BEFORE_1970,
    Timestamp { seconds: 0, nanos: 0 },
    Timestamp { seconds: 9, nanos: 999_999_999 },
    Timestamp { seconds: 10, nanos: 0 },
    Timestamp { seconds: 10, nanos: 100_000_000 },
    Timestamp { seconds: 10, nanos: 100_000_001 },
    LAST,
];

/// The id of the entry at a place of [`ORDERED`].
fn id(position: usize) -> String {
    format!("{position:02}")
}

/// Adds an entry for each time, in an order of its own, half globally and half to a project; answers
/// their ids, newest first.
async fn add_ordered(calls: &Calls, session: Option<&str>) -> Vec<String> {
    for step in 0..ORDERED.len() {
        let position = step * 7 % ORDERED.len();
        let place = if position.is_multiple_of(2) { GLOBAL } else { GLOBAL.in_project("p") };
        let entries = vec![said_at(&id(position), ORDERED[position])];
        match session {
            Some(session) => {
                drop(calls.add_session(place.session(session, entries)).await.unwrap())
            }
            None => drop(calls.add_entries(place.entries(entries)).await.unwrap()),
        }
    }
    (0..ORDERED.len()).rev().map(id).collect()
}

async fn s5_hits_of_equal_value_are_newest_first(server: TestServer) {
    let calls = server.calls().await;
    // Without a session: in one, those in the middle have more neighbours.
    let newest_first = add_ordered(&calls, None).await;
    let hits = calls.search(GLOBAL.in_project("p").query("walrus")).await.unwrap();
    assert_eq!(ids(&hits.entries()), newest_first);
}

async fn deja_vu_1050_listing_is_in_true_time_order(server: TestServer) {
    let calls = server.calls().await;
    let newest_first = add_ordered(&calls, Some("s")).await;
    let place = GLOBAL.in_project("p");
    for page_size in [1, 3, 100] {
        let request = ListEntriesRequest { page_size, ..place.listing() };
        assert_eq!(ids(&calls.list_all(request).await.unwrap()), newest_first);
    }
    // Neighbours are oldest first.
    let global: Vec<_> = (0..ORDERED.len()).step_by(2).map(id).collect();
    let request = SearchRequest { context: 5, limit: Some(1), ..GLOBAL.query("walrus") };
    let newest = calls.search(request).await.unwrap().hits.remove(0);
    assert_eq!(ids(&newest.context_before), global[..5]);
    // Equal times go by id.
    let twins: Vec<_> = ["b", "a", "c"].map(|id| said_at(id, time(5, 5))).to_vec();
    let other = GLOBAL.in_project("twins");
    calls.add_session(other.session("s", twins)).await.unwrap();
    let listed = calls.list_all(other.listing()).await.unwrap();
    let listed: Vec<_> = listed.into_iter().filter(|entry| entry.project_id.is_some()).collect();
    assert_eq!(ids(&listed), ["a", "b", "c"]);
}

async fn s3_time_filters_are_exact_to_the_nanosecond(server: TestServer) {
    let calls = server.calls().await;
    let entries =
        ORDERED.iter().enumerate().map(|(number, time)| said_at(&number.to_string(), *time));
    calls.add_session(GLOBAL.session("s", entries.collect())).await.unwrap();
    for (first, start_time) in ORDERED.into_iter().enumerate() {
        for (end, end_time) in ORDERED.into_iter().enumerate().skip(first) {
            let filter = Some(EntryFilter {
                start_time: Some(start_time),
                end_time: Some(end_time),
                ..EntryFilter::default()
            });
            let list = ListEntriesRequest { filter: filter.clone(), ..GLOBAL.listing() };
            let listed = calls.list_all(list).await.unwrap();
            let expected: Vec<_> = (first..end).rev().map(|number| number.to_string()).collect();
            assert_eq!(ids(&listed), expected);
            let search = SearchRequest { filter, ..GLOBAL.query("walrus") };
            assert_eq!(ids(&calls.search(search).await.unwrap().entries()), expected);
        }
    }
}

#[tokio::test]
async fn s3_unset_times_are_the_servers() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let now = || Timestamp::from(std::time::SystemTime::now());
    let order = |time: &Timestamp| (time.seconds, time.nanos);
    let before = now();
    let entry = NewEntry { timestamp: None, ..named("e", "walrus") };
    calls.add_session(GLOBAL.session("s", vec![entry, said_at("old", FIRST)])).await.unwrap();
    let after = now();
    for (id, server_time) in [("e", true), ("old", false)] {
        let entry = calls.get(GLOBAL.get(id)).await.unwrap();
        let created = entry.create_time.unwrap();
        assert!(
            order(&before) <= order(&created) && order(&created) <= order(&after),
            "{created:?}"
        );
        let said = entry.timestamp.unwrap();
        assert_eq!(order(&before) <= order(&said) && order(&said) <= order(&after), server_time);
    }
}
