//! Where a call is aimed, and the requests that go there.

use memoryd_proto::v1::*;

/// The isolation key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place<'a> {
    pub(crate) app: &'a str,
    pub(crate) user: &'a str,
    pub(crate) project: Option<&'a str>,
}

/// The global scope of "user" in "app".
pub(crate) const GLOBAL: Place<'static> = Place { app: "app", user: "user", project: None };

/// The global scope of a user of "app".
pub(crate) fn user(id: &str) -> Place<'_> {
    Place { user: id, ..GLOBAL }
}

impl<'a> Place<'a> {
    /// The same user's project.
    pub(crate) fn in_project(self, id: &'a str) -> Self {
        Self { project: Some(id), ..self }
    }

    pub(crate) fn session(&self, id: &str, entries: Vec<NewEntry>) -> AddSessionRequest {
        AddSessionRequest {
            app_name: self.app.into(),
            user_id: self.user.into(),
            project_id: self.project.map(Into::into),
            session_id: id.into(),
            entries,
            mode: WriteMode::Unspecified.into(),
            restore_deleted: false,
        }
    }

    /// A session that becomes exactly these entries.
    pub(crate) fn replacement(&self, id: &str, entries: Vec<NewEntry>) -> AddSessionRequest {
        AddSessionRequest { mode: WriteMode::Replace.into(), ..self.session(id, entries) }
    }

    pub(crate) fn entries(&self, entries: Vec<NewEntry>) -> AddEntriesRequest {
        AddEntriesRequest {
            app_name: self.app.into(),
            user_id: self.user.into(),
            project_id: self.project.map(Into::into),
            entries,
            restore_deleted: false,
        }
    }

    /// A search by words that takes all hits.
    pub(crate) fn query(&self, text: &str) -> SearchRequest {
        SearchRequest {
            app_name: self.app.into(),
            user_id: self.user.into(),
            project_id: self.project.map(Into::into),
            query: text.into(),
            limit: Some(u32::MAX),
            mode: SearchMode::Lexical.into(),
            ..SearchRequest::default()
        }
    }

    pub(crate) fn listing(&self) -> ListEntriesRequest {
        ListEntriesRequest {
            app_name: self.app.into(),
            user_id: self.user.into(),
            project_id: self.project.map(Into::into),
            page_size: 1_000,
            ..ListEntriesRequest::default()
        }
    }

    pub(crate) fn get(&self, id: &str) -> GetEntryRequest {
        GetEntryRequest {
            app_name: self.app.into(),
            user_id: self.user.into(),
            project_id: self.project.map(Into::into),
            entry_id: id.into(),
            omit_blobs: false,
        }
    }

    /// A deletion by words.
    pub(crate) fn deletion(&self, text: &str) -> DeleteEntriesRequest {
        DeleteEntriesRequest { query: Some(text.into()), ..self.deletion_of::<&str>(&[]) }
    }

    /// A deletion by ids.
    pub(crate) fn deletion_of<S: AsRef<str>>(&self, ids: &[S]) -> DeleteEntriesRequest {
        DeleteEntriesRequest {
            app_name: self.app.into(),
            user_id: self.user.into(),
            project_id: self.project.map(Into::into),
            entry_ids: ids.iter().map(|id| id.as_ref().to_owned()).collect(),
            ..DeleteEntriesRequest::default()
        }
    }
}
