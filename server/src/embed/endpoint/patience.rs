//! How often and how long an endpoint is asked.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

/// Requests made for one batch of entries before the call fails. Whoever embeds in the background
/// tries again later.
const ENTRY_ATTEMPTS: u32 = 4;
/// Requests made for a query: a lost connection is made good, more would only delay the words.
const QUERY_ATTEMPTS: u32 = 2;
/// Waits before the second attempt; doubled before each further one.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The longest wait between two attempts, whatever the server asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// How often and how long one call asks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// How long one request may take.
    request: Duration,
    attempts: u32,
    /// When the answer is useless.
    end: Option<Instant>,
}

impl Patience {
    /// For entries: a time for each request, and several attempts.
    pub(super) fn for_entries(request: Duration) -> Self {
        Self { request, attempts: ENTRY_ATTEMPTS, end: None }
    }

    /// For a query: a time for all attempts together.
    pub(super) fn for_query(whole: Duration, now: Instant) -> Self {
        Self { request: whole, attempts: QUERY_ATTEMPTS, end: now.checked_add(whole) }
    }

    /// How long a request that starts now may take.
    pub(super) fn request_time(&self, now: Instant) -> Duration {
        match self.end {
            Some(end) => end.saturating_duration_since(now).min(self.request),
            None => self.request,
        }
    }

    /// How long to wait before the attempt after `made` of them; `None`: enough tried. `chance` is
    /// uniform over all of u32.
    pub(super) fn wait(
        &self,
        made: u32,
        asked_for: Option<Duration>,
        chance: u32,
        now: Instant,
    ) -> Option<Duration> {
        if made >= self.attempts {
            return None;
        }
        let wait = match asked_for {
            Some(asked_for) => asked_for,
            None => jitter(backoff(made), chance),
        };
        let wait = wait.min(LONGEST_WAIT);
        // A wait that leaves no time to ask is time lost.
        let in_time = self.end.is_none_or(|end| now + wait < end);
        in_time.then_some(wait)
    }
}

/// FIRST_WAIT doubled for each attempt made but the first.
fn backoff(made: u32) -> Duration {
    let doublings = made.saturating_sub(1).min(16);
    FIRST_WAIT.saturating_mul(1 << doublings).min(LONGEST_WAIT)
}

/// Between half of `wait` and all of it, so that many clients don't come back at once.
fn jitter(wait: Duration, chance: u32) -> Duration {
    wait / 2 + (wait / 2).mul_f64(f64::from(chance) / f64::from(u32::MAX))
}

/// The header Retry-After: seconds or a date (RFC 9110, section 10.2.3). `None` if it is neither.
pub(super) fn retry_after(header: &str, now: DateTime<Utc>) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTime::parse_from_rfc2822(header).ok()?;
    Some((date.to_utc() - now).to_std().unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{ENTRY_ATTEMPTS, LONGEST_WAIT, Patience, retry_after};

    #[test]
    fn waits_double_with_jitter_and_come_to_an_end() {
        let (patience, now) = (Patience::for_entries(Duration::from_secs(30)), Instant::now());
        let waits = |chance| {
            let mut waits = Vec::new();
            while let Some(wait) = patience.wait(waits.len() as u32 + 1, None, chance, now) {
                waits.push(wait.as_millis());
            }
            waits
        };
        assert_eq!(waits(u32::MAX), [250, 500, 1000]);
        assert_eq!(waits(0), [125, 250, 500]);
        assert_eq!(patience.wait(ENTRY_ATTEMPTS, None, 0, now), None);
    }

    #[test]
    fn what_the_server_asks_for_is_honoured_within_a_bound() {
        let (patience, now) = (Patience::for_entries(Duration::from_secs(30)), Instant::now());
        let wait = |seconds| patience.wait(1, Some(Duration::from_secs(seconds)), 7, now);
        assert_eq!(wait(3), Some(Duration::from_secs(3)));
        assert_eq!(wait(u64::MAX), Some(LONGEST_WAIT));
    }

    #[test]
    fn a_query_never_waits_past_its_end() {
        let now = Instant::now();
        let patience = Patience::for_query(Duration::from_secs(2), now);
        assert_eq!(patience.wait(1, Some(Duration::from_secs(2)), 0, now), None);
        assert!(patience.wait(1, Some(Duration::from_secs(1)), 0, now).is_some());
        let later = now + Duration::from_millis(1500);
        assert_eq!(patience.request_time(later), Duration::from_millis(500));
        assert_eq!(patience.request_time(now + Duration::from_secs(9)), Duration::ZERO);
        assert_eq!(patience.wait(2, None, 0, now), None);
    }

    #[test]
    fn retry_after_is_read_as_seconds_or_as_a_date() {
        let now = "2015-10-21T07:27:00Z".parse().unwrap();
        let read = |header| retry_after(header, now);
        assert_eq!(read(" 120 "), Some(Duration::from_secs(120)));
        assert_eq!(read("Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::from_secs(60)));
        assert_eq!(read("Wed, 21 Oct 2015 07:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(read("soon"), None);
        assert_eq!(read("-1"), None);
    }
}
