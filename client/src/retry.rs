//! When a call is tried again, and how long to wait before.

use std::time::Duration;

use crate::error::Error;

/// How often and after which waits a failed call is tried again.
///
/// Every call of memoryd is safe to send twice: adding is an upsert, deleting what isn't there
/// counts nothing. So a call is retried when no connection could be had or it was lost, when the
/// server says that it isn't available, and when it asks to come back later. A search is only
/// retried before its first hit. Retries never outlast the call's timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How often a call is tried in all; 1 means no retry, and so does 0.
    pub max_attempts: u32,
    /// The longest wait before the second attempt. It doubles with each further one.
    pub initial_backoff: Duration,
    /// The longest wait before any attempt, unless the server asks for a longer one.
    pub max_backoff: Duration,
}

impl RetryPolicy {
    /// No retries: every error is the caller's at once.
    #[must_use]
    pub const fn none() -> Self {
        Self { max_attempts: 1, initial_backoff: Duration::ZERO, max_backoff: Duration::ZERO }
    }

    /// How long to wait before the next attempt, or `None` when `error` is final. `attempts` were
    /// made so far; `remaining` is what is left of the call's time.
    pub(crate) fn wait_before_next(
        &self,
        error: &Error,
        attempts: u32,
        remaining: Duration,
    ) -> Option<Duration> {
        if attempts >= self.max_attempts || !error.is_retryable() {
            return None;
        }
        // What the server asks for is a minimum: the jitter comes on top, or all of its clients
        // would be back at the same moment.
        let wait = error.retry_delay().unwrap_or_default() + self.jittered(attempts);
        (wait < remaining).then_some(wait)
    }

    /// Exponential back-off, "equal jitter": at least half of the ceiling, so that a restart of the
    /// server has time to finish, and the rest by chance.
    /// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
    fn jittered(&self, attempts: u32) -> Duration {
        let doublings = attempts.saturating_sub(1).min(30);
        let ceiling = self.initial_backoff.saturating_mul(1 << doublings).min(self.max_backoff);
        ceiling.mul_f64(0.5 + 0.5 * fastrand::f64())
    }
}

impl Default for RetryPolicy {
    /// Five attempts, waiting at most 0.1, 0.2, 0.4 and 0.8 seconds between them.
    fn default() -> Self {
        Self {
            max_attempts: 5,
            initial_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ServerError;

    const LONG: Duration = Duration::from_secs(60);

    fn refused(code: tonic::Code, retry_delay: Option<Duration>) -> Error {
        Error::Server(Box::new(ServerError { retry_delay, ..ServerError::plain(code, "no") }))
    }

    #[test]
    fn waits_double_up_to_the_ceiling_and_never_fall_below_half() {
        let policy = RetryPolicy { max_attempts: 9, ..RetryPolicy::default() };
        let unavailable = refused(tonic::Code::Unavailable, None);
        for (attempts, ceiling_ms) in
            [(1, 100), (2, 200), (3, 400), (5, 1_600), (6, 2_000), (8, 2_000)]
        {
            for _ in 0..50 {
                let wait = policy.wait_before_next(&unavailable, attempts, LONG).unwrap();
                let ceiling = Duration::from_millis(ceiling_ms);
                assert!(wait >= ceiling / 2 && wait <= ceiling, "{attempts}: {wait:?}");
            }
        }
        assert_eq!(policy.wait_before_next(&unavailable, 9, LONG), None);
    }

    #[test]
    fn the_delay_that_the_server_asks_for_is_a_minimum_and_a_later_deadline_a_condition() {
        let policy = RetryPolicy::default();
        let asked = Duration::from_secs(3);
        let overloaded = refused(tonic::Code::ResourceExhausted, Some(asked));
        assert!(policy.wait_before_next(&overloaded, 1, LONG).unwrap() >= asked);
        assert_eq!(policy.wait_before_next(&overloaded, 1, asked), None);
    }

    #[test]
    fn quota_bad_input_and_a_passed_deadline_are_final() {
        let policy = RetryPolicy::default();
        for error in [
            refused(tonic::Code::ResourceExhausted, None),
            refused(tonic::Code::InvalidArgument, None),
            refused(tonic::Code::Internal, None),
            refused(tonic::Code::Cancelled, None),
            Error::DeadlineExceeded { timeout: LONG },
        ] {
            assert_eq!(policy.wait_before_next(&error, 1, LONG), None, "{error}");
        }
    }

    #[test]
    fn none_never_retries() {
        let unavailable = refused(tonic::Code::Unavailable, None);
        assert_eq!(RetryPolicy::none().wait_before_next(&unavailable, 1, LONG), None);
    }
}
