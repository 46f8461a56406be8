//! The service: each call is checked, handed to the engine, and its answer turned into messages.

use std::sync::Arc;

use memoryd_proto::v1 as pb;
use pb::memory_service_server::{MemoryService, MemoryServiceServer};
use prost::Message;
use tonic::{Request, Response, Status};

use super::status::Failure;
use super::stream::HitStream;
use super::{info, request, response, stream};
use crate::domain::{Limits, Violations};
use crate::engine::{Engine, Interrupt, ReadError, WriteTicket};

type Answer<T> = Result<Response<T>, Status>;

/// `memoryd.v1.MemoryService` over an engine.
pub struct MemoryGrpc {
    engine: Engine,
    limits: Limits,
    /// The store's name for GetServerInfo.
    store: &'static str,
}

impl MemoryGrpc {
    /// The service, with the limit on messages in force.
    pub fn server(
        engine: Engine,
        limits: Limits,
        store: &'static str,
    ) -> MemoryServiceServer<MemoryGrpc> {
        let request_bytes = limits.request_bytes;
        MemoryServiceServer::new(Self { engine, limits, store })
            .max_decoding_message_size(request_bytes)
            // What was taken in must go out; clients have limits of their own.
            .max_encoding_message_size(usize::MAX)
    }

    /// The ticket that the call took when it arrived.
    fn ticket<T>(&self, request: &Request<T>) -> Arc<WriteTicket> {
        request
            .extensions()
            .get::<Arc<WriteTicket>>()
            .cloned()
            .unwrap_or_else(|| Arc::new(self.engine.ticket()))
    }
}

/// A request larger than this, in bytes, is checked on a thread of its own: it takes milliseconds.
const LARGE_REQUEST_BYTES: usize = 64 * 1024;

/// Checks a request, without holding up other calls when it is large.
async fn checked<M: Message + Send + 'static, T: Send + 'static>(
    message: M,
    check: fn(M) -> Result<T, Violations>,
) -> Result<T, Failure> {
    if message.encoded_len() <= LARGE_REQUEST_BYTES {
        return Ok(check(message)?);
    }
    match tokio::task::spawn_blocking(move || check(message)).await {
        Ok(checked) => Ok(checked?),
        Err(error) => Err(ReadError::Internal(format!("a check ended early: {error}")).into()),
    }
}

#[tonic::async_trait]
impl MemoryService for MemoryGrpc {
    type SearchStream = HitStream;

    async fn add_session(
        &self,
        request: Request<pb::AddSessionRequest>,
    ) -> Answer<pb::AddSessionResponse> {
        let ticket = self.ticket(&request);
        let addition = checked(request.into_inner(), request::add_session).await?;
        let receipt = self.engine.add(ticket, addition).await.map_err(Failure::from)?;
        let (results, removed_count) = response::results(receipt);
        Ok(Response::new(pb::AddSessionResponse { results, removed_count }))
    }

    async fn add_entries(
        &self,
        request: Request<pb::AddEntriesRequest>,
    ) -> Answer<pb::AddEntriesResponse> {
        let ticket = self.ticket(&request);
        let addition = checked(request.into_inner(), request::add_entries).await?;
        let receipt = self.engine.add(ticket, addition).await.map_err(Failure::from)?;
        let (results, _) = response::results(receipt);
        Ok(Response::new(pb::AddEntriesResponse { results }))
    }

    async fn search(&self, request: Request<pb::SearchRequest>) -> Answer<HitStream> {
        let (query, omit_blobs) = request::search(request.into_inner()).map_err(Failure::from)?;
        let answer =
            self.engine.search(query, Interrupt::default()).await.map_err(Failure::from)?;
        Ok(Response::new(stream::hits(self.engine.clone(), answer, omit_blobs)))
    }

    async fn list_entries(
        &self,
        request: Request<pb::ListEntriesRequest>,
    ) -> Answer<pb::ListEntriesResponse> {
        let (listing, omit_blobs) =
            request::list_entries(request.into_inner()).map_err(Failure::from)?;
        let page = self
            .engine
            .list(listing, omit_blobs, Interrupt::default())
            .await
            .map_err(Failure::from)?;
        let entries: Result<Vec<_>, Failure> =
            page.entries.into_iter().map(|entry| response::entry(entry, omit_blobs)).collect();
        let next_page_token = page.next_page_token;
        Ok(Response::new(pb::ListEntriesResponse { entries: entries?, next_page_token }))
    }

    async fn get_entry(
        &self,
        request: Request<pb::GetEntryRequest>,
    ) -> Answer<pb::GetEntryResponse> {
        let (scope, id, omit_blobs) =
            request::get_entry(request.into_inner()).map_err(Failure::from)?;
        let entry = self.engine.get(scope, id).await.map_err(Failure::from)?;
        let entry = Some(response::entry(entry, omit_blobs)?);
        Ok(Response::new(pb::GetEntryResponse { entry }))
    }

    async fn delete_entries(
        &self,
        request: Request<pb::DeleteEntriesRequest>,
    ) -> Answer<pb::DeleteEntriesResponse> {
        let deletion = request::delete_entries(request.into_inner()).map_err(Failure::from)?;
        let deleted = self.engine.delete_entries(deletion).await.map_err(Failure::from)?;
        Ok(Response::new(pb::DeleteEntriesResponse {
            deleted_count: deleted.count,
            entry_ids: deleted.ids.iter().map(ToString::to_string).collect(),
        }))
    }

    async fn delete_session(
        &self,
        request: Request<pb::DeleteSessionRequest>,
    ) -> Answer<pb::DeleteSessionResponse> {
        let (scope, session) =
            request::delete_session(request.into_inner()).map_err(Failure::from)?;
        let deleted_count =
            self.engine.delete_session(scope, session).await.map_err(Failure::from)?;
        Ok(Response::new(pb::DeleteSessionResponse { deleted_count }))
    }

    async fn delete_project(
        &self,
        request: Request<pb::DeleteProjectRequest>,
    ) -> Answer<pb::DeleteProjectResponse> {
        let scope = request::delete_project(request.into_inner()).map_err(Failure::from)?;
        let deleted_count = self.engine.delete_project(scope).await.map_err(Failure::from)?;
        Ok(Response::new(pb::DeleteProjectResponse { deleted_count }))
    }

    async fn delete_user(
        &self,
        request: Request<pb::DeleteUserRequest>,
    ) -> Answer<pb::DeleteUserResponse> {
        let tenant = request::delete_user(request.into_inner()).map_err(Failure::from)?;
        let deleted_count = self.engine.delete_user(tenant).await.map_err(Failure::from)?;
        Ok(Response::new(pb::DeleteUserResponse { deleted_count }))
    }

    async fn get_server_info(
        &self,
        request: Request<pb::GetServerInfoRequest>,
    ) -> Answer<pb::GetServerInfoResponse> {
        let pb::GetServerInfoRequest {} = request.into_inner();
        Ok(Response::new(info::server_info(&self.limits, self.store, &self.engine)))
    }
}
