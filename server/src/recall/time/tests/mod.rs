//! What counts as a date, language by language.

mod calendar_dates;
mod no_dates;
mod properties;
mod relative;

use super::{DateWords, calendar};

/// Wednesday, 17 May 2023.
const REFERENCE: i32 = 19_494;

/// Days around the reference that are looked at.
const AROUND: i32 = 1_200;

/// The first and the last day of full agreement near the reference.
fn days(question: &str) -> Option<String> {
    let date_words = DateWords::find(question, REFERENCE)?;
    let agrees = |day: &i32| date_words.agreement(*day) >= 1.0;
    let near = || (REFERENCE - AROUND..=REFERENCE + AROUND).filter(agrees);
    let written = |day: i32| calendar::date(i64::from(day)).to_string();
    let (first, last) = (near().min()?, near().max()?);
    if first == last {
        Some(written(first))
    } else {
        Some(format!("{}..{}", written(first), written(last)))
    }
}

/// Checks questions against their days; tells all that differ at once.
fn assert_days(expected: &[(&str, &str)]) {
    let wrong: Vec<String> = expected
        .iter()
        .filter_map(|&(question, days_of)| {
            let found = days(question).unwrap_or_else(|| "none".to_owned());
            (found != days_of).then(|| format!("{question}: {found}, not {days_of}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
