//! The 26 tests of adk-memory 2.3.0 that its `InMemoryMemoryService` passes, compiled from the
//! crate's own sources (the build script finds them), against a real memoryd.

include!(concat!(env!("OUT_DIR"), "/suite.rs"));
