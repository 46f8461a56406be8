//! memoryd: a gRPC server that gives agents long-term memory.
//!
//! [`run`] is the whole server. Rooms, from the ground up, each of which knows only those below it:
//! [`domain`] (what is talked about), [`store`] (the log of entries), [`recall`] (ranking), [`embed`] (text
//! to vector), [`engine`] (a tenant's memory, where store and ranking meet), [`grpc`] (the wire).

pub mod config;
mod connections;
pub mod domain;
pub mod embed;
pub mod engine;
pub mod grpc;
pub mod recall;
mod run;
pub mod store;

pub use config::{Config, StoreKind};
pub use embed::{EmbedOptions, EmbedderChoice};
pub use engine::EmbedWhen;
pub use run::{RunError, Server, run};
pub use store::Durability;
