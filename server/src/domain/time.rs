//! Points in time with nanoseconds, as wide as `google.protobuf.Timestamp`.

use std::fmt;

use chrono::{DateTime, SecondsFormat, Utc};

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
        if !(Self::MIN.seconds..=Self::MAX.seconds).contains(&seconds) {
            return Err(TimestampError::OutOfRange);
        }
        Ok(Self { seconds, nanos: fraction })
    }

    /// The time now, by the system's clock.
    pub fn now() -> Self {
        let now = Utc::now();
        // A leap second is told as a fraction of more than a second.
        let nanos = now.timestamp_subsec_nanos().min(Self::NANOS_PER_SECOND - 1);
        Self { seconds: now.timestamp().clamp(Self::MIN.seconds, Self::MAX.seconds), nanos }
    }

    /// The day it lies in, in days since 1970-01-01 UTC.
    pub fn day(self) -> i32 {
        // Fits: the range is ten thousand years.
        self.seconds.div_euclid(86_400) as i32
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

impl fmt::Display for Timestamp {
    /// RFC 3339, with as many digits of the fraction as it has.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match DateTime::from_timestamp(self.seconds, self.nanos) {
            Some(time) => formatter.write_str(&time.to_rfc3339_opts(SecondsFormat::AutoSi, true)),
            None => write!(formatter, "{}.{:09}", self.seconds, self.nanos),
        }
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
    fn a_time_prints_as_rfc_3339() {
        let shown = |seconds, nanos| Timestamp::new(seconds, nanos).map(|time| time.to_string());
        assert_eq!(shown(-1, 999_999_999), Ok("1969-12-31T23:59:59.999999999Z".to_owned()));
        assert_eq!(shown(1_700_000_000, 0), Ok("2023-11-14T22:13:20Z".to_owned()));
        assert_eq!(Timestamp::MIN.to_string(), "0001-01-01T00:00:00Z");
    }

    #[test]
    fn deja_vu_1050_fractions_order_as_time_does() {
        let whole = Timestamp::new(-1, 0).unwrap();
        let half = Timestamp::new(-1, 500_000_000).unwrap();
        let next = Timestamp::new(0, 0).unwrap();
        assert!(whole < half && half < next);
        assert_eq!(Timestamp::new(-1, 999_999_999).map(Timestamp::successor), Ok(next));
    }
}
