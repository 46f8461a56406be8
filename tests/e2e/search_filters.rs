//! Filters of a search: each narrows, values of one are alternatives, all apply before the limit
//! (contract, section 5).

use memoryd_proto::trailers::{CONSIDERED, MATCHED};
use memoryd_proto::v1::*;

use crate::harness::{Calls, TestServer, at, new_entry, query, session};

crate::on_every_store!(
    redis_agent_memory_server_156_every_filter_with_none_one_and_many_values,
    redis_agent_memory_server_156_conditions_on_metadata,
    s5_filters_narrow_together_and_before_the_limit,
    s5_metadata_of_large_entries_is_filtered_as_well,
);

const START: i64 = 1_700_000_000;

/// A common word, and a name to know the entry by.
fn entry(name: &str, author: &str, second: i64, metadata: Option<&str>) -> NewEntry {
    NewEntry {
        author: author.into(),
        timestamp: Some(at(START + second)),
        metadata_json: metadata.map(Into::into),
        entry_id: Some(name.into()),
        ..new_entry(&format!("common {name}"))
    }
}

/// Ids of the hits under a filter, sorted; the counts must say the same.
async fn found(calls: &Calls, filter: EntryFilter) -> Vec<String> {
    let request = SearchRequest { filter: Some(filter), ..query("common") };
    let result = calls.search(request).await.unwrap();
    let mut ids: Vec<String> = result.entries().into_iter().map(|entry| entry.entry_id).collect();
    ids.sort();
    // Every entry holds the word, so what is considered is what passes.
    let count = ids.len() as u64;
    assert_eq!((result.count(CONSIDERED), result.count(MATCHED)), (count, count));
    ids
}

fn strings(values: &[&str]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

async fn redis_agent_memory_server_156_every_filter_with_none_one_and_many_values(
    server: TestServer,
) {
    let calls = server.calls().await;
    for (id, entries) in [
        ("s", vec![entry("s0", "ann", 0, None), entry("s1", "bob", 10, None)]),
        ("s2", vec![entry("t0", "ann", 20, None), entry("t1", "ann.b", 30, None)]),
        ("S", vec![entry("u0", "", 40, None)]),
    ] {
        calls.add_session(session(id, entries)).await.unwrap();
    }
    let direct = AddEntriesRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        entries: vec![entry("d0", "Ann", 50, None)],
        ..AddEntriesRequest::default()
    };
    calls.add_entries(direct).await.unwrap();
    let all = ["d0", "s0", "s1", "t0", "t1", "u0"];

    for (sessions, expected) in [
        (&[][..], &all[..]),
        (&["s"], &["s0", "s1"]),
        (&["S", "s2"], &["t0", "t1", "u0"]),
        (&["s", "s", "unknown"], &["s0", "s1"]),
        (&["unknown"], &[]),
    ] {
        let filter = EntryFilter { session_ids: strings(sessions), ..EntryFilter::default() };
        assert_eq!(found(&calls, filter).await, expected, "sessions {sessions:?}");
    }
    for (authors, expected) in [
        (&[][..], &all[..]),
        (&["ann"], &["s0", "t0"]),
        (&["ann", "Ann", "bob"], &["d0", "s0", "s1", "t0"]),
        (&[""], &["u0"]),
        (&["ann%", "*"], &[]),
    ] {
        let filter = EntryFilter { authors: strings(authors), ..EntryFilter::default() };
        assert_eq!(found(&calls, filter).await, expected, "authors {authors:?}");
    }
    for (start, end, expected) in [
        (None, None, &all[..]),
        (Some(20), None, &["d0", "t0", "t1", "u0"]),
        (None, Some(20), &["s0", "s1"]),
        (Some(10), Some(30), &["s1", "t0"]),
        (Some(10), Some(10), &[]),
        (Some(30), Some(10), &[]),
    ] {
        let time = |second: Option<i64>| second.map(|second| at(START + second));
        let filter =
            EntryFilter { start_time: time(start), end_time: time(end), ..EntryFilter::default() };
        assert_eq!(found(&calls, filter).await, expected, "{start:?} to {end:?}");
    }
    // A nanosecond decides.
    let start_time = Some(prost_types::Timestamp { seconds: START + 40, nanos: 1 });
    let filter = EntryFilter { start_time, ..EntryFilter::default() };
    assert_eq!(found(&calls, filter).await, ["d0"]);
}

