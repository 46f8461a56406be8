//! Section 1: no two identifier tuples share a key, whatever characters they are made of.

use std::collections::{BTreeMap, BTreeSet};

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::harness::{Calls, Place, TestServer, said, texts};

/// Tuples tried, in sets of up to [`MOST_TUPLES`].
const CASES: u32 = 60;
const MOST_TUPLES: usize = 10;

/// App, user, project, session.
type Names = (String, String, Option<String>, String);

/// Short names of characters that separators, escapes, patterns and orders stumble over.
fn hostile_name() -> impl Strategy<Value = String> {
    let atoms = prop::sample::select(vec![
        ":", "/", "\\", "\"", "%3A", "..", "\u{1}", "\u{FFFF}", "\u{E9}", "e\u{301}", "a", "ab",
        "|", " ", "%", "*",
    ]);
    prop::collection::vec(atoms, 1..=3).prop_map(|atoms| atoms.concat())
}

fn names() -> impl Strategy<Value = Names> {
    (hostile_name(), hostile_name(), prop::option::of(hostile_name()), hostile_name())
}

/// Tuples that share most of their names with one another.
fn tuples() -> impl Strategy<Value = BTreeSet<Names>> {
    (names(), prop::collection::btree_set((names(), 0_u8..16), 1..MOST_TUPLES)).prop_map(
        |(base, others)| {
            let mixed = others.into_iter().map(|((app, user, project, session), keep)| {
                let pick = |bit: u8| keep & bit != 0;
                (
                    if pick(1) { base.0.clone() } else { app },
                    if pick(2) { base.1.clone() } else { user },
                    if pick(4) { base.2.clone() } else { project },
                    if pick(8) { base.3.clone() } else { session },
                )
            });
            mixed.chain([base.clone()]).collect()
        },
    )
}

#[test]
fn headroom_2231_distinct_identifiers_never_share_a_key() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::start(StoreKind::Memory));
    let calls = runtime.block_on(server.calls());
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&tuples(), |tuples| {
            runtime.block_on(check(&calls, &tuples));
            Ok(())
        })
        .unwrap();
}

/// Puts an entry at each tuple, all of the same text but for the tuple's number, and reads each back.
async fn check(calls: &Calls, tuples: &BTreeSet<Names>) {
    let mut users: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (number, (app, user, project, session)) in tuples.iter().enumerate() {
        let place = Place { app, user, project: project.as_deref() };
        let entry = vec![said(&number.to_string())];
        let answer = calls.add_session(place.session(session, entry)).await.unwrap();
        assert_eq!(answer.results[0].outcome(), Outcome::Created, "{tuples:?}");
        *users.entry((app, user)).or_default() += 1;
    }
    for (app, user, project, session) in tuples {
        let place = Place { app, user, project: project.as_deref() };
        let filter = EntryFilter { session_ids: vec![session.clone()], ..EntryFilter::default() };
        let list = ListEntriesRequest { filter: Some(filter), ..place.listing() };
        let mut listed = texts(&calls.list_all(list).await.unwrap());
        listed.sort();
        let mut expected: Vec<_> = tuples
            .iter()
            .enumerate()
            .filter(|(_, other)| {
                let in_sight = other.2.is_none() || other.2 == *project;
                (&other.0, &other.1, &other.3) == (app, user, session) && in_sight
            })
            .map(|(number, _)| number.to_string())
            .collect();
        expected.sort();
        assert_eq!(listed, expected, "{tuples:?}");
    }
    for ((app, user), entries) in users {
        assert_eq!(calls.delete_user(app, user).await.unwrap(), entries, "{tuples:?}");
    }
}
