//! Text of every kind, and far too much of it.

use std::thread;
use std::time::{Duration, Instant};

use memoryd_encoder::{Encoder, MOST_CHARACTERS, MOST_PIECES, StaticTable};
use proptest::prelude::*;

use crate::reference::dot;

fn is_unit(vector: &[f32]) -> bool {
    (dot(vector, vector) - 1.0).abs() < 1e-4
}

#[test]
fn text_of_nothing_but_space_has_no_vector() {
    let (encoder, table) = (Encoder::builtin().unwrap(), StaticTable::builtin().unwrap());
    for text in ["", " ", "\n\t  \r\n", "\u{a0}\u{3000}\u{2003}", "\u{1c}\u{1f}\u{85}"] {
        assert_eq!(encoder.encode(text), None, "{text:?}");
        assert!(encoder.pieces(text).is_empty(), "{text:?}");
        assert_eq!(table.encode(text), None, "{text:?}");
    }
}

#[test]
fn odd_text_has_a_vector_of_unit_length() {
    let encoder = Encoder::builtin().unwrap();
    for text in [
        "\0",
        "a\0b",
        "\u{301}\u{301}",
        "👩‍👩‍👧‍👦🏳️‍🌈🇩🇪",
        "\u{fffd}\u{ffff}\u{10ffff}",
        "\u{202e}abc\u{200b}\u{feff}",
        "▁▁▁",
        "ﬁ ½ ㍿ ﷺ",
        "မြန်မာ ਪੰਜਾਬੀ አማርኛ ខ្មែរ ქართული ᏣᎳᎩ ߒߞߏ 𐎠𐎼𐎡 ᚠᚢᚦ",
        "extra_token_id_1 <s> </s> <unk>",
    ] {
        assert!(is_unit(&encoder.encode(text).unwrap()), "{text:?}");
    }
}

#[test]
fn a_word_of_a_mebibyte_costs_as_little_as_a_page() {
    let (encoder, table) = (Encoder::builtin().unwrap(), StaticTable::builtin().unwrap());
    let size = 1 << 20;
    for part in ["a", "é", "語", "e\u{301}", "\u{301}", "👍", "a ", " ", "\u{fdfa}", "\0"] {
        let mut text = part.repeat(size / part.len());
        text.push('z');
        let start = Instant::now();
        let pieces = encoder.pieces(&text);
        assert!(encoder.encode(&text).is_some_and(|vector| is_unit(&vector)), "{part:?}");
        table.encode(&text);
        assert!(pieces.len() <= MOST_PIECES && pieces.len() > 2, "{part:?}");
        // Unoptimised dependencies on a busy machine; quadratic work would take minutes.
        assert!(start.elapsed() < Duration::from_secs(2), "{part:?} {:?}", start.elapsed());
    }
}

#[test]
fn text_beyond_the_limit_changes_nothing() {
    let (encoder, table) = (Encoder::builtin().unwrap(), StaticTable::builtin().unwrap());
    let text = "sea and sand ".repeat(MOST_CHARACTERS / 13 + 1);
    let longer = format!("{text} volcano");
    assert_eq!(encoder.encode(&text), encoder.encode(&longer));
    assert_eq!(table.encode(&text), table.encode(&longer));
    assert_eq!(encoder.pieces(&text).len(), MOST_PIECES);
}

#[test]
fn threads_that_share_the_models_get_the_same_vectors() {
    let (encoder, table) = (Encoder::builtin().unwrap(), StaticTable::builtin().unwrap());
    let text = "The lighthouse keeper counts ships at dawn.";
    let alone = (encoder.encode(text), table.encode(text));
    thread::scope(|scope| {
        let run = || (encoder.encode(text), table.encode(text));
        let others: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        for other in others {
            assert_eq!(other.join().unwrap(), alone);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_has_a_vector_unless_it_is_space(text in "\\PC{0,200}|(?s).{0,60}") {
        thread_local! {
            static MODELS: (Encoder, StaticTable) =
                (Encoder::builtin().unwrap(), StaticTable::builtin().unwrap());
        }
        MODELS.with(|(encoder, table)| {
            let vector = encoder.encode(&text);
            prop_assert_eq!(vector.is_none(), encoder.pieces(&text).is_empty());
            prop_assert!(vector.is_none_or(|vector| is_unit(&vector)));
            prop_assert!(table.encode(&text).is_none_or(|vector| is_unit(&vector)));
            Ok(())
        })?;
    }
}
