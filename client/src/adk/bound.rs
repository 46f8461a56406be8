//! An `adk_core::Memory` of one request.
//!
//! adk's own adapter binds application and user when the process starts, and a server then shares
//! that one object among all of its users. A bound memory is made for each request instead: that
//! costs two short strings.

use adk_core::{Memory, ReadonlyContext, Result};
use adk_memory::{MemoryService, SearchRequest};
use async_trait::async_trait;
use chrono::Utc;

use crate::client::MemoryClient;

/// The memory of one user of one application, perhaps in one project, as `adk_core::Memory`; made
/// by [`MemoryClient::memory_for`].
#[derive(Debug, Clone)]
pub struct BoundMemory {
    client: MemoryClient,
    app_name: String,
    user_id: String,
    project_id: Option<String>,
}

impl MemoryClient {
    /// The memory of this user of this application, for one request.
    #[must_use]
    pub fn memory_for(
        &self,
        app_name: impl Into<String>,
        user_id: impl Into<String>,
    ) -> BoundMemory {
        BoundMemory {
            client: self.clone(),
            app_name: app_name.into(),
            user_id: user_id.into(),
            project_id: None,
        }
    }

    /// The memory of the application and user that this invocation is of.
    #[must_use]
    pub fn memory_of(&self, context: &(impl ReadonlyContext + ?Sized)) -> BoundMemory {
        self.memory_for(context.app_name(), context.user_id())
    }
}

impl BoundMemory {
    /// The same user's memory in a project: searches see it and the global scope, adding and
    /// deleting touch the project only.
    #[must_use]
    pub fn in_project(mut self, project_id: impl Into<String>) -> Self {
        self.project_id = Some(project_id.into());
        self
    }

    async fn search_scope(
        &self,
        query: &str,
        project_id: Option<&str>,
    ) -> Result<Vec<adk_core::MemoryEntry>> {
        let request = SearchRequest {
            query: query.to_owned(),
            user_id: self.user_id.clone(),
            app_name: self.app_name.clone(),
            limit: None,
            min_score: None,
            project_id: project_id.map(str::to_owned),
        };
        let memories = self.client.search(request).await?.memories.into_iter();
        Ok(memories
            .map(|adk_memory::MemoryEntry { content, author, timestamp: _ }| {
                adk_core::MemoryEntry { content, author }
            })
            .collect())
    }

    async fn add_to_scope(
        &self,
        entry: adk_core::MemoryEntry,
        project_id: Option<&str>,
    ) -> Result<()> {
        let adk_core::MemoryEntry { content, author } = entry;
        // Told now: the same fact told again after it was deleted is a new entry, not the deleted one.
        let entry = adk_memory::MemoryEntry { content, author, timestamp: Utc::now() };
        let Self { client, app_name, user_id, project_id: _ } = self;
        match project_id {
            Some(project) => client.add_entry_to_project(app_name, user_id, project, entry).await,
            None => client.add_entry(app_name, user_id, entry).await,
        }
    }
}

#[async_trait]
impl Memory for BoundMemory {
    async fn search(&self, query: &str) -> Result<Vec<adk_core::MemoryEntry>> {
        self.search_scope(query, self.project_id.as_deref()).await
    }

    async fn health_check(&self) -> Result<()> {
        self.client.health_check().await
    }

    async fn add(&self, entry: adk_core::MemoryEntry) -> Result<()> {
        self.add_to_scope(entry, self.project_id.as_deref()).await
    }

    async fn delete(&self, query: &str) -> Result<u64> {
        let Self { client, app_name, user_id, project_id } = self;
        match project_id {
            Some(project) => {
                client.delete_entries_in_project(app_name, user_id, project, query).await
            }
            None => client.delete_entries(app_name, user_id, query).await,
        }
    }

    fn supports_project_scoping(&self) -> bool {
        true
    }

    async fn search_in_project(
        &self,
        query: &str,
        project_id: &str,
    ) -> Result<Vec<adk_core::MemoryEntry>> {
        self.search_scope(query, Some(project_id)).await
    }

    async fn add_to_project(&self, entry: adk_core::MemoryEntry, project_id: &str) -> Result<()> {
        self.add_to_scope(entry, Some(project_id)).await
    }
}
