//! Telling how far it is, on standard error, at most once a second.

use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_secs(1);

/// Tells how far a run is.
pub(crate) struct Progress {
    label: String,
    told: Instant,
}

impl Progress {
    /// Of the set of this name; silent in its first second.
    pub(crate) fn new(label: &str) -> Self {
        Self { label: label.to_owned(), told: Instant::now() }
    }

    /// So many of all are done.
    pub(crate) fn step(&mut self, what: &str, done: usize, total: usize) {
        if self.told.elapsed() < INTERVAL {
            return;
        }
        self.told = Instant::now();
        eprintln!("{}: {done} of {total} {what}", self.label);
    }
}
