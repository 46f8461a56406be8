//! The files of the models are the ones whose digests are written down.

use std::fs;
use std::path::Path;

use memoryd_encoder::{ENCODER_ID, TABLE_ID};
use sha2::{Digest, Sha256};

/// Digest and name of every file in `SHA256SUMS`.
fn sums() -> Vec<(String, String)> {
    let list = fs::read_to_string(folder().join("SHA256SUMS")).unwrap();
    list.lines()
        .map(|line| {
            let (digest, name) = line.split_once("  ").unwrap();
            (digest.to_owned(), name.to_owned())
        })
        .collect()
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("model")
}

#[test]
fn model_files_have_the_digests_written_down() {
    let sums = sums();
    assert_eq!(sums.len(), 11);
    for (digest, name) in sums {
        let found: String = Sha256::digest(fs::read(folder().join(&name)).unwrap())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(found, digest, "{name}");
    }
}

#[test]
fn ids_hold_the_digests_of_the_weights() {
    for (id, file) in [(ENCODER_ID, "encoder.safetensors"), (TABLE_ID, "table.bin")] {
        let (digest, _) = sums().into_iter().find(|(_, name)| name.ends_with(file)).unwrap();
        assert!(id.ends_with(&format!("-{}", &digest[..8])), "{id}");
    }
}
