#![doc = include_str!("../README.md")]

mod attempts;
mod builder;
mod calls;
mod client;
mod connection;
mod error;
mod heard;
mod hits;
mod retry;
mod scope;
mod settings;
mod status;

#[cfg(feature = "adk")]
pub mod adk;

#[cfg(test)]
mod fake;
#[cfg(test)]
mod tests;

pub use builder::MemoryClientBuilder;
pub use calls::{
    AddEntries, AddSession, DeleteEntries, DeleteProject, DeleteSession, DeleteUser, Filter,
    GetEntry, ListEntries, Search, SearchMode, text_entry,
};
pub use client::MemoryClient;
pub use error::{Error, ServerError, Violation};
pub use hits::{Hits, SearchTotals};
/// The messages of the wire, as generated from the proto file.
pub use memoryd_proto::v1 as proto;
pub use retry::RetryPolicy;
pub use scope::Scope;
#[cfg(feature = "adk")]
pub use settings::IngestMode;
pub use settings::Match;
