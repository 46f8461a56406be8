use proptest::prelude::*;

use super::super::DateWords;
use super::super::tables::TABLES;

/// Words of all tables, numbers and signs in any order: worse than any question.
fn hostile() -> impl Strategy<Value = String> {
    let mut pieces: Vec<String> = TABLES
        .iter()
        .flat_map(|table| {
            let days = table.days.iter().map(|&(_, listed)| listed);
            let lists = [
                table.last.0,
                table.last.1,
                table.ago.0,
                table.ago.1,
                table.within.0,
                table.since.0,
                table.since.1,
                table.before.1,
                table.year_mark.0,
                table.year_mark.1,
                table.month_mark.1,
                table.of,
                table.article,
                table.between,
                table.and,
                table.to,
                table.nothing,
                table.unbound,
                table.weekend,
            ];
            days.chain(lists).chain(table.months).chain(table.units).chain(table.weekdays)
        })
        .flat_map(|listed| listed.split('|'))
        .map(|word| word.trim_start_matches(['?', '#']).to_owned())
        .collect();
    let others = [
        "1",
        "8",
        "31",
        "2023",
        "2000",
        "2566",
        "99999999999",
        "2023-05-08",
        "8/5/2023",
        "1990-1995",
        ".",
        ",",
        "-",
        "'",
        "?",
        "\u{2029}",
        "\u{301}",
        "x",
        "我",
        "th",
        "s",
        "年",
        "月",
        "日",
    ];
    pieces.extend(others.map(str::to_owned));
    let spaces = prop_oneof![Just(""), Just(" ")];
    prop::collection::vec((prop::sample::select(pieces), spaces), 0..24)
        .prop_map(|words| words.into_iter().map(|(word, space)| word + space).collect())
}

fn check(question: &str, reference: i32, day: i32) -> Result<(), TestCaseError> {
    let Some(date_words) = DateWords::find(question, reference) else {
        return Ok(());
    };
    let agreement = date_words.agreement(day);
    prop_assert!((0.0..=1.0).contains(&agreement));
    let rest = date_words.rest();
    prop_assert!(DateWords::find(rest, reference).is_none(), "{question:?} leaves {rest:?}");
    Ok(())
}

proptest! {
    #[test]
    fn any_text_has_an_agreement_in_range_and_a_rest_without_dates(
        question in "\\PC{0,60}",
        reference in any::<i32>(),
        day in any::<i32>(),
    ) {
        check(&question, reference, day)?;
    }

    #[test]
    fn date_words_in_any_order_leave_a_rest_without_dates(
        question in hostile(),
        reference in any::<i32>(),
        day in any::<i32>(),
    ) {
        check(&question, reference, day)?;
    }
}

#[test]
fn the_ends_of_time_overflow_nothing() {
    let questions = [
        "last week",
        "next year",
        "120 years ago",
        "last summer",
        "on Monday",
        "since May",
        "in May",
        "on May 8th",
        "before yesterday",
        "over the weekend",
        "next Friday",
        "2023-05-08",
        "between last week and next year",
        "the week before 8 May 2023",
    ];
    for question in questions {
        for reference in [i32::MIN, -1, 0, 1, i32::MAX] {
            for day in [i32::MIN, -1, 0, 1, i32::MAX] {
                if let Some(date_words) = DateWords::find(question, reference) {
                    assert!((0.0..=1.0).contains(&date_words.agreement(day)), "{question}");
                }
            }
        }
    }
}
