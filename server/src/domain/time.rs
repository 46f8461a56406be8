//! Points in time with nanoseconds, as wide as `google.protobuf.Timestamp`.

use std::time::{SystemTime, UNIX_EPOCH};

/// A point in time, UTC, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z.
///
/// The order of values is the order of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    seconds: i64,
    nanos: u32,
}

/// Why two numbers are not a point in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TimestampError {
    /// Before year 1 or after year 9999.
    #[error("must lie between 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z")]
    OutOfRange,
    /// The fraction isn't one.
    #[error("nanos must lie between 0 and 999,999,999, are {0}")]
    Nanos(i32),
}

impl Timestamp {
    /// 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self { seconds: -62_135_596_800, nanos: 0 };
    /// 9999-12-31T23:59:59.999999999Z.
    pub const MAX: Self = Self { seconds: 253_402_300_799, nanos: 999_999_999 };

    const NANOS_PER_SECOND: u32 = 1_000_000_000;

    /// Takes seconds since 1970 and a fraction that counts forward in time.
    ///
    /// # Errors
    ///
    /// When the time lies outside the range or the fraction is not between 0 and 999,999,999.
    pub fn new(seconds: i64, nanos: i32) -> Result<Self, TimestampError> {
        let fraction = u32::try_from(nanos).map_err(|_| TimestampError::Nanos(nanos))?;
        if fraction >= Self::NANOS_PER_SECOND {
            return Err(TimestampError::Nanos(nanos));
        }
        if seconds < Self::MIN.seconds || seconds > Self::MAX.seconds {
            return Err(TimestampError::OutOfRange);
        }
        Ok(Self { seconds, nanos: fraction })
    }

    /// The time now, by the system's clock.
    pub fn now() -> Self {
        let (seconds, nanos) = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_nanos()),
            // A clock before 1970 is a clock that was never set.
            Err(_) => (0, 0),
        };
        Self { seconds: seconds.min(Self::MAX.seconds), nanos }
    }

    /// The next representable point in time; the last one is its own successor.
    #[must_use]
    pub fn successor(self) -> Self {
        if self == Self::MAX {
            return self;
        }
        if self.nanos + 1 == Self::NANOS_PER_SECOND {
            return Self { seconds: self.seconds + 1, nanos: 0 };
        }
        Self { seconds: self.seconds, nanos: self.nanos + 1 }
    }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    pub fn seconds(self) -> i64 {
        self.seconds
    }

    /// Nanoseconds after [`Timestamp::seconds`], 0 to 999,999,999.
    pub fn nanos(self) -> u32 {
        self.nanos
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nowledge_mem_102_the_ends_of_time_are_kept_to_the_nanosecond() {
        assert_eq!(Timestamp::new(-62_135_596_800, 0), Ok(Timestamp::MIN));
        assert_eq!(Timestamp::new(253_402_300_799, 999_999_999), Ok(Timestamp::MAX));
        assert_eq!(Timestamp::new(-62_135_596_801, 0), Err(TimestampError::OutOfRange));
        assert_eq!(Timestamp::new(253_402_300_800, 0), Err(TimestampError::OutOfRange));
        assert_eq!(Timestamp::new(0, -1), Err(TimestampError::Nanos(-1)));
        assert_eq!(Timestamp::new(0, 1_000_000_000), Err(TimestampError::Nanos(1_000_000_000)));
    }

    #[test]
    fn deja_vu_1050_fractions_order_as_time_does() {
        let whole = Timestamp::new(-1, 0);
        let half = Timestamp::new(-1, 500_000_000);
        let next = Timestamp::new(0, 0);
        assert!(whole < half && half < next);
        assert_eq!(Timestamp::new(-1, 999_999_999).map(Timestamp::successor), next);
    }
}
