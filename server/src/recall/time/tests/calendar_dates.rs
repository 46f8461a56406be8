use super::super::DateWords;
use super::{REFERENCE, assert_days};

const EIGHTH_OF_MAY: &str = "2023-05-07..2023-05-09";
const MAY: &str = "2023-05-01..2023-05-31";
const YEAR: &str = "2022-01-01..2022-12-31";

#[test]
fn a_full_date_is_read_in_digits_and_in_every_language() {
    assert_days(&[
        ("2023-05-08", EIGHTH_OF_MAY),
        ("what happened on 2023-05-08T10:30:00Z?", EIGHTH_OF_MAY),
        ("notes of 2023/05/08", EIGHTH_OF_MAY),
        ("Notizen vom 8.5.2023", EIGHTH_OF_MAY),
        ("Notizen vom 08.05.2023.", EIGHTH_OF_MAY),
        ("notes of 13/5/2023", "2023-05-12..2023-05-14"),
        ("notes of 5/13/23", "2023-05-12..2023-05-14"),
        ("What did we say on 8 May 2023?", EIGHTH_OF_MAY),
        ("What did we say on 8 May, 2023?", EIGHTH_OF_MAY),
        ("What did we say on May 8th, 2023?", EIGHTH_OF_MAY),
        ("What did we say on the 8th of May 2023?", EIGHTH_OF_MAY),
        ("What did we say on Monday, May 8, 2023?", EIGHTH_OF_MAY),
        ("what did we say may 8 2023", EIGHTH_OF_MAY),
        ("Was haben wir am 8. Mai 2023 gesagt?", EIGHTH_OF_MAY),
        ("Wat zeiden we op 8 mei 2023?", EIGHTH_OF_MAY),
        ("Vad sa vi den 8 maj 2023?", EIGHTH_OF_MAY),
        ("Qu'avons-nous dit le 8 mai 2023 ?", EIGHTH_OF_MAY),
        ("Qu'avons-nous dit le 1er mai 2023 ?", "2023-04-30..2023-05-02"),
        ("¿Qué dijimos el 8 de mayo de 2023?", EIGHTH_OF_MAY),
        ("O que dissemos em 8 de maio de 2023?", EIGHTH_OF_MAY),
        ("Cosa abbiamo detto l'8 maggio 2023?", EIGHTH_OF_MAY),
        ("Что мы говорили 8 мая 2023 года?", EIGHTH_OF_MAY),
        ("Co mówiliśmy 8 maja 2023 roku?", EIGHTH_OF_MAY),
        ("8 Mayıs 2023'te ne dedik?", EIGHTH_OF_MAY),
        ("Τι είπαμε στις 8 Μαΐου 2023;", EIGHTH_OF_MAY),
        ("ماذا قلنا في ٨ مايو ٢٠٢٣؟", EIGHTH_OF_MAY),
        ("ماذا قلنا في 8 أيار 2023؟", EIGHTH_OF_MAY),
        ("हमने 8 मई 2023 को क्या कहा?", EIGHTH_OF_MAY),
        ("วันที่ 8 พฤษภาคม พ.ศ. 2566 เราพูดอะไร", EIGHTH_OF_MAY),
        ("วันที่ ๘ พฤษภาคม ๒๕๖๖ เราพูดอะไร", EIGHTH_OF_MAY),
        ("Chúng ta nói gì ngày 8 tháng 5 năm 2023?", EIGHTH_OF_MAY),
        ("我们2023年5月8日说了什么？", EIGHTH_OF_MAY),
        ("我們二〇二三年五月八日說了什麼？", EIGHTH_OF_MAY),
        ("我们2023年5月8号说了什么？", EIGHTH_OF_MAY),
        ("令和5年5月8日に何を話した？", EIGHTH_OF_MAY),
        ("2023년 5월 8일에 뭐라고 했지?", EIGHTH_OF_MAY),
    ]);
}

