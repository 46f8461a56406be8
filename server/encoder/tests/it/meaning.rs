//! Texts that mean the same are nearer to each other than to others.

use memoryd_encoder::{Encoder, StaticTable};

use crate::reference::dot;

/// The same fact in three languages each, facts apart.
const FACTS: [[&str; 3]; 4] = [
    [
        "My sister is allergic to peanuts.",
        "Meine Schwester ist gegen Erdnüsse allergisch.",
        "我妹妹对花生过敏。",
    ],
    [
        "The train to the coast leaves at six.",
        "El tren a la costa sale a las seis.",
        "Поезд на побережье уходит в шесть.",
    ],
    [
        "He paints old boats in winter.",
        "En hiver, il peint de vieux bateaux.",
        "彼は冬に古い船の絵を描く。",
    ],
    [
        "The garden needs water twice a week.",
        "Il giardino va annaffiato due volte a settimana.",
        "تحتاج الحديقة إلى الماء مرتين في الأسبوع.",
    ],
];

fn assert_nearest(encode: impl Fn(&str) -> Option<Vec<f32>>) {
    let facts = FACTS.map(|fact| fact.map(|text| encode(text).unwrap()));
    for (index, fact) in facts.iter().enumerate() {
        for (language, vector) in fact.iter().enumerate().skip(1) {
            let likeness = facts.each_ref().map(|other| dot(&other[0], vector));
            let best = (0..4).max_by(|&a, &b| likeness[a].total_cmp(&likeness[b]));
            assert_eq!(best, Some(index), "{}: {likeness:?}", FACTS[index][language]);
        }
    }
}

#[test]
fn encoder_finds_a_fact_told_in_another_language() {
    let encoder = Encoder::builtin().unwrap();
    assert_nearest(|text| encoder.encode(text));
}

#[test]
fn table_finds_a_fact_told_in_another_language() {
    let table = StaticTable::builtin().unwrap();
    assert_nearest(|text| table.encode(text));
}

#[test]
fn stop_words_do_not_turn_the_tables_vector() {
    let table = StaticTable::builtin().unwrap();
    assert_eq!(
        table.encode("What is the boiling point of mercury"),
        table.encode("boiling point mercury")
    );
}
