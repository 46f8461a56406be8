//! Compiles `proto/` into the types of this crate and the descriptor set that reflection serves.
//! protox does it in Rust, so that nobody needs to install protoc.

use std::path::PathBuf;
use std::{env, error::Error, fs};

use prost::Message;

const PROTO_ROOT: &str = "proto";
const PROTO_FILE: &str = "proto/memoryd/v1/memory.proto";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={PROTO_ROOT}");

    // Imports go into the set: reflection must resolve google.protobuf.Timestamp. Comments too: they
    // are what `grpcurl describe` shows.
    let descriptors = protox::Compiler::new([PROTO_ROOT])?
        .include_imports(true)
        .include_source_info(true)
        .open_file(PROTO_FILE)?
        .file_descriptor_set();

    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out_dir.join("memoryd.v1.descriptors.bin"), descriptors.encode_to_vec())?;

    tonic_prost_build::configure()
        // Connecting is the business of the client crate.
        .build_transport(false)
        // Blobs of 10 MiB are handed on without a copy.
        .bytes(".")
        .compile_fds(descriptors)?;
    Ok(())
}
