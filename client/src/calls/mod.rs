//! The calls of the memory service, a builder each: set what differs from the default, then `send`.

mod add;
mod delete;
mod filter;
mod get;
mod list;
mod search;
mod server;

pub use add::{AddEntries, AddSession, text_entry};
pub use delete::{DeleteEntries, DeleteProject, DeleteSession, DeleteUser};
pub use filter::Filter;
pub use get::GetEntry;
pub use list::ListEntries;
pub use search::{Search, SearchMode};
