//! The client as an `adk_memory::MemoryService`.

use std::sync::atomic::Ordering;

use adk_core::Result;
use adk_memory::{MemoryEntry, MemoryService, SearchRequest, SearchResponse};
use async_trait::async_trait;

use super::entry::{entries_to_wire, entry_from_wire};
use crate::client::MemoryClient;
use crate::error::Error;
use crate::scope::Scope;
use crate::settings::IngestMode;

impl MemoryClient {
    /// How many searches of adk's traits were answered with no memories because the server couldn't
    /// be reached, by this client and its clones. Always 0 unless
    /// [`empty_when_unreachable`](crate::MemoryClientBuilder::empty_when_unreachable) is set.
    #[must_use]
    pub fn searches_answered_empty(&self) -> u64 {
        self.answered_empty().load(Ordering::Relaxed)
    }

    fn project(&self, app_name: &str, user_id: &str, project_id: &str) -> Scope {
        self.scope(app_name, user_id).in_project(project_id)
    }

    async fn search_memories(&self, request: SearchRequest) -> Result<Vec<MemoryEntry>> {
        let SearchRequest { query, user_id, app_name, limit, min_score, project_id } = request;
        let scope = Scope { client: self.clone(), app_name, user_id, project_id };
        let mut search = scope.search(query);
        if let Some(limit) = limit {
            search = search.limit(u32::try_from(limit).unwrap_or(u32::MAX));
        }
        if let Some(score) = min_score {
            search = search.min_score(score);
        }
        let mut hits = search.send().await?;
        let mut memories = Vec::new();
        while let Some(hit) = hits.next().await? {
            let entry = hit
                .entry
                .ok_or_else(|| Error::InvalidReply("Search with a hit without an entry".into()))?;
            memories.push(entry_from_wire(entry)?);
        }
        Ok(memories)
    }

    /// What a failed search answers where a failure would take the agent down.
    fn answer_empty(&self, error: &adk_core::AdkError) {
        let count = self.answered_empty().fetch_add(1, Ordering::Relaxed) + 1;
        tracing::warn!(
            code = error.code,
            error = error.message,
            count,
            "memory server out of reach, a search is answered with no memories"
        );
    }
}

impl Scope {
    async fn ingest(&self, session_id: &str, entries: Vec<MemoryEntry>) -> Result<()> {
        let replace = self.client.settings().ingest_mode == IngestMode::Replace;
        if replace && entries.is_empty() {
            // A replacement by nothing is refused on the wire, where it could be a forgotten field.
            // Here the caller has chosen: the session becomes exactly these entries.
            self.delete_session(session_id).send().await?;
            return Ok(());
        }
        let call = self.add_session(session_id, entries_to_wire(entries)?);
        if replace { call.replace() } else { call }.send().await?;
        Ok(())
    }

    async fn add_one(&self, entry: MemoryEntry) -> Result<()> {
        self.add_entries(entries_to_wire(vec![entry])?).send().await?;
        Ok(())
    }

    async fn delete_by_words(&self, query: &str) -> Result<u64> {
        Ok(self.delete_matching(query).send().await?.deleted_count)
    }
}

/// `limit` and `min_score` are the server's to check; a `limit` that doesn't fit 32 bits saturates.
/// Listing sees the global scope, as the contract has it for every call without a project.
#[async_trait]
impl MemoryService for MemoryClient {
    async fn add_session(
        &self,
        app_name: &str,
        user_id: &str,
        session_id: &str,
        entries: Vec<MemoryEntry>,
    ) -> Result<()> {
        self.scope(app_name, user_id).ingest(session_id, entries).await
    }

    async fn search(&self, req: SearchRequest) -> Result<SearchResponse> {
        let memories = match self.search_memories(req).await {
            Ok(memories) => memories,
            Err(error)
                if self.settings().empty_when_unreachable
                    && error.category == adk_core::ErrorCategory::Unavailable =>
            {
                self.answer_empty(&error);
                Vec::new()
            }
            Err(error) => return Err(error),
        };
        Ok(SearchResponse { memories })
    }

    async fn delete_user(&self, app_name: &str, user_id: &str) -> Result<()> {
        self.scope(app_name, user_id).delete_user().send().await?;
        Ok(())
    }

    async fn delete_session(&self, app_name: &str, user_id: &str, session_id: &str) -> Result<()> {
        self.scope(app_name, user_id).delete_session(session_id).send().await?;
        Ok(())
    }

    async fn add_entry(&self, app_name: &str, user_id: &str, entry: MemoryEntry) -> Result<()> {
        self.scope(app_name, user_id).add_one(entry).await
    }

    async fn delete_entries(&self, app_name: &str, user_id: &str, query: &str) -> Result<u64> {
        self.scope(app_name, user_id).delete_by_words(query).await
    }

    async fn list_recent(
        &self,
        app_name: &str,
        user_id: &str,
        limit: usize,
    ) -> Result<Vec<MemoryEntry>> {
        let entries = self.scope(app_name, user_id).list().take(limit).await?;
        entries.into_iter().map(|entry| Ok(entry_from_wire(entry)?)).collect()
    }

    async fn health_check(&self) -> Result<()> {
        Ok(self.check_serving().await?)
    }

    fn supports_project_scoping(&self) -> bool {
        true
    }

    async fn add_session_to_project(
        &self,
        app_name: &str,
        user_id: &str,
        session_id: &str,
        project_id: &str,
        entries: Vec<MemoryEntry>,
    ) -> Result<()> {
        self.project(app_name, user_id, project_id).ingest(session_id, entries).await
    }

    async fn add_entry_to_project(
        &self,
        app_name: &str,
        user_id: &str,
        project_id: &str,
        entry: MemoryEntry,
    ) -> Result<()> {
        self.project(app_name, user_id, project_id).add_one(entry).await
    }

    async fn delete_entries_in_project(
        &self,
        app_name: &str,
        user_id: &str,
        project_id: &str,
        query: &str,
    ) -> Result<u64> {
        self.project(app_name, user_id, project_id).delete_by_words(query).await
    }

    async fn delete_project(&self, app_name: &str, user_id: &str, project_id: &str) -> Result<u64> {
        Ok(self.project(app_name, user_id, project_id).delete_project().send().await?)
    }
}
