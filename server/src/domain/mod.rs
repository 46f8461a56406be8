//! What memoryd talks about: identifiers, scopes, entries, queries, outcomes and limits.
//!
//! Nothing here knows gRPC, a store or an index. A value of these types is valid: whoever builds one
//! has checked it, and whoever is handed one need not check again.

mod calibration;
mod content;
mod entry;
mod filter;
mod id;
mod json;
mod limits;
mod outcome;
mod query;
mod scope;
mod time;
mod violation;

pub use calibration::Calibration;
pub use content::{Content, ContentError};
pub use entry::{Entry, EntryBody, NewEntry};
pub use filter::{EntryFilter, MetadataCondition};
pub use id::{AppName, Author, DERIVED_ID_BYTES, EntryId, ProjectId, SessionId, UserId};
pub use json::{JsonError, check_json, check_json_object, parse_json};
pub use limits::Limits;
pub use outcome::{AddReceipt, EntryResult, Outcome};
pub use query::{
    AddEntries, DeleteEntries, DeleteTarget, ListEntries, Match, SearchMode, SearchQuery,
    SearchStats, WriteMode,
};
pub use scope::{Scope, Tenant};
pub use time::{Timestamp, TimestampError};
pub use violation::{Violation, Violations};
