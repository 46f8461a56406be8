//! The client against the real server.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

#[path = "../../examples/agent.rs"]
mod example;

mod agent;
mod plain;
mod server;
mod service;
