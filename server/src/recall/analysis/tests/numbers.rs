use super::{finds, finds_all, terms, words};

/// Whether every text finds every other by a term that none of `others` holds.
fn assert_one_number(form: &str, texts: &[&str], others: &[&str]) {
    for text in texts {
        assert!(words(text).iter().any(|word| word == form), "{form} of {text}: {:?}", words(text));
    }
    for other in others {
        assert!(!words(other).iter().any(|word| word == form), "{form} of {other}");
    }
}

#[test]
fn s9_a_telephone_number_is_one_however_parted() {
    assert_one_number(
        "0301234567",
        &["030/123-4567", "(030) 1234 567", "030 1234567", "030-123 45 67", "0301234567"],
        &["031 1234567", "030 123456"],
    );
    assert_one_number(
        "1234567",
        &["+49 30 1234567", "+49 (30) 123 4567", "(030) 1234 567", "0049 30 123 4567", "1234567"],
        &["+49 30 1234568"],
    );
    assert_one_number("5550123", &["555-0123", "(415) 555-0123", "+1 415.555.0123"], &["555 0124"]);
    assert_one_number("0612345678", &["06 12 34 56 78", "06.12.34.56.78"], &["06 12 34 56"]);
    assert!(finds("1234567", "+49 30 1234567"));
    assert!(finds("4567", "030/123-4567"), "its groups find it as well");
}

#[test]
fn s9_thousands_are_one_number_however_parted() {
    assert_one_number(
        "1234567",
        &["1,234,567", "1.234.567", "1 234 567", "1\u{a0}234\u{a0}567", "1'234'567", "12,34,567"],
        &["1,234,56", "1,23,4567", "01,234,567"],
    );
    assert_one_number(
        "12000",
        &["12,000", "12.000", "12 000", "12000", "12\u{202f}000"],
        &["12.00"],
    );
    assert_one_number("1234.56", &["1,234.56", "1.234,56", "1'234.56", "1 234,56"], &["1,234"]);
    assert_one_number("1.234", &["1,234", "1.234"], &["1 234"]);
    assert_one_number("1234", &["1,234", "1.234", "1 234", "1234"], &["1.2345"]);
}

#[test]
fn s9_a_decimal_comma_is_a_point() {
    assert_one_number(
        "3.5",
        &["3.5", "3,5", "3,50 €", "€3.50", "3½", "٣٫٥", "३.५", "３．５", "3.5kg", "about 3.5."],
        &["3.51", "35", "3-5", "3:5", "3,5,7", "3, 5"],
    );
    assert_one_number("0.5", &["½", "0.5", "0,50", "½ cup"], &["5"]);
    assert_eq!(words("1½"), ["1.5", "1"]);
    assert_eq!(words("a½b"), ["a", "0.5", "b"]);
}

#[test]
fn s9_a_digit_of_a_decimal_is_no_number() {
    assert!(!finds("5", "3.5"));
    assert!(!finds("3.5", "5"));
    assert!(!finds("5", "5km"));
    assert!(finds("3", "3.5"), "but whole ones are");
    assert!(finds("95", "Rust 1.95"));
}

#[test]
fn s9_dates_ranges_and_times_stay_words() {
    for (text, expected) in [
        ("2023-05-07", &["2023", "05", "07"][..]),
        ("07.05.2023", &["07", "05", "2023"]),
        ("07.05.2023 10:30", &["07", "05", "2023", "10", "30"]),
        ("05/07/23", &["05", "07", "23"]),
        ("1990-2000", &["1990", "2000"]),
        ("24/7", &["24", "7"]),
        ("10:30", &["10", "30"]),
        ("08.30", &["08", "30"]),
        ("1990, 25 people", &["1990", "25", "people"]),
        ("4, 5, 6", &["4", "5", "6"]),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn s9_versions_and_addresses_are_whole_too() {
    assert_eq!(words("1.2.3"), ["1.2.3"]);
    assert_eq!(words("192.168.0.1"), ["192.168.0.1", "192", "168"]);
    assert_eq!(words("05/07/23 10:30"), ["05", "07", "23", "10", "30"]);
    assert!(!words("1.2.30 v1.2.34").contains(&"1.2.3".to_owned()));
}

#[test]
fn s9_a_unit_may_be_spelled_out() {
    for texts in [
        &["5km", "5 km", "5 kilometers", "5 Kilometer", "5-km", "5公里", "5 км", "5킬로미터를"][..],
        &["20 °C", "20°C", "20℃", "20 degrees", "20 Grad", "20度", "20 градусов"],
        &["10%", "10 %", "10 percent", "10 Prozent", "10 процентов", "10％"],
        &["3,50 €", "€3.50", "3.5 euros", "EUR 3.50 EUR"],
        &["$12", "12 dollars", "US$ 12", "12 долларов"],
        &["2h", "2 hours", "2 Stunden", "2 heures", "2小时", "2 hrs"],
        &["90min", "90 minutes", "90 Minuten", "90分钟"],
        &["80kg", "80 kg", "80 kilograms", "80 килограммов"],
    ] {
        for query in texts {
            for text in texts {
                let shared: Vec<_> =
                    words(query).into_iter().filter(|word| words(text).contains(word)).collect();
                let with_unit = |word: &String| {
                    word.starts_with(|c: char| c.is_ascii_digit())
                        && !word.ends_with(|c: char| c.is_ascii_digit())
                };
                assert!(shared.iter().any(with_unit), "{query} and {text}: {shared:?}");
            }
        }
    }
    assert!(!words("5 knights").contains(&"5k".to_owned()));
}

#[test]
fn s9_a_number_is_found_whatever_stands_behind_it() {
    for text in ["42km", "42 km", "42%", "$42", "42-inch", "42x", "the 42's", "42年", "42.", "(42)"]
    {
        assert!(finds_all("42", text), "{text}");
    }
    assert!(finds("1990", "in the 1990s"));
    assert!(!finds("20", "the 20th century"), "an ordinal is no number");
}

#[test]
fn s9_a_list_of_numbers_keeps_each() {
    let list: Vec<String> = (100..200).map(|number| number.to_string()).collect();
    for separator in [" ", ",", ", ", "-", "/", "."] {
        let found = terms(&list.join(separator));
        for number in &list {
            assert!(found.contains(number), "{number} parted by {separator:?}");
        }
    }
}
