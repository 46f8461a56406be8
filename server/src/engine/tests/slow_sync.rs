//! A keyspace whose batches can be read before the disk has confirmed them, for as long as a test wants.

use std::sync::Arc;

use parking_lot::{Condvar, Mutex};

use crate::store::{
    ApplyError, Keyspace, KeyspaceLimits, MemoryKeyspace, Mutation, ReadError, Row,
};

/// Passes everything through; holds what was applied before it is confirmed.
#[derive(Default)]
pub(super) struct SlowSync {
    inner: MemoryKeyspace,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    held: bool,
    waiting: bool,
}

impl SlowSync {
    pub(super) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// From now on a batch is applied but not confirmed.
    pub(super) fn hold(&self) {
        self.state.lock().held = true;
    }

    /// Confirms.
    pub(super) fn release(&self) {
        *self.state.lock() = State::default();
        self.changed.notify_all();
    }

    /// Whether a batch is applied and waits to be confirmed.
    pub(super) fn is_waiting(&self) -> bool {
        self.state.lock().waiting
    }
}

impl Keyspace for SlowSync {
    fn limits(&self) -> KeyspaceLimits {
        self.inner.limits()
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        self.inner.get(key)
    }

    fn scan(&self, from: &[u8], until: &[u8], limit: usize) -> Result<Vec<Row>, ReadError> {
        self.inner.scan(from, until, limit)
    }

    fn scan_keys(
        &self,
        from: &[u8],
        until: &[u8],
        limit: usize,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        self.inner.scan_keys(from, until, limit)
    }

    fn apply(&self, batch: &[Mutation]) -> Result<(), ApplyError> {
        self.inner.apply(batch)?;
        let mut state = self.state.lock();
        while state.held {
            state.waiting = true;
            self.changed.wait(&mut state);
        }
        Ok(())
    }

    fn health(&self) -> Result<(), ApplyError> {
        self.inner.health()
    }

    fn size_on_disk(&self) -> Result<u64, ReadError> {
        self.inner.size_on_disk()
    }
}
