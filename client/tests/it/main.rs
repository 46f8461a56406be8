//! The client against the real server.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "../../examples/agent.rs"]
mod example;

#[path = "../../examples/quickstart.rs"]
mod quickstart;

mod agent;
mod plain;
mod readme;
mod server;
mod service;
