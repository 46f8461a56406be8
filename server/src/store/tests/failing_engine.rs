//! An engine over another one that waits, fails or panics when told to.

use parking_lot::Condvar;

use super::*;

/// What happens at a call of `apply`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    Error,
    Panic,
}

/// Passes everything through, but for what it was told.
pub(crate) struct FailingEngine {
    pub(crate) inner: MemoryKeyspace,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Calls of `apply` that were let through or failed.
    applies: u64,
    /// The call, from 1, that fails, and how; every later one passes, so that a retry would be seen.
    fault: Option<(u64, Fault)>,
    /// Calls of `apply` wait while this is set.
    held: bool,
    /// Whether a call waits.
    waiting: bool,
    /// Reads fail.
    unreadable: bool,
}

impl FailingEngine {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            inner: MemoryKeyspace::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    pub(crate) fn fail_at(&self, call: u64, fault: Fault) {
        self.state.lock().fault = Some((call, fault));
    }

    pub(crate) fn make_unreadable(&self) {
        self.state.lock().unreadable = true;
    }

    pub(crate) fn applies(&self) -> u64 {
        self.state.lock().applies
    }

    /// Makes the next call of `apply` wait.
    pub(crate) fn hold(&self) {
        self.state.lock().held = true;
    }

    /// Returns once a call of `apply` waits.
    pub(crate) fn wait_until_held(&self) {
        let mut state = self.state.lock();
        while !state.waiting {
            self.changed.wait(&mut state);
        }
    }

    /// Lets the waiting call go on.
    pub(crate) fn let_go(&self) {
        self.state.lock().held = false;
        self.changed.notify_all();
    }
}

impl Keyspace for FailingEngine {
    fn limits(&self) -> KeyspaceLimits {
        self.inner.limits()
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        if self.state.lock().unreadable {
            return Err(ReadError::Io(io::Error::other("injected")));
        }
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
        let fault = {
            let mut state = self.state.lock();
            state.waiting = true;
            self.changed.notify_all();
            while state.held {
                self.changed.wait(&mut state);
            }
            state.waiting = false;
            state.applies += 1;
            let applies = state.applies;
            state.fault.filter(|(call, _)| *call == applies).map(|(_, fault)| fault)
        };
        match fault {
            None => self.inner.apply(batch),
            Some(Fault::Error) => Err(ApplyError::Sync(io::Error::other("injected"))),
            Some(Fault::Panic) => panic!("injected"),
        }
    }

    fn health(&self) -> Result<(), ApplyError> {
        self.inner.health()
    }

    fn size_on_disk(&self) -> Result<u64, ReadError> {
        self.inner.size_on_disk()
    }
}
