//! `kill -9` while eight clients write: nothing that was answered is lost, nothing is there in part.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::{InlineData, Part};
use tonic::transport::Channel;

use crate::program::{Program, everything, session};

const WRITERS: usize = 8;
/// Entries of a call. One of them is too large for one row of the store.
const ENTRIES: usize = 4;
const LARGE_BYTES: usize = 20_000;

/// What a writer knows of its calls when the server is gone.
struct Written {
    answered: BTreeSet<String>,
    begun: BTreeSet<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agentmemory_843_kill_9_while_writing_loses_no_answered_call_and_tears_none() {
    let kills = std::env::var("MEMORYD_TEST_KILLS").map_or(20, |kills| kills.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut calls = 0;
    let mut users = BTreeMap::new();
    for kill in 0..kills {
        let program = Program::start(&data_dir).await;
        // Two kills in a row hit the same user: what the first left behind is written on.
        let user = format!("user {}", kill / 2);
        let mut writers = Vec::new();
        for writer in 0..WRITERS {
            let (client, user) = (program.client().await, user.clone());
            writers.push(tokio::spawn(write(client, user, format!("{kill}-{writer}"))));
        }
        tokio::time::sleep(Duration::from_millis(fastrand::u64(20..250))).await;
        program.kill().await;
        let known: &mut Written = users
            .entry(user.clone())
            .or_insert_with(|| Written { answered: BTreeSet::new(), begun: BTreeSet::new() });
        for writer in writers {
            let Written { answered, begun } = writer.await.unwrap();
            calls += answered.len();
            known.answered.extend(answered);
            known.begun.extend(begun);
        }
        let program = Program::start(&data_dir).await;
        check(&mut program.client().await, &user, &users[&user]).await;
        // Half of the time the next writers follow a clean stop, half of the time another kill.
        if kill % 2 == 0 {
            assert!(program.terminate().await.success());
        } else {
            program.kill().await;
        }
    }
    let program = Program::start(&data_dir).await;
    for (user, written) in &users {
        check(&mut program.client().await, user, written).await;
    }
    assert!(calls > kills * WRITERS, "too few calls were answered to mean anything: {calls}");
    eprintln!("{kills} kills, {calls} answered calls, 0 lost, 0 torn");
}

/// Writes sessions one after the other until the server is gone.
async fn write(mut client: MemoryServiceClient<Channel>, user: String, name: String) -> Written {
    let mut written = Written { answered: BTreeSet::new(), begun: BTreeSet::new() };
    for number in 0.. {
        let id = format!("{name}-{number}");
        let texts: Vec<String> = (0..ENTRIES).map(|entry| format!("{id} says {entry}")).collect();
        let mut request = session(&user, &id, &texts);
        let blob = InlineData { data: vec![7; LARGE_BYTES].into(), ..InlineData::default() };
        let part = Part { kind: Some(Kind::InlineData(blob)), extra_json: None };
        request.entries[ENTRIES - 1].content.as_mut().unwrap().parts.push(part);
        written.begun.insert(id.clone());
        if client.add_session(request).await.is_err() {
            break;
        }
        written.answered.insert(id);
    }
    written
}

async fn check(client: &mut MemoryServiceClient<Channel>, user: &str, written: &Written) {
    let Written { answered, begun } = written;
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (session, text) in everything(client, user).await {
        assert!(text.starts_with(&format!("{session} says ")));
        *found.entry(session).or_default() += 1;
    }
    for session in answered {
        assert!(found.contains_key(session), "an answered call is lost: {session}");
    }
    for (session, entries) in found {
        assert_eq!(entries, ENTRIES, "a call is torn: {session}");
        assert!(begun.contains(&session), "a call that nobody made: {session}");
    }
}