async fn redis_agent_memory_server_156_conditions_on_metadata(server: TestServer) {
    let calls = server.calls().await;
    let entries = [
        ("m0", Some(r#"{"topic":"food","stars":1}"#)),
        ("m1", Some(r#"{"topic":"travel","stars":1.0,"tags":["a","b"]}"#)),
        ("m2", Some(r#"{"topic":null,"nested":{"topic":"food","x":1}}"#)),
        ("m3", Some(r#"{"topic":"Food","stars":"1","big":9007199254740993}"#)),
        ("m4", Some("{}")),
        ("m5", None),
    ];
    let entries = entries.map(|(name, metadata)| entry(name, "", 0, metadata)).to_vec();
    calls.add_session(session("s", entries)).await.unwrap();
    for (conditions, expected) in [
        (&[][..], &["m0", "m1", "m2", "m3", "m4", "m5"][..]),
        // No values: the member exists, whatever its value.
        (&[("topic", &[][..])], &["m0", "m1", "m2", "m3"]),
        (&[("x", &[])], &[]),
        (&[("topic", &["\"food\""])], &["m0"]),
        (&[("topic", &["\"food\"", "\"travel\"", "\"unknown\""])], &["m0", "m1"]),
        (&[("topic", &["null"])], &["m2"]),
        (&[("topic", &[" \"\\u0066ood\" "])], &["m0"]),
        // Numbers by value within integers and within fractions; texts aren't numbers.
        (&[("stars", &["1"])], &["m0"]),
        (&[("stars", &["1.00", "10e-1"])], &["m1"]),
        (&[("stars", &["\"1\""])], &["m3"]),
        (&[("big", &["9007199254740993"])], &["m3"]),
        (&[("big", &["9007199254740992"])], &[]),
        (&[("tags", &["[\"a\", \"b\"]"])], &["m1"]),
        (&[("tags", &["\"a\"", "[\"b\",\"a\"]"])], &[]),
        (&[("nested", &["{\"x\":1,\"topic\":\"food\"}"])], &["m2"]),
        (&[("nested.topic", &[])], &[]),
        // Every condition must hold.
        (&[("topic", &["\"food\"", "\"Food\""]), ("stars", &["\"1\""])], &["m3"]),
        (&[("topic", &["\"food\""]), ("topic", &["\"travel\""])], &[]),
    ] {
        let metadata = conditions
            .iter()
            .map(|(key, values)| MetadataCondition {
                key: (*key).into(),
                values_json: strings(values),
            })
            .collect();
        let filter = EntryFilter { metadata, ..EntryFilter::default() };
        assert_eq!(found(&calls, filter).await, expected, "{conditions:?}");
    }
}

async fn s5_filters_narrow_together_and_before_the_limit(server: TestServer) {
    let calls = server.calls().await;
    // What passes the filter is the worst match of all, behind hundreds of better ones.
    let good = |number: i64| NewEntry {
        metadata_json: Some(r#"{"kind":"noise"}"#.into()),
        ..entry("common common", "ann", number, None)
    };
    let entries =
        (0..300).map(|number| NewEntry { entry_id: Some(format!("g{number}")), ..good(number) });
    calls.add_session(session("noise", entries.collect())).await.unwrap();
    let wanted = NewEntry {
        content: new_entry("common, as rare as it may be among all of these other words").content,
        ..entry("wanted", "bob", 150, Some(r#"{"kind":"signal"}"#))
    };
    calls.add_session(session("signal", vec![wanted])).await.unwrap();

    let author = EntryFilter { authors: strings(&["bob"]), ..EntryFilter::default() };
    let of_session = EntryFilter { session_ids: strings(&["signal"]), ..EntryFilter::default() };
    let condition = MetadataCondition { key: "kind".into(), values_json: strings(&["\"signal\""]) };
    let metadata = EntryFilter { metadata: vec![condition], ..EntryFilter::default() };
    let together = EntryFilter {
        start_time: Some(at(START + 150)),
        end_time: Some(at(START + 151)),
        authors: author.authors.clone(),
        session_ids: of_session.session_ids.clone(),
        metadata: metadata.metadata.clone(),
    };
    for filter in [author, of_session, metadata, together] {
        let request =
            SearchRequest { filter: Some(filter.clone()), limit: Some(1), ..query("common") };
        let result = calls.search(request).await.unwrap();
        assert_eq!(result.entries()[0].entry_id, "wanted", "{filter:?}");
        assert_eq!((result.count(CONSIDERED), result.count(MATCHED)), (1, 1), "{filter:?}");
    }
    let between = EntryFilter {
        start_time: Some(at(START + 150)),
        end_time: Some(at(START + 151)),
        ..EntryFilter::default()
    };
    assert_eq!(found(&calls, between).await, ["g150", "wanted"]);
}

async fn s5_metadata_of_large_entries_is_filtered_as_well(server: TestServer) {
    let calls = server.calls().await;
    let large = |name: &str, metadata: &str| NewEntry {
        content: new_entry(&format!("common {}", "padding ".repeat(5_000))).content,
        ..entry(name, "", 0, Some(metadata))
    };
    let padded = format!(r#"{{"a":1,"padding":"{}"}}"#, "x".repeat(60_000));
    let entries = vec![large("one", r#"{"a":1}"#), large("two", r#"{"a":2}"#)];
    calls.add_session(session("s", entries)).await.unwrap();
    calls.add_session(session("s", vec![entry("three", "", 0, Some(&padded))])).await.unwrap();
    let condition = MetadataCondition { key: "a".into(), values_json: strings(&["1"]) };
    let filter = EntryFilter { metadata: vec![condition], ..EntryFilter::default() };
    assert_eq!(found(&calls, filter).await, ["one", "three"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn velesdb_1040_filters_see_all_of_ten_thousand_entries() {
    let server = TestServer::start(memoryd::StoreKind::Memory).await;
    let calls = server.calls().await;
    let authors = ["ann", "bob", "cyd", "dan"];
    for batch in 0..10_i64 {
        let entries = (batch * 1_000..(batch + 1) * 1_000).map(|number| {
            let author = authors[usize::try_from(number).unwrap() % authors.len()];
            entry(&format!("n{number}"), author, number, None)
        });
        calls.add_session(session("s", entries.collect())).await.unwrap();
    }
    let filter = EntryFilter {
        authors: strings(&["cyd"]),
        start_time: Some(at(START + 2_000)),
        end_time: Some(at(START + 6_000)),
        ..EntryFilter::default()
    };
    let mut expected: Vec<String> =
        (2_000..6_000).skip(2).step_by(4).map(|number| format!("n{number}")).collect();
    expected.sort();
    assert_eq!(expected.len(), 1_000);
    assert_eq!(found(&calls, filter).await, expected);
}
