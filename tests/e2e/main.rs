//! End to end: the real server on port 0, the real store in a temporary folder, real gRPC.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail there"
)]

mod harness;

mod smoke;
