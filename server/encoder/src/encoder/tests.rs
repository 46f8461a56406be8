//! Weights that are no encoder.

use super::*;

fn error(weights: Vec<u8>) -> ModelError {
    Encoder::new(weights.leak(), Vocabulary::builtin()).err().unwrap()
}

/// Where `name` stands in the header.
fn find(name: &str) -> usize {
    let header = &WEIGHTS[..4096];
    header.windows(name.len()).position(|window| window == name.as_bytes()).unwrap()
}

#[test]
fn weights_cut_short_are_no_encoder() {
    for length in [0, 7, 100, WEIGHTS.len() - 1] {
        assert!(
            matches!(error(WEIGHTS[..length].to_vec()), ModelError::Safetensors(_)),
            "{length}"
        );
    }
}

#[test]
fn a_tensor_of_another_name_or_shape_is_told() {
    let mut renamed = WEIGHTS.to_vec();
    renamed[find("\"d2.q\"") + 1] = b'x';
    assert_eq!(error(renamed).to_string(), "tensor d2.q is missing or not I8 [320, 512]");
    let mut turned = WEIGHTS.to_vec();
    let at = find("[512,256]");
    turned[at..at + 9].copy_from_slice(b"[256,512]");
    assert!(matches!(error(turned), ModelError::Tensor { .. }));
}

#[test]
fn weights_that_are_not_finite_are_refused() {
    let mut file = WEIGHTS.to_vec();
    let header = u64::from_le_bytes(*file.first_chunk().unwrap()) as usize;
    // The first tensor is a bias.
    file[8 + header..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(error(file).to_string(), "conv2.first.bias holds a value that is not finite");
}

#[test]
fn a_vocabulary_of_another_size_is_refused() {
    let vocabulary = Vocabulary::from_tsv("<unk>\t0\n<s>\t0\n</s>\t0\na\t-1\n").unwrap();
    let error = Encoder::new(WEIGHTS, vocabulary).err().unwrap();
    assert!(matches!(error, ModelError::Mismatch { rows: 128_000, pieces: 4 }), "{error}");
}
