//! The program as a process: its command line, its signals, and what it leaves behind when it is killed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail there"
)]

mod cli;
mod damage;
mod disk;
mod forget;
mod kill;
mod program;
mod readme;
#[path = "../../examples/tour.rs"]
mod tour;
