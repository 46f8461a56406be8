//! Engines that fail: everyone is told, nothing is half done, nothing is retried.

use super::failing_engine::{FailingEngine, Fault};
use super::*;

struct Failing {
    engine: Arc<FailingEngine>,
    recorder: Arc<Recorder>,
    store: Store<u32>,
    failures: Arc<Mutex<Vec<String>>>,
}

fn failing_store() -> Failing {
    let engine = FailingEngine::new();
    let recorder = Arc::new(Recorder::default());
    let failures = Arc::new(Mutex::new(Vec::new()));
    let hook = {
        let failures = Arc::clone(&failures);
        Box::new(move |failure: &CommitFailure| failures.lock().push(failure.to_string()))
    };
    let store = Store::over(engine.clone(), recorder.clone(), hook).unwrap();
    Failing { engine, recorder, store, failures }
}

fn is_unavailable(answer: oneshot::Receiver<Result<Committed, CommitError>>) -> bool {
    matches!(answer.blocking_recv().unwrap(), Err(CommitError::Unavailable))
}

#[test]
fn a_failed_batch_fails_its_group_and_all_that_comes_later() {
    for fault in [Fault::Error, Fault::Panic] {
        let Failing { engine, recorder, store, failures } = failing_store();
        engine.fail_at(2, fault);
        let writer = Writer::new(&store, "user");
        engine.hold();
        let good = writer.submit(Vec::new(), vec![writer.put("good", b"")], 0);
        engine.wait_until_held();
        let group = [1, 2, 3].map(|payload| {
            let operation = writer.put(&payload.to_string(), b"");
            writer.submit(Vec::new(), vec![operation], payload)
        });
        engine.let_go();
        good.blocking_recv().unwrap().unwrap();
        assert!(group.into_iter().all(is_unavailable));
        assert!(store.is_failed());
        assert!(store.health().is_err());
        let later = writer.submit(Vec::new(), vec![writer.put("later", b"")], 4);
        assert!(is_unavailable(later));
        store.shutdown();
        // The second call failed and there was no third.
        assert_eq!(engine.applies(), 2);
        assert_eq!(store.watermark(), 1);
        assert_eq!(recorder.told(), [(1, 0)]);
        assert_eq!(failures.lock().len(), 1);
        let rows = store.scan_keys(&KeyRange::everything(), 10).unwrap();
        assert_eq!(rows, [writer.key("good").into_bytes()]);
    }
}

#[test]
fn a_listener_that_panics_stops_the_store_and_leaves_nobody_without_an_answer() {
    struct Panicking;
    impl CommitListener<u32> for Panicking {
        fn committed(&self, _commit: u64, _payload: u32) {
            panic!("injected");
        }
    }
    let failures = Arc::new(Mutex::new(Vec::new()));
    let hook = {
        let failures = Arc::clone(&failures);
        Box::new(move |failure: &CommitFailure| failures.lock().push(failure.to_string()))
    };
    let store = Store::open(in_memory(), Arc::new(Panicking), hook).unwrap();
    let writer = Writer::new(&store, "user");
    assert!(is_unavailable(writer.submit(Vec::new(), Vec::new(), 0)));
    store.shutdown();
    assert_eq!(*failures.lock(), ["the committer panicked: injected"]);
}

#[test]
fn a_condition_that_cannot_be_read_refuses_only_its_proposal() {
    let Failing { engine, store, .. } = failing_store();
    let writer = Writer::new(&store, "user");
    engine.make_unreadable();
    let condition = Condition::Absent(writer.key("entry"));
    let refused = writer.commit(vec![condition], Vec::new());
    assert!(matches!(refused, Err(CommitError::Unreadable(_))));
    writer.commit(Vec::new(), vec![writer.put("entry", b"")]).unwrap();
    assert!(!store.is_failed());
}

#[test]
fn rows_without_a_commit_number_are_not_opened() {
    let engine = FailingEngine::new();
    let key = StorageKey::entry(&UserKey([1; 24]), &ScopeDigest([2; 16]), &EntryDigest([3; 16]));
    let row = Mutation::Put { key: key.into_bytes(), value: vec![0; 100] };
    engine.inner.apply(&[row]).unwrap();
    let opened = Store::<u32>::over(engine, Arc::new(Recorder::default()), never_fatal());
    assert!(matches!(opened.err(), Some(OpenError::CommitNumber(CommitNumberError::Missing))));
}

#[test]
fn a_damaged_commit_number_is_not_opened() {
    for damage in [0, 5, 12] {
        let engine = FailingEngine::new();
        let Mutation::Put { key, mut value } = commit_number::record(77) else {
            panic!("the record is written, not deleted");
        };
        engine.inner.apply(&[Mutation::Put { key: key.clone(), value: value.clone() }]).unwrap();
        assert_eq!(commit_number::read(engine.as_ref()).unwrap(), 77);
        value[damage] ^= 4;
        engine.inner.apply(&[Mutation::Put { key, value }]).unwrap();
        assert!(matches!(commit_number::read(engine.as_ref()), Err(CommitNumberError::Damaged)));
    }
}
