//! The models that are built in.

use std::sync::Arc;

use crate::embed::{EmbedOptions, Embedder, EmbedderChoice, Purpose, Work, open};

pub(super) fn of(choice: EmbedderChoice) -> Arc<dyn Embedder> {
    open(&EmbedOptions { choice, ..EmbedOptions::default() }).unwrap().unwrap()
}

/// Likeness of the two last texts to the first.
fn likeness(embedder: &dyn Embedder, texts: [&str; 3]) -> [f32; 2] {
    let vectors = embedder.embed(&texts, Purpose::Query).unwrap();
    let [question, near, far] = vectors.as_slice() else { panic!("{vectors:?}") };
    [near, far].map(|other| {
        let pairs = question.iter().flatten().zip(other.iter().flatten());
        pairs.map(|(one, other)| one * other).sum()
    })
}

/// What holds of every model at hand.
pub(super) fn assert_sound(embedder: &dyn Embedder) {
    let long = "ö long ".repeat(100_000);
    let vectors = embedder.embed(&["", "Grüße aus Köln", &long, " \n"], Purpose::Entry).unwrap();
    assert_eq!((&vectors[0], &vectors[3]), (&None, &None));
    for vector in [&vectors[1], &vectors[2]] {
        let vector = vector.as_deref().unwrap();
        let length: f32 = vector.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-4, "{length}");
        assert_eq!(Some(vector.len()), embedder.identity().dims());
    }
    let texts =
        ["Wo wohnt meine Schwester?", "my sister lives in Lyon", "the printer is out of paper"];
    let [near, far] = likeness(embedder, texts);
    assert!(near > far && near > embedder.calibration().floor as f32, "{near} {far}");
    assert_eq!(embedder.work(), Work::Processor);
}

#[cfg(feature = "encoder")]
#[test]
fn the_built_in_encoder_is_sound_and_keeps_its_floor_unless_told_otherwise() {
    let encoder = of(EmbedderChoice::Encoder);
    assert_sound(encoder.as_ref());
    assert_eq!((encoder.identity().dims(), encoder.calibration().floor), (Some(256), 0.10));
    assert!(encoder.identity().name().starts_with("use-m3-int4-"));
    let floor = Some(0.3);
    let options =
        EmbedOptions { choice: EmbedderChoice::Encoder, floor, ..EmbedOptions::default() };
    assert_eq!(open(&options).unwrap().unwrap().calibration().floor, 0.3);
}

#[cfg(feature = "static")]
#[test]
fn the_built_in_table_is_sound() {
    let table = of(EmbedderChoice::Static);
    assert_sound(table.as_ref());
    assert_eq!((table.identity().dims(), table.calibration().floor), (Some(128), 0.15));
    assert!(table.identity().name().starts_with("mse-128-int4-"));
}
