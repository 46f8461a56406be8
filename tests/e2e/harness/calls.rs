//! Typed calls over a raw connection: the generated client, with the few defaults that tests share.

use std::collections::HashMap;

use memoryd_proto::trailers;
use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use memoryd_proto::v1::*;
use tonic::transport::Channel;
use tonic::{Request, Status};

/// The generated client, which takes messages of any size.
#[derive(Clone)]
pub(crate) struct Calls {
    pub(crate) raw: MemoryServiceClient<Channel>,
}

/// All hits of a search, and the counts of its trailers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SearchResult {
    pub(crate) hits: Vec<Hit>,
    pub(crate) counts: HashMap<String, u64>,
}

impl SearchResult {
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.hits.iter().map(|hit| hit.entry.clone().unwrap()).collect()
    }

    /// The texts of the hits, in order.
    pub(crate) fn texts(&self) -> Vec<String> {
        super::texts(&self.entries())
    }

    pub(crate) fn count(&self, name: &str) -> u64 {
        self.counts[name]
    }
}

impl Calls {
    pub(crate) fn over(channel: Channel) -> Self {
        let raw = MemoryServiceClient::new(channel)
            .max_decoding_message_size(usize::MAX)
            .max_encoding_message_size(usize::MAX);
        Self { raw }
    }

    pub(crate) async fn add_session(
        &self,
        request: AddSessionRequest,
    ) -> Result<AddSessionResponse, Status> {
        self.raw.clone().add_session(request).await.map(tonic::Response::into_inner)
    }

    pub(crate) async fn add_entries(
        &self,
        request: AddEntriesRequest,
    ) -> Result<AddEntriesResponse, Status> {
        self.raw.clone().add_entries(request).await.map(tonic::Response::into_inner)
    }

    pub(crate) async fn search(
        &self,
        request: impl tonic::IntoRequest<SearchRequest>,
    ) -> Result<SearchResult, Status> {
        let mut stream = self.raw.clone().search(request).await?.into_inner();
        let mut hits = Vec::new();
        while let Some(message) = stream.message().await? {
            hits.push(message.hit.expect("a message of the stream holds a hit"));
        }
        let metadata = stream.trailers().await?.expect("a search ends with trailers");
        let names = [
            trailers::CONSIDERED,
            trailers::MATCHED,
            trailers::CUT_BY_SCORE,
            trailers::CUT_BY_LIMIT,
        ];
        let counts = names.map(|name| {
            let value = metadata.get(name).expect("every count is in the trailers");
            (name.to_owned(), value.to_str().unwrap().parse().unwrap())
        });
        Ok(SearchResult { hits, counts: counts.into() })
    }

    /// One page.
    pub(crate) async fn list(
        &self,
        request: ListEntriesRequest,
    ) -> Result<ListEntriesResponse, Status> {
        self.raw.clone().list_entries(request).await.map(tonic::Response::into_inner)
    }

    /// Every page.
    pub(crate) async fn list_all(
        &self,
        mut request: ListEntriesRequest,
    ) -> Result<Vec<Entry>, Status> {
        let mut entries = Vec::new();
        loop {
            let page = self.list(request.clone()).await?;
            entries.extend(page.entries);
            if page.next_page_token.is_empty() {
                return Ok(entries);
            }
            request.page_token = page.next_page_token;
        }
    }

    pub(crate) async fn get(&self, request: GetEntryRequest) -> Result<Entry, Status> {
        let response = self.raw.clone().get_entry(request).await?;
        Ok(response.into_inner().entry.expect("an answer holds the entry"))
    }

    pub(crate) async fn delete_entries(
        &self,
        request: DeleteEntriesRequest,
    ) -> Result<DeleteEntriesResponse, Status> {
        self.raw.clone().delete_entries(request).await.map(tonic::Response::into_inner)
    }

    pub(crate) async fn delete_session(
        &self,
        app: &str,
        user: &str,
        project: Option<&str>,
        session: &str,
    ) -> Result<u64, Status> {
        let request = DeleteSessionRequest {
            app_name: app.into(),
            user_id: user.into(),
            project_id: project.map(Into::into),
            session_id: session.into(),
        };
        Ok(self.raw.clone().delete_session(request).await?.into_inner().deleted_count)
    }

    pub(crate) async fn delete_project(
        &self,
        app: &str,
        user: &str,
        project: &str,
    ) -> Result<u64, Status> {
        let request = DeleteProjectRequest {
            app_name: app.into(),
            user_id: user.into(),
            project_id: project.into(),
        };
        Ok(self.raw.clone().delete_project(request).await?.into_inner().deleted_count)
    }

    pub(crate) async fn delete_user(&self, app: &str, user: &str) -> Result<u64, Status> {
        let request = DeleteUserRequest { app_name: app.into(), user_id: user.into() };
        Ok(self.raw.clone().delete_user(request).await?.into_inner().deleted_count)
    }

    pub(crate) async fn info(&self) -> Result<GetServerInfoResponse, Status> {
        let request = Request::new(GetServerInfoRequest {});
        self.raw.clone().get_server_info(request).await.map(tonic::Response::into_inner)
    }
}
