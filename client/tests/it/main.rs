//! The client against the real server.

#[path = "../../examples/agent.rs"]
mod example;

mod agent;
mod plain;
mod server;
mod service;
