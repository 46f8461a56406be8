//! Times: chrono's and the wire's.

use chrono::{DateTime, Utc};
use prost_types::Timestamp;

use super::ConversionError;

/// 0001-01-01T00:00:00Z, in seconds from the epoch: the wire's first second.
const FIRST_SECOND: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z, in seconds from the epoch: the wire's last second.
const LAST_SECOND: i64 = 253_402_300_799;
/// chrono writes a leap second as a second of up to two billion nanoseconds; the wire has no such
/// thing, so the leap second becomes the last instant before it.
const LAST_NANO: u32 = 999_999_999;

pub(super) fn to_wire(time: DateTime<Utc>, field: &str) -> Result<Timestamp, ConversionError> {
    let seconds = time.timestamp();
    if !(FIRST_SECOND..=LAST_SECOND).contains(&seconds) {
        let value = time.to_rfc3339();
        return Err(ConversionError::TimeOutOfRange { field: field.to_owned(), value });
    }
    let nanos = time.timestamp_subsec_nanos().min(LAST_NANO);
    Ok(Timestamp { seconds, nanos: nanos.cast_signed() })
}

pub(super) fn from_wire(
    time: Option<Timestamp>,
    field: &str,
) -> Result<DateTime<Utc>, ConversionError> {
    let Timestamp { seconds, nanos } =
        time.ok_or_else(|| ConversionError::reply(field, "is missing"))?;
    u32::try_from(nanos)
        .ok()
        .filter(|nanos| *nanos <= LAST_NANO)
        .and_then(|nanos| DateTime::from_timestamp(seconds, nanos))
        .ok_or_else(|| ConversionError::reply(field, "is no time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str) -> String {
        let time: DateTime<Utc> = text.parse().unwrap();
        let back = from_wire(Some(to_wire(time, "timestamp").unwrap()), "timestamp").unwrap();
        back.to_rfc3339_opts(chrono::SecondsFormat::Nanos, true)
    }

    #[test]
    fn nowledge_mem_102_times_are_kept_to_the_nanosecond() {
        for text in [
            "0001-01-01T00:00:00.000000000Z",
            "1969-12-31T23:59:59.999999999Z",
            "1970-01-01T00:00:00.000000000Z",
            "2025-07-01T12:34:56.000000001Z",
            "9999-12-31T23:59:59.999999999Z",
        ] {
            assert_eq!(round_trip(text), text);
        }
        assert_eq!(round_trip("2016-12-31T23:59:60.25Z"), "2016-12-31T23:59:59.999999999Z");
    }

    #[test]
    fn times_that_the_wire_has_not_are_refused_by_name() {
        for time in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
            let error = to_wire(time, "entries[2].timestamp").unwrap_err();
            assert!(error.to_string().starts_with("entries[2].timestamp: "), "{error}");
        }
    }

    #[test]
    fn a_reply_without_a_time_is_no_time() {
        for time in [
            None,
            Some(Timestamp { seconds: 0, nanos: -1 }),
            Some(Timestamp { seconds: 0, nanos: 1_000_000_000 }),
            Some(Timestamp { seconds: i64::MAX, nanos: 0 }),
        ] {
            assert!(from_wire(time, "timestamp").is_err(), "{time:?}");
        }
    }
}
