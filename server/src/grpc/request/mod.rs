//! Requests of the wire as requests of the domain. Every message is taken apart field by field, so that a
//! new field can't be overlooked, and all mistakes are collected.

mod delete;
mod entry;
mod filter;
mod list;
mod scope;
mod search;
mod time;

pub(super) use delete::{delete_entries, delete_project, delete_session, delete_user};
pub(super) use entry::{add_entries, add_session};
pub(super) use list::{get_entry, list_entries};
pub(super) use search::search;

use crate::domain::Violations;

/// Whether a list is within its limit; otherwise that is noted, and the list is not looked at any further.
fn may_hold(length: usize, limit: usize, field: &str, violations: &mut Violations) -> bool {
    if length > limit {
        violations.add(field, format!("must hold at most {limit}, holds {length}"));
    }
    length <= limit
}

/// The value, if nothing was wrong and it is there.
fn finish<T>(value: Option<T>, violations: Violations) -> Result<T, Violations> {
    match value {
        Some(value) if violations.is_empty() => Ok(value),
        _ => Err(violations),
    }
}
