//! Filters of the wire.

use std::collections::HashSet;
use std::hash::Hash;

use memoryd_proto::v1 as pb;

use super::may_hold;
use super::time::optional_time;
use crate::domain::{
    Author, EntryFilter, Limits, MetadataCondition, SessionId, Violations, parse_json,
};

/// The filter of a request; unset: everything passes.
pub(super) fn filter(wire: Option<pb::EntryFilter>, violations: &mut Violations) -> EntryFilter {
    let Some(pb::EntryFilter { session_ids, authors, start_time, end_time, metadata }) = wire
    else {
        return EntryFilter::default();
    };
    let sessions = collect(session_ids, "filter.session_ids", violations, SessionId::new);
    let authors = collect(authors, "filter.authors", violations, Author::new);
    let start = optional_time(start_time, "filter.start_time", violations);
    let end = optional_time(end_time, "filter.end_time", violations);
    let many = metadata.len();
    let metadata = if may_hold(many, Limits::FILTER_VALUES, "filter.metadata", violations) {
        metadata
    } else {
        Vec::new()
    };
    let metadata = metadata
        .into_iter()
        .enumerate()
        .map(|(position, wire)| {
            condition(wire, &format!("filter.metadata[{position}]"), violations)
        })
        .collect();
    EntryFilter { sessions, authors, start, end, metadata }
}

fn collect<T: Eq + Hash, E: std::fmt::Display>(
    wire: Vec<String>,
    field: &str,
    violations: &mut Violations,
    check: fn(String) -> Result<T, E>,
) -> HashSet<T> {
    if !may_hold(wire.len(), Limits::FILTER_VALUES, field, violations) {
        return HashSet::new();
    }
    wire.into_iter()
        .enumerate()
        .filter_map(|(position, text)| {
            violations.check(&format!("{field}[{position}]"), check(text))
        })
        .collect()
}

fn condition(
    wire: pb::MetadataCondition,
    path: &str,
    violations: &mut Violations,
) -> MetadataCondition {
    let pb::MetadataCondition { key, values_json } = wire;
    if key.len() > Limits::NAME_BYTES {
        violations.add(
            format!("{path}.key"),
            format!("must be at most {} bytes long, is {}", Limits::NAME_BYTES, key.len()),
        );
    }
    let field = format!("{path}.values_json");
    if !may_hold(values_json.len(), Limits::FILTER_VALUES, &field, violations) {
        return MetadataCondition { key, values: Vec::new() };
    }
    let values = values_json
        .iter()
        .enumerate()
        .filter_map(|(position, text)| {
            violations.check(&format!("{field}[{position}]"), parse_json(text))
        })
        .collect();
    MetadataCondition { key, values }
}
