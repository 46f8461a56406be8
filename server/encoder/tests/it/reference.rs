//! Pieces and vectors that the reference implementation wrote.

use std::fs;
use std::path::Path;

use memoryd_encoder::{DIMENSIONS, Encoder, Scratch};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    text: String,
    pieces: Vec<u32>,
    vector: Vec<f32>,
}

fn cases() -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("model/use-m3-int4/test_vectors.jsonl");
    let lines = fs::read_to_string(path).unwrap();
    let cases: Vec<Case> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= 30);
    cases
}

pub(crate) fn dot(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[test]
fn pieces_are_those_of_the_reference() {
    let encoder = Encoder::builtin().unwrap();
    for case in cases() {
        assert_eq!(encoder.pieces(&case.text), case.pieces, "{}", case.text);
    }
}

#[test]
fn vectors_point_where_those_of_the_reference_do() {
    let encoder = Encoder::builtin().unwrap();
    let mut least = f32::INFINITY;
    for case in cases() {
        // The file has four places.
        let length = dot(&case.vector, &case.vector).sqrt();
        let cosine = dot(&encoder.encode(&case.text).unwrap(), &case.vector) / length;
        assert!(cosine > 0.9999, "{cosine} for {}", case.text);
        least = least.min(cosine);
    }
    eprintln!("least cosine {least:.6}");
}

/// The bits of the vectors as they came out with AVX-512; other instruction sets must give them
/// too.
#[test]
fn vectors_are_the_same_on_every_machine() {
    let encoder = Encoder::builtin().unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for case in cases() {
        for value in encoder.encode(&case.text).unwrap() {
            for byte in value.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    assert_eq!(format!("{hash:016x}"), "a7e790f69abbe446");
}

#[test]
fn used_scratch_leaves_no_trace() {
    let encoder = Encoder::builtin().unwrap();
    let mut scratch = Scratch::default();
    let cases = cases();
    for case in cases.iter().chain(cases.iter().rev()) {
        let vector = encoder.encode_with(&mut scratch, &case.text).unwrap();
        assert_eq!(vector.len(), DIMENSIONS);
        assert_eq!(vector, encoder.encode(&case.text).unwrap(), "{}", case.text);
    }
}
