//! The thread that gives entries their vectors, after their additions were answered.
//!
//! It does nothing that can't be done again: what it hasn't done when the process ends is found at the
//! next start, and entries are found by words until then.

use std::io;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::backlog::{Backlog, EntryPlace, Work};
use super::index_entries::IndexError;
use super::{Engine, Parts};

/// Entries that are indexed with one commit.
const BATCH: usize = 32;

/// Pauses after failures: an embedder that is down is asked again and again, ever more rarely.
const PAUSES: [Duration; 6] = [
    Duration::from_millis(500),
    Duration::from_secs(2),
    Duration::from_secs(5),
    Duration::from_secs(15),
    Duration::from_secs(30),
    Duration::from_secs(60),
];

/// How often the same entries are tried together before they are tried one by one.
const PATIENCE: usize = 1;

/// How long stopping waits for the thread. An endpoint that hangs may hold it up for minutes; nothing is
/// lost when the process ends in between.
const STOP_PATIENCE: Duration = Duration::from_secs(5);

/// How often the log tells how far a long backlog has got.
const REPORT_INTERVAL: Duration = Duration::from_secs(10);

/// The thread, ended when this is dropped.
#[derive(Debug)]
pub(super) struct Indexer {
    backlog: Arc<Backlog>,
    /// Taken by whoever joins.
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Indexer {
    /// Starts the thread, which begins with what earlier processes left.
    pub(super) fn start(parts: Weak<Parts>, backlog: Arc<Backlog>) -> io::Result<Self> {
        backlog.look_through();
        let of_thread = Arc::clone(&backlog);
        let thread = std::thread::Builder::new()
            .name("indexer".to_owned())
            .spawn(move || run(&parts, &of_thread))?;
        Ok(Self { backlog, thread: Mutex::new(Some(thread)) })
    }

    /// Ends the thread and waits a while for it, unless it is the caller.
    pub(super) fn stop(&self) {
        self.backlog.close();
        let Some(thread) = self.thread.lock().take() else { return };
        if thread.thread().id() == std::thread::current().id() {
            return;
        }
        let begun = Instant::now();
        while !thread.is_finished() && begun.elapsed() < STOP_PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        if !thread.is_finished() {
            tracing::warn!(
                "the embedder hangs; what it was to embed is found again at the next start"
            );
        } else if thread.join().is_err() {
            tracing::error!("the indexer's thread panicked");
        }
    }
}

impl Drop for Indexer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run(parts: &Weak<Parts>, backlog: &Backlog) {
    let mut progress = Progress::default();
    let mut failures = 0;
    loop {
        let work = backlog.take(BATCH);
        // Not held while waiting, so that the engine ends when its last user lets go of it.
        let Some(parts) = parts.upgrade() else { return };
        let engine = Engine { parts };
        if matches!(work, Work::Stop) {
            return;
        }
        let outcome = attempt(&engine, &work);
        drop(engine);
        let error = match (outcome, &work) {
            (Ok(refused), Work::Entries(places)) => {
                backlog.done(places.len() - refused.len());
                backlog.set_aside(&refused);
                progress.note(places.len(), backlog);
                failures = 0;
                continue;
            }
            (Ok(_), _) => {
                backlog.looked_through();
                continue;
            }
            (Err(error), _) => error,
        };
        match &work {
            Work::Entries(places) if failures < PATIENCE => backlog.give_back(places),
            // One of them may be what fails: it must not hold up the others, of other users even.
            Work::Entries(places) if places.len() > 1 => backlog.give_back_singly(places),
            Work::Entries(places) => backlog.set_aside(places),
            Work::LookThrough | Work::Stop => {
                backlog.looked_through();
                backlog.look_through();
            }
        }
        let pause = PAUSES[failures.min(PAUSES.len() - 1)];
        report_failure(&error, failures, pause, backlog);
        failures += 1;
        if backlog.sleep(pause) {
            return;
        }
    }
}

/// Does the work; answers which entries the embedder refuses. A panic is a failure like any other.
fn attempt(engine: &Engine, work: &Work) -> Result<Vec<EntryPlace>, IndexError> {
    let attempt = || match work {
        Work::Stop => Ok(Vec::new()),
        Work::LookThrough => engine.look_through().map(|()| Vec::new()),
        Work::Entries(places) => engine.index_in_background(places),
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt))
        .unwrap_or(Err(IndexError::Panicked))
}

fn report_failure(error: &IndexError, failures: usize, pause: Duration, backlog: &Backlog) {
    if matches!(error, IndexError::Closed) {
        return;
    }
    // Once the pauses are at their longest, the same again says nothing new.
    if failures < PAUSES.len() {
        tracing::warn!(
            %error,
            pending = backlog.pending(),
            ?pause,
            "entries could not be given vectors; they are found by words, and tried again"
        );
    }
}

/// Tells the log about work that takes long.
struct Progress {
    done: u64,
    reported_at: Instant,
}

impl Default for Progress {
    fn default() -> Self {
        Self { done: 0, reported_at: Instant::now() }
    }
}

impl Progress {
    fn note(&mut self, done: usize, backlog: &Backlog) {
        if self.done == 0 {
            self.reported_at = Instant::now();
        }
        self.done += done as u64;
        let pending = backlog.pending();
        let long = self.reported_at.elapsed() >= REPORT_INTERVAL;
        if long {
            tracing::info!(done = self.done, pending, "giving entries their vectors");
            self.reported_at = Instant::now();
        }
        if pending == 0 {
            self.done = 0;
        }
    }
}
