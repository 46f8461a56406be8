//! Prepares the built-in vocabulary, so that a server reads it in place instead of parsing it.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

#[path = "src/vocabulary/builder.rs"]
mod builder;
#[expect(unreachable_pub, reason = "the library has it in its own interface")]
#[path = "src/vocabulary/prepare.rs"]
mod prepare;

const VOCABULARY: &str = "model/mse-128-int4/vocab.tsv";

fn main() -> Result<(), Box<dyn Error>> {
    for file in ["build.rs", VOCABULARY, "src/vocabulary/builder.rs", "src/vocabulary/prepare.rs"] {
        println!("cargo::rerun-if-changed={file}");
    }
    if env::var_os("CARGO_FEATURE_ENCODER").is_none()
        && env::var_os("CARGO_FEATURE_STATIC").is_none()
    {
        return Ok(());
    }
    let text = fs::read_to_string(VOCABULARY)?;
    let prepared = prepare::prepare(&prepare::parse_tsv(&text)?)?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("trie.bin"), prepared.trie)?;
    fs::write(out.join("scores.bin"), prepared.scores)?;
    Ok(())
}
