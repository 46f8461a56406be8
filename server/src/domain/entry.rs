//! Entries: what is stored, found and forgotten.

use bytes::Bytes;

use super::content::Content;
use super::id::{Author, EntryId, ProjectId, SessionId};
use super::time::Timestamp;

/// An entry to be added.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry {
    /// The caller's id; `None`: derived from what the entry says.
    pub id: Option<EntryId>,
    /// What was said.
    pub content: Content,
    /// Who said it.
    pub author: Author,
    /// When it was said; `None`: the server's time.
    pub timestamp: Option<Timestamp>,
    /// From when on it is hidden.
    pub expire_time: Option<Timestamp>,
    /// A JSON object as text.
    pub metadata_json: Option<String>,
}

/// What an entry carries besides its place and its times: the part that can be large.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryBody {
    /// What was said, as an encoded `memoryd.v1.Content`.
    pub content: Bytes,
    /// A JSON object as text.
    pub metadata_json: Option<String>,
}

/// An entry as it is stored, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Unique within its scope.
    pub id: EntryId,
    /// Its scope's project; `None`: the global scope.
    pub project_id: Option<ProjectId>,
    /// Its session; `None`: added directly.
    pub session_id: Option<SessionId>,
    /// Who said it.
    pub author: Author,
    /// When it was said.
    pub timestamp: Timestamp,
    /// When it was first stored.
    pub create_time: Timestamp,
    /// From when on it is hidden.
    pub expire_time: Option<Timestamp>,
    /// The rest.
    pub body: EntryBody,
}

/// What an entry takes on the wire beside its texts, in bytes: tags, lengths and three times.
const WIRE_OVERHEAD_BYTES: usize = 96;

impl Entry {
    /// About how many bytes the entry takes on the wire, never less than it does.
    pub fn wire_bytes(&self, omit_blobs: bool) -> usize {
        let EntryBody { content, metadata_json } = &self.body;
        let blobs = if omit_blobs { Content::omittable_bytes(content) } else { 0 };
        WIRE_OVERHEAD_BYTES
            + self.id.as_str().len()
            + self.project_id.as_ref().map_or(0, |id| id.as_str().len())
            + self.session_id.as_ref().map_or(0, |id| id.as_str().len())
            + self.author.as_str().len()
            + metadata_json.as_ref().map_or(0, String::len)
            + content.len().saturating_sub(blobs)
    }
}