#[test]
fn months_and_years_are_read_in_every_language() {
    assert_days(&[
        ("What happened in May 2023?", MAY),
        ("What happened in 2022?", YEAR),
        ("2022", YEAR),
        ("Was geschah im Mai 2023?", MAY),
        ("Was geschah im Jahr 2022?", YEAR),
        ("Wo war ich 2022 im Urlaub?", YEAR),
        ("What happened in May last year?", "2022-05-01..2022-05-31"),
        ("去年5月发生了什么？", "2022-05-01..2022-05-31"),
        ("去年の夏は何をした？", "2022-06-01..2022-08-31"),
        ("Was geschah im Mai letzten Jahres?", "2022-05-01..2022-05-31"),
        ("Что случилось в мае прошлого года?", "2022-05-01..2022-05-31"),
        ("Wo lebte sie 2021 mit ihm?", "2021-01-01..2021-12-31"),
        ("Que s'est-il passé en mai 2023 ?", MAY),
        ("Que s'est-il passé en 2022 ?", YEAR),
        ("¿Qué pasó en mayo de 2023?", MAY),
        ("O que aconteceu em maio de 2023?", MAY),
        ("Cosa è successo a maggio 2023?", MAY),
        ("Cosa è successo nel 2022?", YEAR),
        ("Что случилось в мае 2023 года?", MAY),
        ("Что случилось в 2022 году?", YEAR),
        ("Co się stało w maju 2023?", MAY),
        ("Mayıs 2023'te ne oldu?", MAY),
        ("2022'de ne oldu?", YEAR),
        ("Τι έγινε τον Μάιο του 2023;", MAY),
        ("ماذا حدث في مايو 2023؟", MAY),
        ("ماذا حدث عام ٢٠٢٢؟", YEAR),
        ("2022 में क्या हुआ?", YEAR),
        ("เกิดอะไรขึ้นในปี 2565", YEAR),
        ("Chuyện gì xảy ra vào tháng 5 năm 2023?", MAY),
        ("2023年5月发生了什么？", MAY),
        ("2022年に何があった？", YEAR),
        ("2022년에 무슨 일이 있었지?", YEAR),
        ("What happened in summer 2022?", "2022-06-01..2022-08-31"),
        ("What happened in the summer of 2022?", "2022-06-01..2022-08-31"),
        ("What happened at the beginning of May 2023?", "2023-05-01..2023-05-10"),
        ("What happened in mid-May 2023?", "2023-05-11..2023-05-21"),
        ("¿Qué pasó en la última semana de mayo de 2023?", "2023-05-22..2023-05-31"),
        ("What happened in the last week of May 2023?", "2023-05-22..2023-05-31"),
    ]);
}

#[test]
fn a_range_reaches_from_its_first_day_to_its_last() {
    assert_days(&[
        ("What did I do between March and May 2023?", "2023-03-01..2023-05-31"),
        ("What did I do from 3 May 2023 to 8 May 2023?", "2023-05-02..2023-05-09"),
        ("Was habe ich zwischen 2021 und 2022 gemacht?", "2021-01-01..2022-12-31"),
        ("2021年から2022年まで何をした？", "2021-01-01..2022-12-31"),
    ]);
    let since = DateWords::find("What have I read since May 2021?", REFERENCE).unwrap();
    assert_eq!(since.agreement(REFERENCE), 1.0);
    assert_eq!(since.agreement(REFERENCE - 1000), 0.0);
    let before = DateWords::find("Where did I live before 2020?", REFERENCE).unwrap();
    assert_eq!(before.agreement(REFERENCE), 0.0);
    assert_eq!(before.agreement(REFERENCE - 3000), 1.0);
}

#[test]
fn relative_words_beside_a_full_date_are_read_from_it() {
    assert_days(&[
        ("What did I do the week before 8 May 2023?", "2023-05-01..2023-05-09"),
        ("What was the news last week, as of 8 May 2023?", EIGHTH_OF_MAY),
    ]);
}

#[test]
fn agreement_falls_off_after_the_period() {
    let day = |question: &str| {
        let date_words = DateWords::find(question, REFERENCE).unwrap();
        move |from: i32| date_words.agreement(REFERENCE + from)
    };
    // The reference is 17 May.
    let full = day("on 17 May 2023");
    assert_eq!([-2, -1, 0, 1, 2, 7, 8].map(full), [0.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.0]);
    let month = day("in April 2023");
    assert_eq!([-47, -46, -17, -16, -7, -6].map(month), [0.0, 1.0, 1.0, 0.5, 0.5, 0.0]);
    let month_day = day("on May 17th");
    assert_eq!([-8, -7, 0, 7, 8, -365].map(month_day), [0.0, 0.5, 1.0, 0.5, 0.0, 1.0]);
    let any_year = day("in May");
    assert_eq!([-17, -16, 14, 15, 365, -365].map(any_year), [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
}

#[test]
fn a_date_that_may_be_read_two_ways_is_read_both() {
    let both = DateWords::find("notes of 8/5/2023", REFERENCE).unwrap();
    let (may, august) = (REFERENCE - 9, REFERENCE + 80);
    assert_eq!([may, august].map(|day| both.agreement(day)), [1.0, 1.0]);
    assert_eq!(both.agreement(REFERENCE + 40), 0.0);
}

#[test]
fn the_rest_is_the_question_without_its_date_words() {
    let rest = |question: &str| {
        DateWords::find(question, REFERENCE).unwrap().rest().replace('\u{2029}', "…")
    };
    assert_eq!(rest("What did I eat on 8 May 2023?"), "What did I eat …?");
    assert_eq!(rest("我昨天吃了什么?"), "我…吃了什么?");
    assert_eq!(rest("Что я ел на прошлой неделе?"), "Что я ел …?");
    assert_eq!(rest("지난주에 어디 갔지?"), "… 어디 갔지?");
}
