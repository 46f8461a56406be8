//! adk-memory as its own tests see it, with one thing exchanged: `InMemoryMemoryService` is a
//! client of a real memoryd.

pub use adk_memory_real::*;
pub use inmemory::InMemoryMemoryService;

mod server;

/// In place of adk-memory's module of this name.
pub mod inmemory;
