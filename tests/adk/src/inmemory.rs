//! The service that the tests make: empty when new, and forgetful of every other.

use std::sync::atomic::{AtomicU64, Ordering};

use adk_core::Result;
use adk_memory_real::{MemoryEntry, MemoryService, SearchRequest, SearchResponse};
use async_trait::async_trait;
use memoryd_client::{Match, MemoryClient};

use crate::server::URL;

/// A namespace of its own on the process's server, as adk-memory's in-memory service is empty when
/// made. Like that service, it deletes what holds any word of a query.
pub struct InMemoryMemoryService {
    client: MemoryClient,
    namespace: u64,
}

impl InMemoryMemoryService {
    /// A new, empty memory. To be made within a Tokio runtime.
    #[expect(clippy::new_without_default, reason = "the tests only make it this way")]
    #[expect(clippy::expect_used, reason = "the tests have no other way to be told")]
    pub fn new() -> Self {
        static NAMESPACES: AtomicU64 = AtomicU64::new(0);
        let client = MemoryClient::builder(URL.as_str())
            .delete_match(Match::Any)
            .channels(1)
            .connect_lazy()
            .expect("a client of the test server");
        Self { client, namespace: NAMESPACES.fetch_add(1, Ordering::Relaxed) }
    }

    /// The application's name within this memory.
    fn app(&self, app_name: &str) -> String {
        format!("{}/{app_name}", self.namespace)
    }
}

#[async_trait]
impl MemoryService for InMemoryMemoryService {
    async fn add_session(
        &self,
        app_name: &str,
        user_id: &str,
        session_id: &str,
        entries: Vec<MemoryEntry>,
    ) -> Result<()> {
        self.client.add_session(&self.app(app_name), user_id, session_id, entries).await
    }

    async fn search(&self, mut req: SearchRequest) -> Result<SearchResponse> {
        req.app_name = self.app(&req.app_name);
        self.client.search(req).await
    }

    async fn delete_user(&self, app_name: &str, user_id: &str) -> Result<()> {
        self.client.delete_user(&self.app(app_name), user_id).await
    }

    async fn delete_session(&self, app_name: &str, user_id: &str, session_id: &str) -> Result<()> {
        self.client.delete_session(&self.app(app_name), user_id, session_id).await
    }

    async fn add_entry(&self, app_name: &str, user_id: &str, entry: MemoryEntry) -> Result<()> {
        self.client.add_entry(&self.app(app_name), user_id, entry).await
    }

    async fn delete_entries(&self, app_name: &str, user_id: &str, query: &str) -> Result<u64> {
        self.client.delete_entries(&self.app(app_name), user_id, query).await
    }

    async fn list_recent(
        &self,
        app_name: &str,
        user_id: &str,
        limit: usize,
    ) -> Result<Vec<MemoryEntry>> {
        self.client.list_recent(&self.app(app_name), user_id, limit).await
    }

    async fn health_check(&self) -> Result<()> {
        self.client.health_check().await
    }

    fn supports_project_scoping(&self) -> bool {
        self.client.supports_project_scoping()
    }

    async fn add_session_to_project(
        &self,
        app_name: &str,
        user_id: &str,
        session_id: &str,
        project_id: &str,
        entries: Vec<MemoryEntry>,
    ) -> Result<()> {
        let app_name = self.app(app_name);
        self.client
            .add_session_to_project(&app_name, user_id, session_id, project_id, entries)
            .await
    }

    async fn add_entry_to_project(
        &self,
        app_name: &str,
        user_id: &str,
        project_id: &str,
        entry: MemoryEntry,
    ) -> Result<()> {
        self.client.add_entry_to_project(&self.app(app_name), user_id, project_id, entry).await
    }

    async fn delete_entries_in_project(
        &self,
        app_name: &str,
        user_id: &str,
        project_id: &str,
        query: &str,
    ) -> Result<u64> {
        let app_name = self.app(app_name);
        self.client.delete_entries_in_project(&app_name, user_id, project_id, query).await
    }

    async fn delete_project(&self, app_name: &str, user_id: &str, project_id: &str) -> Result<u64> {
        self.client.delete_project(&self.app(app_name), user_id, project_id).await
    }
}
