//! Entries: adk's and the wire's.

use adk_memory::MemoryEntry;
use memoryd_proto::v1;

use super::content::{content_from_wire, content_to_wire};
use super::{ConversionError, time};

/// An entry of adk as one to be added. `field` names it in errors.
///
/// # Errors
///
/// [`ConversionError::TimeOutOfRange`] for a time before the year 1 or after the year 9999. A leap
/// second becomes the last nanosecond before it.
pub fn entry_to_wire(entry: MemoryEntry, field: &str) -> Result<v1::NewEntry, ConversionError> {
    let MemoryEntry { content, author, timestamp } = entry;
    Ok(v1::NewEntry {
        entry_id: None,
        content: Some(content_to_wire(content)),
        author,
        timestamp: Some(time::to_wire(timestamp, &format!("{field}.timestamp"))?),
        expire_time: None,
        metadata_json: None,
    })
}

/// A stored entry as adk has it. What adk has no place for (ids, scope, session, expiry, metadata)
/// is left behind.
///
/// # Errors
///
/// As [`content_from_wire`].
pub fn entry_from_wire(entry: v1::Entry) -> Result<MemoryEntry, ConversionError> {
    let v1::Entry {
        entry_id: _,
        project_id: _,
        session_id: _,
        content,
        author,
        timestamp,
        create_time: _,
        expire_time: _,
        metadata_json: _,
    } = entry;
    let content = content.ok_or_else(|| ConversionError::reply("content", "is missing"))?;
    Ok(MemoryEntry {
        content: content_from_wire(content, "content")?,
        author,
        timestamp: time::from_wire(timestamp, "timestamp")?,
    })
}

/// Several entries of one call, each named by its place.
pub(super) fn entries_to_wire(
    entries: Vec<MemoryEntry>,
) -> Result<Vec<v1::NewEntry>, ConversionError> {
    let entries = entries.into_iter().enumerate();
    entries.map(|(index, entry)| entry_to_wire(entry, &format!("entries[{index}]"))).collect()
}
