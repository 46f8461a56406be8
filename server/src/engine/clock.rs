//! The server's time for what is added.

use parking_lot::Mutex;

use crate::domain::Timestamp;

/// A clock that never shows the same time twice and never goes back while the process runs, so that
/// times of creation order the additions of a session.
#[derive(Debug)]
pub(super) struct Clock {
    last: Mutex<Timestamp>,
}

impl Default for Clock {
    fn default() -> Self {
        Self { last: Mutex::new(Timestamp::MIN) }
    }
}

impl Clock {
    pub(super) fn now_unique(&self) -> Timestamp {
        let mut last = self.last.lock();
        *last = Timestamp::now().max(last.successor());
        *last
    }
}
