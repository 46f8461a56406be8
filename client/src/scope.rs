//! The isolation key of every call: application, user, and perhaps a project.

use memoryd_proto::v1::NewEntry;

use crate::calls::{
    AddEntries, AddSession, DeleteEntries, DeleteProject, DeleteSession, DeleteUser, GetEntry,
    ListEntries, Search,
};
use crate::client::MemoryClient;

/// The memory of one user of one application, globally or in one project; made by
/// [`MemoryClient::scope`]. Nothing done through it reaches another user's data.
///
/// Searching and listing a project also see the global scope; adding, reading by id and deleting
/// touch exactly the scope that is named. Names are opaque, at most 512 bytes (a project's: 256
/// characters), and not empty.
#[derive(Debug, Clone)]
pub struct Scope {
    pub(crate) client: MemoryClient,
    pub(crate) app_name: String,
    pub(crate) user_id: String,
    pub(crate) project_id: Option<String>,
}

impl Scope {
    pub(crate) fn new(client: MemoryClient, app_name: String, user_id: String) -> Self {
        Self { client, app_name, user_id, project_id: None }
    }

    /// The same user's memory in a project.
    #[must_use]
    pub fn in_project(mut self, project_id: impl Into<String>) -> Self {
        self.project_id = Some(project_id.into());
        self
    }

    /// Adds entries to a session: what the session already holds stays, the same entries again
    /// change nothing.
    pub fn add_session(&self, session_id: impl Into<String>, entries: Vec<NewEntry>) -> AddSession {
        AddSession::new(self, session_id.into(), entries)
    }

    /// Adds entries without a session.
    pub fn add_entries(&self, entries: Vec<NewEntry>) -> AddEntries {
        AddEntries::new(self, entries)
    }

    /// Finds entries by plain text, best first.
    pub fn search(&self, query: impl Into<String>) -> Search {
        Search::new(self, query.into())
    }

    /// Lists entries, newest first.
    pub fn list(&self) -> ListEntries {
        ListEntries::new(self)
    }

    /// Reads one entry of exactly this scope.
    pub fn entry(&self, entry_id: impl Into<String>) -> GetEntry {
        GetEntry::new(self, entry_id.into())
    }

    /// Deletes entries of exactly this scope by their ids.
    pub fn delete_entries(&self, entry_ids: Vec<String>) -> DeleteEntries {
        DeleteEntries::by_ids(self, entry_ids)
    }

    /// Deletes the entries of exactly this scope that hold the words of a text. An empty text is an
    /// error, never everything.
    pub fn delete_matching(&self, query: impl Into<String>) -> DeleteEntries {
        DeleteEntries::by_query(self, query.into())
    }

    /// Deletes a session of exactly this scope.
    pub fn delete_session(&self, session_id: impl Into<String>) -> DeleteSession {
        DeleteSession::new(self, session_id.into())
    }

    /// Deletes everything of this scope's project; the scope must be of one.
    pub fn delete_project(&self) -> DeleteProject {
        DeleteProject::new(self)
    }

    /// Erases everything of this scope's user, in every project.
    pub fn delete_user(&self) -> DeleteUser {
        DeleteUser::new(self)
    }
}
