//! What the committer promises: order, all or nothing, conditions, groups.

use sha2::{Digest, Sha256};

use super::failing_engine::FailingEngine;
use super::*;

fn over_every_engine(test: impl Fn(&Store<u32>, &Recorder)) {
    let directory = tempfile::tempdir().unwrap();
    for options in [in_memory(), on_disk(&directory.path().join("data"))] {
        let recorder = Arc::new(Recorder::default());
        let store = Store::open(options, recorder.clone(), never_fatal()).unwrap();
        test(&store, &recorder);
    }
}

#[test]
fn commits_are_numbered_from_one_and_told_in_order() {
    over_every_engine(|store, recorder| {
        let writer = Writer::new(store, "user");
        assert_eq!(store.watermark(), 0);
        let answers: Vec<_> = (0..500)
            .map(|payload| {
                let operation = writer.put(&format!("entry {payload}"), b"content");
                writer.submit(Vec::new(), vec![operation], payload)
            })
            .collect();
        for (number, answer) in (1..).zip(answers) {
            let committed = answer.blocking_recv().unwrap().unwrap();
            assert_eq!(committed, Committed { commit: number });
        }
        assert_eq!(store.watermark(), 500);
        let told = recorder.told();
        assert_eq!(told, (0..500).map(|n| (u64::from(n) + 1, n)).collect::<Vec<_>>());
        let record = writer.read("entry 41").unwrap();
        assert_eq!(record.content, b"content");
        assert_eq!(record.header.commit, 42);
    });
}

#[test]
fn a_proposal_whose_condition_fails_changes_nothing() {
    over_every_engine(|store, recorder| {
        let writer = Writer::new(store, "user");
        writer.commit(Vec::new(), vec![writer.put("there", b"1")]).unwrap();
        let digest = |text: &[u8]| Sha256::digest(text).into();
        let stored = store.get(&writer.key("there")).unwrap().unwrap();
        let there = || writer.key("there");
        let missing = || writer.key("missing");
        let cases = [
            (Condition::Absent(there()), false),
            (Condition::Absent(missing()), true),
            (Condition::Exists(there()), true),
            (Condition::Exists(missing()), false),
            (Condition::ValueIs(there(), digest(&stored)), true),
            (Condition::ValueIs(there(), digest(b"other")), false),
            (Condition::ValueIs(missing(), digest(b"")), false),
        ];
        for (position, (condition, holds)) in cases.into_iter().enumerate() {
            let before = store.watermark();
            let name = format!("case {position}");
            // The first condition holds, so that the answer must name the second.
            let conditions = vec![Condition::Exists(there()), condition];
            let result = writer.commit(conditions, vec![writer.put(&name, b"new")]);
            assert_eq!(writer.read(&name).is_some(), holds, "{name}");
            if holds {
                assert_eq!(result.unwrap(), before + 1);
            } else {
                assert!(matches!(result, Err(CommitError::Conflict { condition: 1 })));
                assert_eq!(store.watermark(), before);
            }
        }
        assert_eq!(recorder.told().len() as u64, store.watermark());
    });
}

#[test]
fn proposals_of_one_group_see_each_other() {
    let engine = FailingEngine::new();
    let recorder = Arc::new(Recorder::default());
    let store = Store::over(engine.clone(), recorder.clone(), never_fatal()).unwrap();
    let writer = Writer::new(&store, "user");
    engine.hold();
    let first = writer.submit(Vec::new(), vec![writer.put("other", b"")], 0);
    engine.wait_until_held();
    // All of these wait for the first, so they become one group.
    let absent = || vec![Condition::Absent(writer.key("entry"))];
    let exists = || vec![Condition::Exists(writer.key("entry"))];
    let answers = [
        writer.submit(exists(), vec![writer.put("never", b"")], 1),
        writer.submit(absent(), vec![writer.put("entry", b"a")], 2),
        writer.submit(absent(), vec![writer.put("entry", b"b")], 3),
        writer.submit(exists(), vec![writer.delete("entry")], 4),
        writer.submit(exists(), vec![writer.put("never", b"")], 5),
        writer.submit(absent(), vec![writer.put("entry", b"c")], 6),
    ];
    engine.let_go();
    first.blocking_recv().unwrap().unwrap();
    let commits = answers.map(|answer| match answer.blocking_recv().unwrap() {
        Ok(Committed { commit }) => Some(commit),
        Err(CommitError::Conflict { condition: 0 }) => None,
        Err(error) => panic!("{error}"),
    });
    assert_eq!(commits, [None, Some(2), None, Some(3), None, Some(4)]);
    assert_eq!(engine.applies(), 2);
    assert_eq!(recorder.told(), [(1, 0), (2, 2), (3, 4), (4, 6)]);
    assert_eq!(writer.read("entry").unwrap().content, b"c");
    assert_eq!(writer.read("entry").unwrap().header.commit, 4);
    assert!(writer.read("never").is_none());
}

#[test]
fn a_group_is_bounded_and_a_large_proposal_goes_alone() {
    let engine = FailingEngine::new();
    let store = Store::over(engine.clone(), Arc::new(Recorder::default()), never_fatal()).unwrap();
    let writer = Writer::new(&store, "user");
    let content = vec![7; store.max_record_bytes()];
    let large = || {
        let rows = MAX_GROUP_BYTES / MAX_VALUE_BYTES + 1;
        (0..rows).map(|row| writer.put(&format!("row {row}"), &content)).collect()
    };
    engine.hold();
    let mut answers = vec![writer.submit(Vec::new(), Vec::new(), 0)];
    engine.wait_until_held();
    for payload in 0..MAX_GROUP_PROPOSALS + 1 {
        let operation = writer.put(&payload.to_string(), b"small");
        answers.push(writer.submit(Vec::new(), vec![operation], 0));
    }
    answers.push(writer.submit(Vec::new(), large(), 0));
    answers.push(writer.submit(Vec::new(), Vec::new(), 0));
    engine.let_go();
    for answer in answers {
        answer.blocking_recv().unwrap().unwrap();
    }
    // The held one; 256 small ones; the last small one; the large one; the empty one.
    assert_eq!(engine.applies(), 5);
}

