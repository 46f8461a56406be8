//! Deleting. Every delete tells how much it deleted, and deleting what isn't there is no error.

use memoryd_proto::v1::{
    self, DeleteEntriesRequest, DeleteEntriesResponse, DeleteProjectRequest, DeleteSessionRequest,
    DeleteUserRequest,
};

use crate::client::MemoryClient;
use crate::error::Error;
use crate::scope::Scope;
use crate::settings::Match;

/// A call that deletes entries; made by [`Scope::delete_entries`] and [`Scope::delete_matching`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct DeleteEntries {
    client: MemoryClient,
    request: DeleteEntriesRequest,
}

impl DeleteEntries {
    pub(crate) fn by_ids(scope: &Scope, entry_ids: Vec<String>) -> Self {
        Self::new(scope, entry_ids, None)
    }

    pub(crate) fn by_query(scope: &Scope, query: String) -> Self {
        let words = scope.client.settings().delete_match;
        Self::new(scope, Vec::new(), Some(query)).matching(words)
    }

    fn new(scope: &Scope, entry_ids: Vec<String>, query: Option<String>) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        let request = DeleteEntriesRequest {
            app_name,
            user_id,
            project_id,
            entry_ids,
            query,
            ..DeleteEntriesRequest::default()
        };
        Self { client, request }
    }

    /// How many of the query's words an entry must hold. Default: the client's setting.
    pub fn matching(mut self, words: Match) -> Self {
        self.request.r#match = v1::Match::from(words).into();
        self
    }

    /// Deletes nothing, and tells the ids of what would be deleted.
    pub fn dry_run(mut self) -> Self {
        self.request.dry_run = true;
        self
    }

    /// Sends the call; the answer has the count and, for a dry run, the ids.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; one of code `InvalidArgument` for no ids and for an empty query.
    pub async fn send(self) -> Result<DeleteEntriesResponse, Error> {
        let Self { client, request } = self;
        client
            .unary("DeleteEntries", request, |lease, request| async move {
                lease.memory().delete_entries(request).await
            })
            .await
    }
}

/// A call that deletes a session; made by [`Scope::delete_session`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct DeleteSession {
    client: MemoryClient,
    request: DeleteSessionRequest,
}

impl DeleteSession {
    pub(crate) fn new(scope: &Scope, session_id: String) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        Self { client, request: DeleteSessionRequest { app_name, user_id, project_id, session_id } }
    }

    /// Sends the call; returns how many entries were deleted.
    ///
    /// # Errors
    ///
    /// Any [`Error`].
    pub async fn send(self) -> Result<u64, Error> {
        let Self { client, request } = self;
        let answer = client
            .unary("DeleteSession", request, |lease, request| async move {
                lease.memory().delete_session(request).await
            })
            .await?;
        Ok(answer.deleted_count)
    }
}

/// A call that deletes a project; made by [`Scope::delete_project`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct DeleteProject {
    client: MemoryClient,
    request: DeleteProjectRequest,
}

impl DeleteProject {
    pub(crate) fn new(scope: &Scope) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        // Without a project this is empty, which the server refuses: nothing is ever deleted because
        // a field was left empty.
        let project_id = project_id.unwrap_or_default();
        Self { client, request: DeleteProjectRequest { app_name, user_id, project_id } }
    }

    /// Sends the call; returns how many entries were deleted.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; one of code `InvalidArgument` when the scope is of no project.
    pub async fn send(self) -> Result<u64, Error> {
        let Self { client, request } = self;
        let answer = client
            .unary("DeleteProject", request, |lease, request| async move {
                lease.memory().delete_project(request).await
            })
            .await?;
        Ok(answer.deleted_count)
    }
}

/// A call that erases a user; made by [`Scope::delete_user`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct DeleteUser {
    client: MemoryClient,
    request: DeleteUserRequest,
}

impl DeleteUser {
    pub(crate) fn new(scope: &Scope) -> Self {
        // Erasing a user is of every project, also when asked for through one.
        let Scope { client, app_name, user_id, project_id: _every_project } = scope.clone();
        Self { client, request: DeleteUserRequest { app_name, user_id } }
    }

    /// Sends the call; returns how many entries were deleted.
    ///
    /// # Errors
    ///
    /// Any [`Error`].
    pub async fn send(self) -> Result<u64, Error> {
        let Self { client, request } = self;
        let answer = client
            .unary("DeleteUser", request, |lease, request| async move {
                lease.memory().delete_user(request).await
            })
            .await?;
        Ok(answer.deleted_count)
    }
}
