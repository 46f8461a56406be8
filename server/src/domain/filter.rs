//! Which entries a search or a listing looks at.

use std::collections::HashSet;

use serde_json::Value;

use super::id::{Author, SessionId};
use super::time::Timestamp;

/// Narrows what is looked at. Every field that is set narrows; values of one field are alternatives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EntryFilter {
    /// Only these sessions; empty: all, and entries without a session.
    pub sessions: HashSet<SessionId>,
    /// Only these authors; empty: all.
    pub authors: HashSet<Author>,
    /// Only entries said at this time or later.
    pub start: Option<Timestamp>,
    /// Only entries said before this time.
    pub end: Option<Timestamp>,
    /// Only entries that satisfy each of these.
    pub metadata: Vec<MetadataCondition>,
}

/// A condition on one member of an entry's metadata.
#[derive(Debug, Clone, PartialEq)]
pub struct MetadataCondition {
    /// The member's name at the top level.
    pub key: String,
    /// The member equals one of these; empty: it exists.
    pub values: Vec<Value>,
}

impl MetadataCondition {
    /// Whether an object satisfies the condition.
    pub fn holds(&self, metadata: &serde_json::Map<String, Value>) -> bool {
        match metadata.get(&self.key) {
            None => false,
            Some(value) => self.values.is_empty() || self.values.contains(value),
        }
    }
}

impl EntryFilter {
    /// Whether every entry passes.
    pub fn is_open(&self) -> bool {
        let Self { sessions, authors, start, end, metadata } = self;
        sessions.is_empty()
            && authors.is_empty()
            && start.is_none()
            && end.is_none()
            && metadata.is_empty()
    }

    /// Whether an event time passes.
    pub fn admits_time(&self, timestamp: Timestamp) -> bool {
        self.start.is_none_or(|start| timestamp >= start)
            && self.end.is_none_or(|end| timestamp < end)
    }

    /// Whether an author passes.
    pub fn admits_author(&self, author: &str) -> bool {
        self.authors.is_empty() || self.authors.contains(author)
    }

    /// Whether a session passes.
    pub fn admits_session(&self, session: Option<&str>) -> bool {
        self.sessions.is_empty() || session.is_some_and(|session| self.sessions.contains(session))
    }

    /// Whether metadata passes; an entry without metadata passes when there is no condition.
    pub fn admits_metadata(&self, metadata_json: Option<&str>) -> bool {
        if self.metadata.is_empty() {
            return true;
        }
        let parsed = metadata_json.and_then(|text| serde_json::from_str(text).ok());
        let Some(Value::Object(object)) = parsed else { return false };
        self.metadata.iter().all(|condition| condition.holds(&object))
    }
}
