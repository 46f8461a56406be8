//! Tests of the store through its own doors; every engine passes the same suite.

mod commits;
mod data_directory;
pub(crate) mod failing_engine;
mod failures;
mod key_order;
mod key_slots;
mod keyspace_suite;
mod model;
mod sealing;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::*;

/// Remembers what it was told.
#[derive(Default)]
pub(super) struct Recorder {
    told: Mutex<Vec<(u64, u32)>>,
}

impl CommitListener<u32> for Recorder {
    fn committed(&self, commit: u64, payload: u32) {
        self.told.lock().push((commit, payload));
    }
}

impl Recorder {
    fn told(&self) -> Vec<(u64, u32)> {
        self.told.lock().clone()
    }
}

/// A hook for stores that must not fail.
fn never_fatal() -> FatalHook {
    Box::new(|failure| panic!("the store failed: {failure}"))
}

fn on_disk(directory: &Path) -> StoreOptions {
    StoreOptions {
        engine: Engine::Sled { directory: directory.to_owned(), cache_bytes: 16 * 1024 * 1024 },
        durability: Durability::Always,
    }
}

fn in_memory() -> StoreOptions {
    StoreOptions { engine: Engine::Memory, durability: Durability::Always }
}

/// A user of a store with their key, for writing rows in few words.
struct Writer {
    store: Store<u32>,
    user: UserKey,
    scope: ScopeDigest,
}

impl Writer {
    fn new(store: &Store<u32>, user_id: &str) -> Self {
        Self {
            store: store.clone(),
            user: store.digester().user("app", user_id),
            scope: store.digester().scope("app", user_id, None),
        }
    }

    fn key(&self, entry_id: &str) -> StorageKey {
        let entry = self.store.digester().entry(&self.user, &self.scope, entry_id);
        StorageKey::entry(&self.user, &self.scope, &entry)
    }

    fn put(&self, entry_id: &str, content: &[u8]) -> Operation {
        let key = self.key(entry_id);
        let data_key = self.store.key_ring().ensure(&self.user).unwrap();
        let sealed = seal(&data_key, &key, RecordType::Entry, content).unwrap();
        Operation::Put { key, sealed }
    }

    fn delete(&self, entry_id: &str) -> Operation {
        Operation::Delete { key: self.key(entry_id) }
    }

    fn submit(
        &self,
        conditions: Vec<Condition>,
        operations: Vec<Operation>,
        payload: u32,
    ) -> oneshot::Receiver<Result<Committed, CommitError>> {
        self.store.submit(Proposal { conditions, operations, payload })
    }

    fn commit(
        &self,
        conditions: Vec<Condition>,
        operations: Vec<Operation>,
    ) -> Result<u64, CommitError> {
        let answer = self.submit(conditions, operations, 0);
        answer.blocking_recv().unwrap().map(|Committed { commit }| commit)
    }

    fn read(&self, entry_id: &str) -> Option<OpenedRecord> {
        let key = self.key(entry_id);
        let stored = self.store.get(&key).unwrap()?;
        let data_key = self.store.key_ring().data_key(&self.user).unwrap().unwrap();
        Some(open(&data_key, key.as_bytes(), &stored).unwrap())
    }
}
