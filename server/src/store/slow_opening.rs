//! Telling the log that opening takes long, so that nobody takes a long recovery for a hang.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Opening that is done sooner says nothing.
const FIRST_REPORT: Duration = Duration::from_secs(1);
/// Time between later reports.
const NEXT_REPORT: Duration = Duration::from_secs(5);

/// Reports until it is dropped.
pub(super) struct SlowOpening {
    /// Dropped to stop the thread.
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl SlowOpening {
    pub(super) fn watch() -> io::Result<Self> {
        let (done, opened) = mpsc::channel::<()>();
        let begun = Instant::now();
        let thread =
            std::thread::Builder::new().name("store-opening".to_owned()).spawn(move || {
                let mut wait = FIRST_REPORT;
                while opened.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                    tracing::info!(
                        seconds = begun.elapsed().as_secs(),
                        "opening the store is taking a while"
                    );
                    wait = NEXT_REPORT;
                }
            })?;
        Ok(Self { done: Some(done), thread: Some(thread) })
    }
}

impl Drop for SlowOpening {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            // The thread only logs; there is nothing to do about a panic of the logger.
            let _ended = thread.join();
        }
    }
}
