//! Times as the sets write them.

use std::time::{Duration, SystemTime};

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

/// As in "1:56 pm on 8 May, 2023".
const MINUTE: &str = "%I:%M %p on %d %B, %Y";
/// As in "2023-12-25".
const DAY: &str = "%Y-%m-%d";

/// When entries of sets without times are said to begin: 2024-01-01 00:00 UTC, in seconds since 1970.
const WITHOUT_TIME: Duration = Duration::from_secs(1_704_067_200);

/// What lies between two entries that were given the same time, or none: enough to keep their order,
/// too little to change their day.
const STEP: Duration = Duration::from_millis(1);

/// The moment that a text tells, taken for UTC where it names no offset; `None` when it is written in
/// another way.
pub(crate) fn parse(text: &str) -> Option<SystemTime> {
    let text = text.trim();
    // As in "2025-03-14T18:30:00+09:00".
    if let Ok(moment) = DateTime::parse_from_rfc3339(text) {
        return Some(moment.into());
    }
    let moment = NaiveDateTime::parse_from_str(text, MINUTE).ok().or_else(|| {
        NaiveDate::parse_from_str(text, DAY).ok().map(|day| day.and_time(NaiveTime::MIN))
    })?;
    Some(moment.and_utc().into())
}

/// The time of entries that have none.
pub(crate) fn without_time() -> SystemTime {
    SystemTime::UNIX_EPOCH + WITHOUT_TIME
}

/// The time of an entry that stands at `place` among those of the same time.
pub(crate) fn in_order(time: SystemTime, place: u32) -> SystemTime {
    time + STEP * place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_utc() {
        for (text, seconds) in [
            ("1:56 pm on 8 May, 2023", 1_683_554_160),
            ("12:09 am on 13 September, 2023", 1_694_563_740),
            ("12:09 pm on 13 September, 2023", 1_694_606_940),
            ("11:59 AM on 29 February, 2024", 1_709_207_940),
            ("12:00 am on 1 January, 1970", 0),
            ("2023-12-25", 1_703_462_400),
            ("2025-03-14T18:30:00Z", 1_741_977_000),
            ("2025-03-14T18:30:00+09:00", 1_741_944_600),
        ] {
            let expected = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in [
            "",
            "yesterday",
            "13:56 pm on 8 May, 2023",
            "0:56 pm on 8 May, 2023",
            "1:56 on 8 May, 2023",
            "1:56 pm on 30 February, 2023",
            "1:56 pm on 8 May, 2023 or so",
            "2023-13-01",
            "2025-03-14T18:30:00",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn entries_of_one_time_keep_their_order_and_their_day() {
        let begin = parse("11:59 pm on 8 May, 2023").unwrap();
        assert!(in_order(begin, 1) < in_order(begin, 2));
        assert!(in_order(begin, 59_999) < parse("12:00 am on 9 May, 2023").unwrap());
    }
}
