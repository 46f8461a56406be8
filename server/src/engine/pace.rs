//! How fast work in the background may go while searches and additions come.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// For how long after a search or an addition came the machine counts as in use.
const IN_USE: Duration = Duration::from_millis(50);

/// While the machine is in use, the indexer rests this many times as long as it worked: it takes a sixth
/// of one core then.
const REST: u32 = 5;

/// The longest rest.
const LONGEST_REST: Duration = Duration::from_millis(100);

/// Knows when the last search or addition came.
#[derive(Debug, Default)]
pub(super) struct Pace {
    last_call: Mutex<Option<Instant>>,
}

impl Pace {
    /// Notes that a search or an addition has come.
    pub(super) fn note_call(&self) {
        *self.last_call.lock() = Some(Instant::now());
    }

    /// How long work in the background should rest after having worked for `worked`.
    pub(super) fn rest_after(&self, worked: Duration) -> Duration {
        let in_use = self.last_call.lock().is_some_and(|at| at.elapsed() < IN_USE);
        if in_use { (worked * REST).min(LONGEST_REST) } else { Duration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_rests_only_while_calls_come() {
        let pace = Pace::default();
        assert_eq!(pace.rest_after(Duration::from_millis(2)), Duration::ZERO);
        pace.note_call();
        assert_eq!(pace.rest_after(Duration::from_millis(2)), Duration::from_millis(10));
        assert_eq!(pace.rest_after(Duration::from_secs(9)), LONGEST_REST);
    }
}
