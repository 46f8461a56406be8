//! Keeps searches from waiting, each for its whole time, for an endpoint that is down.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// How long an endpoint is left alone by searches after it failed.
pub(super) const REST: Duration = Duration::from_secs(5);
/// The longest rest a server can ask for.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// Open after a failure: then queries fail at once, until the rest is over and one of them may try.
/// Embedding of entries always tries, and its success ends the rest early.
#[derive(Debug, Default)]
pub(super) struct Breaker {
    /// When a query may try again; `None` while all is well.
    rests_until: Mutex<Option<Instant>>,
}

impl Breaker {
    /// Lets a query pass, or tells how long the endpoint still rests. The one query that passes after a
    /// rest starts another, so that the others don't all wait with it.
    pub(super) fn enter(&self, now: Instant) -> Result<(), Duration> {
        let mut rests_until = self.rests_until.lock();
        match *rests_until {
            None => Ok(()),
            Some(end) if now < end => Err(end - now),
            Some(_) => {
                *rests_until = Some(now + REST);
                Ok(())
            }
        }
    }

    /// All is well.
    pub(super) fn succeeded(&self) {
        *self.rests_until.lock() = None;
    }

    /// The endpoint failed, and maybe told when it wants to be asked again.
    pub(super) fn failed(&self, now: Instant, asked_for: Option<Duration>) {
        let rest = asked_for.map_or(REST, |rest| rest.clamp(REST, LONGEST_REST));
        *self.rests_until.lock() = Some(now + rest);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Breaker, LONGEST_REST, REST};

    #[test]
    fn after_a_failure_queries_fail_at_once_until_the_rest_is_over() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        assert_eq!(breaker.enter(start), Ok(()));
        breaker.failed(start, None);
        assert_eq!(breaker.enter(start), Err(REST));
        assert_eq!(breaker.enter(start + REST), Ok(()));
    }

    #[test]
    fn after_the_rest_one_query_tries_and_the_others_do_not_wait_with_it() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        breaker.failed(start, None);
        assert_eq!(breaker.enter(start + REST), Ok(()));
        assert!(breaker.enter(start + REST).is_err());
        breaker.succeeded();
        assert_eq!(breaker.enter(start + REST), Ok(()));
        assert_eq!(breaker.enter(start + REST), Ok(()));
    }

    #[test]
    fn a_server_can_ask_for_a_longer_rest_within_a_bound() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        breaker.failed(start, Some(Duration::from_secs(20)));
        assert_eq!(breaker.enter(start), Err(Duration::from_secs(20)));
        breaker.failed(start, Some(Duration::MAX));
        assert_eq!(breaker.enter(start), Err(LONGEST_REST));
        breaker.failed(start, Some(Duration::ZERO));
        assert_eq!(breaker.enter(start), Err(REST));
    }
}
