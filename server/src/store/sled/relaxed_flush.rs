//! Flushing in the background, for those who trade a moment of durability for speed.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::Database;
use crate::store::RELAXED_FLUSH_INTERVAL;

/// A thread that flushes what was written, at most [`RELAXED_FLUSH_INTERVAL`] later.
pub(super) struct RelaxedFlusher {
    state: Arc<State>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct State {
    flags: Mutex<Flags>,
    changed: Condvar,
}

#[derive(Default)]
struct Flags {
    /// Something was written since the last flush began.
    written: bool,
    /// The keyspace is being dropped.
    stopping: bool,
}

impl RelaxedFlusher {
    pub(super) fn start(database: Arc<Database>) -> io::Result<Self> {
        let state = Arc::new(State::default());
        let thread = std::thread::Builder::new().name("store-flush".to_owned()).spawn({
            let state = Arc::clone(&state);
            move || state.run(&database)
        })?;
        Ok(Self { state, thread: Some(thread) })
    }

    /// Asks for a flush of what was just written.
    pub(super) fn note_written(&self) {
        self.state.flags.lock().written = true;
        self.state.changed.notify_one();
    }
}

impl Drop for RelaxedFlusher {
    fn drop(&mut self) {
        self.state.flags.lock().stopping = true;
        self.state.changed.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the flushing thread panicked");
        }
    }
}

impl State {
    fn run(&self, database: &Database) {
        loop {
            let stopping = {
                let mut flags = self.flags.lock();
                while !flags.written && !flags.stopping {
                    self.changed.wait(&mut flags);
                }
                if !flags.written {
                    return;
                }
                if !flags.stopping {
                    self.wait_for_more(&mut flags);
                }
                flags.written = false;
                flags.stopping
            };
            if let Err(error) = database.flush() {
                // The database refuses every later batch, and the committer learns it from the next one.
                tracing::error!(error = %error, "background flush failed");
                return;
            }
            if stopping {
                return;
            }
        }
    }

    /// Lets more batches gather; ends early when the keyspace is dropped.
    fn wait_for_more(&self, flags: &mut MutexGuard<'_, Flags>) {
        let deadline = Instant::now() + RELAXED_FLUSH_INTERVAL;
        while !flags.stopping {
            if self.changed.wait_until(flags, deadline).timed_out() {
                return;
            }
        }
    }
}
