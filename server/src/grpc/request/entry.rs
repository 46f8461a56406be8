//! Entries to be added.

use memoryd_proto::v1 as pb;

use super::scope::{scope, session};
use super::time::optional_time;
use super::{finish, may_hold};
use crate::domain::{
    AddEntries, Author, Content, EntryId, JsonError, Limits, NewEntry, Violations, WriteMode,
    check_json_object,
};

/// The addition that an AddSession asks for.
pub(in crate::grpc) fn add_session(
    request: pb::AddSessionRequest,
) -> Result<AddEntries, Violations> {
    let pb::AddSessionRequest {
        app_name,
        user_id,
        project_id,
        session_id,
        entries,
        mode,
        restore_deleted,
    } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    let session_id = session(session_id, &mut violations);
    let mode = write_mode(mode, &mut violations);
    if mode == WriteMode::Replace && entries.is_empty() {
        violations.add(
            "entries",
            "must not be empty when the mode is WRITE_MODE_REPLACE; to empty a session, delete it",
        );
    }
    let entries = new_entries(entries, &mut violations);
    let request = scope.zip(session_id).map(|(scope, session_id)| AddEntries {
        scope,
        session_id: Some(session_id),
        entries,
        mode,
        restore_deleted,
    });
    finish(request, violations)
}

/// The addition that an AddEntries asks for.
pub(in crate::grpc) fn add_entries(
    request: pb::AddEntriesRequest,
) -> Result<AddEntries, Violations> {
    let pb::AddEntriesRequest { app_name, user_id, project_id, entries, restore_deleted } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    let entries = new_entries(entries, &mut violations);
    let request = scope.map(|scope| AddEntries {
        scope,
        session_id: None,
        entries,
        mode: WriteMode::Upsert,
        restore_deleted,
    });
    finish(request, violations)
}

fn write_mode(wire: i32, violations: &mut Violations) -> WriteMode {
    match pb::WriteMode::try_from(wire) {
        Ok(pb::WriteMode::Unspecified | pb::WriteMode::Upsert) => WriteMode::Upsert,
        Ok(pb::WriteMode::Replace) => WriteMode::Replace,
        Err(_) => {
            violations.add("mode", format!("has no value {wire}"));
            WriteMode::Upsert
        }
    }
}

fn new_entries(wire: Vec<pb::NewEntry>, violations: &mut Violations) -> Vec<NewEntry> {
    if !may_hold(wire.len(), Limits::ENTRIES, "entries", violations) {
        return Vec::new();
    }
    wire.into_iter()
        .enumerate()
        .filter_map(|(position, entry)| {
            new_entry(entry, &format!("entries[{position}]"), violations)
        })
        .collect()
}

fn new_entry(wire: pb::NewEntry, path: &str, violations: &mut Violations) -> Option<NewEntry> {
    let pb::NewEntry { entry_id, content, author, timestamp, expire_time, metadata_json } = wire;
    let id = match entry_id {
        None => Some(None),
        Some(id) => violations.check(&format!("{path}.entry_id"), EntryId::new(id)).map(Some),
    };
    let content = match content {
        Some(content) => Some(Content::check(content, &format!("{path}.content"), violations)),
        None => {
            violations.add(format!("{path}.content"), "must be set");
            None
        }
    };
    let author = violations.check(&format!("{path}.author"), Author::new(author));
    let timestamp = optional_time(timestamp, &format!("{path}.timestamp"), violations);
    let expire_time = optional_time(expire_time, &format!("{path}.expire_time"), violations);
    if let Some(text) = &metadata_json {
        violations.check(&format!("{path}.metadata_json"), check_metadata(text));
    }
    Some(NewEntry {
        id: id?,
        content: content?,
        author: author?,
        timestamp,
        expire_time,
        metadata_json,
    })
}

fn check_metadata(text: &str) -> Result<(), JsonError> {
    if text.len() > Limits::METADATA_BYTES {
        return Err(JsonError::TooLong { limit: Limits::METADATA_BYTES, actual: text.len() });
    }
    check_json_object(text)
}