#[test]
fn a_proposal_over_a_limit_is_refused_without_hurting_others() {
    over_every_engine(|store, _| {
        let writer = Writer::new(store, "user");
        let largest = vec![7; store.max_record_bytes()];
        let larger = vec![7; store.max_record_bytes() + 1];
        let refused = writer.submit(Vec::new(), vec![writer.put("entry", &larger)], 0);
        let taken = writer.submit(Vec::new(), vec![writer.put("entry", &largest)], 0);
        assert!(matches!(
            refused.blocking_recv().unwrap(),
            Err(CommitError::TooLarge { what: LimitKind::Value, bytes, limit: MAX_VALUE_BYTES })
                if bytes == MAX_VALUE_BYTES + 1
        ));
        assert_eq!(taken.blocking_recv().unwrap().unwrap().commit, 1);
        assert_eq!(writer.read("entry").unwrap().content, largest);
    });
}

#[test]
fn everything_is_there_after_reopening() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    for round in 0..4_u64 {
        let store =
            Store::open(on_disk(&data), Arc::new(Recorder::default()), never_fatal()).unwrap();
        assert_eq!(store.watermark(), round * 2);
        let writer = Writer::new(&store, "user");
        for earlier in 0..round {
            let record = writer.read(&format!("round {earlier}")).unwrap();
            assert_eq!(record.content, earlier.to_string().as_bytes());
        }
        assert!(writer.read("transient").is_none());
        let rows = store.scan(&KeyRange::everything(), 100).unwrap();
        assert_eq!(rows.len() as u64, round);
        let name = format!("round {round}");
        let operations =
            vec![writer.put(&name, round.to_string().as_bytes()), writer.put("transient", b"")];
        writer.commit(Vec::new(), operations).unwrap();
        writer.commit(Vec::new(), vec![writer.delete("transient")]).unwrap();
    }
}

#[test]
fn dropping_the_last_handle_finishes_what_waits() {
    let directory = tempfile::tempdir().unwrap();
    let options = on_disk(&directory.path().join("data"));
    let open_store =
        || Store::open(options.clone(), Arc::new(Recorder::default()), never_fatal()).unwrap();
    let store = open_store();
    let writer = Writer::new(&store, "user");
    let answers: Vec<_> = (0..300)
        .map(|number| {
            let operation = writer.put(&number.to_string(), b"");
            writer.submit(Vec::new(), vec![operation], number)
        })
        .collect();
    drop((writer, store));
    for answer in answers {
        answer.blocking_recv().unwrap().unwrap();
    }
    assert_eq!(open_store().watermark(), 300);
}

#[test]
fn after_shutdown_reads_work_and_writes_are_refused() {
    over_every_engine(|store, _| {
        let writer = Writer::new(store, "user");
        writer.commit(Vec::new(), vec![writer.put("entry", b"content")]).unwrap();
        store.shutdown();
        store.shutdown();
        let refused = writer.commit(Vec::new(), vec![writer.delete("entry")]);
        assert!(matches!(refused, Err(CommitError::Unavailable)));
        assert_eq!(writer.read("entry").unwrap().content, b"content");
        assert!(!store.is_failed());
    });
}

#[test]
fn a_full_queue_refuses_but_never_starves() {
    let key = StorageKey::entry(&UserKey([1; 24]), &ScopeDigest([2; 16]), &EntryDigest([3; 16]));
    let bytes = key.as_bytes().len();
    let waiting = |rows: usize| queue::Waiting {
        proposal: Proposal {
            conditions: Vec::new(),
            operations: vec![Operation::Delete { key: key.clone() }; rows],
            payload: rows,
        },
        answer: oneshot::channel().0,
    };
    let queue = queue::Queue::new(10 * bytes);
    let taken = || {
        let group = queue.take_group().unwrap();
        group.iter().map(|waiting| waiting.proposal.payload).collect::<Vec<_>>()
    };
    assert!(queue.add(waiting(6)).is_ok());
    assert!(queue.add(waiting(4)).is_ok());
    assert!(matches!(queue.add(waiting(1)), Err(queue::Refused::Full(_))));
    assert_eq!(taken(), [6, 4]);
    // Larger than the whole queue, but alone.
    assert!(queue.add(waiting(11)).is_ok());
    assert!(matches!(queue.add(waiting(0)), Err(queue::Refused::Full(_))));
    queue.close();
    assert!(matches!(queue.add(waiting(1)), Err(queue::Refused::Closed(_))));
    assert_eq!(taken(), [11]);
    assert!(queue.take_group().is_none());
}

#[test]
fn a_write_that_hangs_shows() {
    let engine = FailingEngine::new();
    let store = Store::over(engine.clone(), Arc::new(Recorder::default()), never_fatal()).unwrap();
    let writer = Writer::new(&store, "user");
    engine.hold();
    let answer = writer.submit(Vec::new(), Vec::new(), 0);
    engine.wait_until_held();
    std::thread::sleep(Duration::from_millis(5));
    assert!(store.parts.committer.writing_for() >= Duration::from_millis(5));
    store.health().unwrap();
    engine.let_go();
    answer.blocking_recv().unwrap().unwrap();
    assert_eq!(store.parts.committer.writing_for(), Duration::ZERO);
}
