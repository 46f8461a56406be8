//! The wire: requests into the domain, answers out of it, errors by one table, and the layers around.

mod info;
pub mod layers;
mod reason;
mod request;
mod response;
mod service;
mod status;
mod stream;

pub use service::MemoryGrpc;
