//! Random sequences of calls, each answer compared with that of a plain model.

mod operation;
mod plain;
mod run;

use memoryd::StoreKind;
use proptest::test_runner::{Config, TestRunner};

use crate::harness::TestServer;

/// Runs sequences against one server; each has an app of its own.
fn check(store: StoreKind, cases: u32, with_restarts: bool) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(TestServer::start(store));
    let shared = std::cell::RefCell::new((server, 0_u64));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&operation::sequences(with_restarts), |operations| {
        let mut guard = shared.borrow_mut();
        let (server, case) = &mut *guard;
        *case += 1;
        runtime.block_on(run::run(server, &format!("app {case}"), &operations))
    });
    // Not Display of the error: it prints the shrunk sequence as well.
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn the_memory_store_answers_as_the_model_does() {
    check(StoreKind::Memory, 60, false);
}

#[test]
fn sled_answers_as_the_model_does_across_restarts() {
    check(StoreKind::Sled, 20, true);
}
