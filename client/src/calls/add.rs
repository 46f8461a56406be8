//! Adding: upserts by entry identity.

use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::{
    AddEntriesRequest, AddSessionRequest, AddSessionResponse, Content, EntryResult, NewEntry, Part,
    WriteMode,
};

use crate::client::MemoryClient;
use crate::error::Error;
use crate::scope::Scope;

/// An entry of one text, said by `author` ("user", or an agent's name), without a time of its own.
#[must_use]
pub fn text_entry(author: impl Into<String>, text: impl Into<String>) -> NewEntry {
    let author = author.into();
    let part = Part { kind: Some(Kind::Text(text.into())), extra_json: None };
    NewEntry {
        content: Some(Content { role: author.clone(), parts: vec![part] }),
        author,
        ..NewEntry::default()
    }
}

/// A call that adds entries to a session; made by [`Scope::add_session`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct AddSession {
    client: MemoryClient,
    request: AddSessionRequest,
}

impl AddSession {
    pub(crate) fn new(scope: &Scope, session_id: String, entries: Vec<NewEntry>) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        let request = AddSessionRequest {
            app_name,
            user_id,
            project_id,
            session_id,
            entries,
            mode: WriteMode::Upsert.into(),
            restore_deleted: false,
        };
        Self { client, request }
    }

    /// Makes the session exactly these entries. There must be one: to empty a session, delete it.
    pub fn replace(mut self) -> Self {
        self.request.mode = WriteMode::Replace.into();
        self
    }

    /// Brings back entries that were deleted by id or query, instead of suppressing them.
    pub fn restore_deleted(mut self) -> Self {
        self.request.restore_deleted = true;
        self
    }

    /// Sends the call. All entries are stored and durable when it returns, or none.
    ///
    /// The answer has the id and outcome of each entry, in order, and how many entries a replacement
    /// removed.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; after [`Error::Unreachable`] and [`Error::DeadlineExceeded`] it is unknown
    /// whether the entries are stored, and sending the call again is safe.
    pub async fn send(self) -> Result<AddSessionResponse, Error> {
        let Self { client, request } = self;
        client
            .unary("AddSession", request, |lease, request| async move {
                lease.memory().add_session(request).await
            })
            .await
    }
}

/// A call that adds entries without a session; made by [`Scope::add_entries`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct AddEntries {
    client: MemoryClient,
    request: AddEntriesRequest,
}

impl AddEntries {
    pub(crate) fn new(scope: &Scope, entries: Vec<NewEntry>) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        let request =
            AddEntriesRequest { app_name, user_id, project_id, entries, restore_deleted: false };
        Self { client, request }
    }

    /// Brings back entries that were deleted by id or query, instead of suppressing them.
    pub fn restore_deleted(mut self) -> Self {
        self.request.restore_deleted = true;
        self
    }

    /// Sends the call; the answer has the id and outcome of each entry, in order.
    ///
    /// # Errors
    ///
    /// As [`AddSession::send`].
    pub async fn send(self) -> Result<Vec<EntryResult>, Error> {
        let Self { client, request } = self;
        let answer = client
            .unary("AddEntries", request, |lease, request| async move {
                lease.memory().add_entries(request).await
            })
            .await?;
        Ok(answer.results)
    }
}
