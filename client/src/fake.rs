//! A memory service that fails as told: what a real server does only by accident.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use memoryd_proto::trailers;
use memoryd_proto::v1::memory_service_server::{MemoryService, MemoryServiceServer};
use memoryd_proto::v1::*;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::metadata::MetadataMap;
use tonic::{Code, Request, Response, Status};

/// What the service does with one call. When no step is left, calls succeed.
pub(crate) enum Step {
    Fail(Status),
    Hang,
    /// A search answers this many hits, then ends like this; `Code::Ok` brings the totals.
    Hits(u32, Status),
    /// A listing answers this many entries and this token.
    Page(usize, &'static str),
    /// A read answers an entry with this text.
    Reply(String),
}

/// A call as it arrived: its name, its deadline, and the request printed.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: &'static str,
    pub(crate) grpc_timeout: Option<String>,
    pub(crate) request: String,
}

#[derive(Default)]
struct State {
    steps: VecDeque<Step>,
    seen: Vec<Seen>,
    /// Hanging calls and streams that the client gave up.
    dropped: usize,
}

#[derive(Clone, Default)]
pub(crate) struct Fake {
    state: Arc<Mutex<State>>,
}

/// A running fake; ends, connections included, when dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    runtime: Option<tokio::runtime::Runtime>,
}

impl Fake {
    pub(crate) fn doing(steps: impl IntoIterator<Item = Step>) -> Self {
        let fake = Self::default();
        fake.state.lock().steps.extend(steps);
        fake
    }

    /// Serves at `address`, on threads of its own, so that dropping it cuts every connection.
    pub(crate) fn serve_at(&self, address: &str) -> Running {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = std::net::TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        listener.set_nonblocking(true).unwrap();
        let (health, health_service) = tonic_health::server::health_reporter();
        let service = MemoryServiceServer::new(self.clone()).max_encoding_message_size(usize::MAX);
        runtime.spawn(async move {
            health.set_serving::<MemoryServiceServer<Fake>>().await;
            let listener = TcpListenerStream::new(TcpListener::from_std(listener).unwrap());
            tonic::transport::Server::builder()
                .add_service(service)
                .add_service(health_service)
                .serve_with_incoming(listener)
                .await
                .unwrap();
        });
        Running { address, runtime: Some(runtime) }
    }

    pub(crate) fn serve(&self) -> Running {
        self.serve_at("127.0.0.1:0")
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.state.lock().seen.clone()
    }

    pub(crate) fn methods(&self) -> Vec<&'static str> {
        self.seen().iter().map(|seen| seen.method).collect()
    }

    pub(crate) fn dropped(&self) -> usize {
        self.state.lock().dropped
    }

    /// Takes note of the call and does the next step; a step that is an answer is returned.
    async fn step<T: std::fmt::Debug>(
        &self,
        method: &'static str,
        request: &Request<T>,
    ) -> Result<Option<Step>, Status> {
        let next = {
            let mut state = self.state.lock();
            let grpc_timeout =
                request.metadata().get("grpc-timeout").map(|v| v.to_str().unwrap().to_owned());
            let request = format!("{:?}", request.get_ref());
            state.seen.push(Seen { method, grpc_timeout, request });
            state.steps.pop_front()
        };
        match next {
            Some(Step::Fail(status)) => Err(status),
            Some(Step::Hang) => {
                let _noted = NoteDrop(self.clone());
                std::future::pending().await
            }
            answer => Ok(answer),
        }
    }
}

impl Running {
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct NoteDrop(Fake);

impl Drop for NoteDrop {
    fn drop(&mut self) {
        self.0.state.lock().dropped += 1;
    }
}

/// The status that ends a stream well and carries the totals in its trailers.
pub(crate) fn end_with_totals(counts: [u64; 4]) -> Status {
    let names =
        [trailers::CONSIDERED, trailers::MATCHED, trailers::CUT_BY_SCORE, trailers::CUT_BY_LIMIT];
    let mut metadata = MetadataMap::new();
    for (name, count) in names.into_iter().zip(counts) {
        metadata.insert(name, count.to_string().parse().unwrap());
    }
    Status::with_metadata(Code::Ok, "", metadata)
}

pub(crate) fn entry(text: &str) -> Entry {
    let NewEntry { content, author, .. } = crate::text_entry("user", text);
    let timestamp = Some(prost_types::Timestamp { seconds: 1, nanos: 2 });
    Entry { entry_id: text.to_owned(), content, author, timestamp, ..Entry::default() }
}

#[tonic::async_trait]
impl MemoryService for Fake {
    async fn add_session(
        &self,
        request: Request<AddSessionRequest>,
    ) -> Result<Response<AddSessionResponse>, Status> {
        self.step("AddSession", &request).await?;
        Ok(Response::new(AddSessionResponse::default()))
    }

    async fn add_entries(
        &self,
        request: Request<AddEntriesRequest>,
    ) -> Result<Response<AddEntriesResponse>, Status> {
        self.step("AddEntries", &request).await?;
        Ok(Response::new(AddEntriesResponse::default()))
    }

    type SearchStream = ReceiverStream<Result<SearchResponse, Status>>;

    async fn search(
        &self,
        request: Request<SearchRequest>,
    ) -> Result<Response<Self::SearchStream>, Status> {
        let (count, end) = match self.step("Search", &request).await? {
            Some(Step::Hits(count, end)) => (count, end),
            _ => (0, end_with_totals([0; 4])),
        };
        let (sender, receiver) = tokio::sync::mpsc::channel(1);
        let fake = self.clone();
        tokio::spawn(async move {
            for rank in 1..=count {
                let entry = Some(entry(&format!("hit {rank}")));
                let hit = Some(Hit { entry, rank, score: 0.5, ..Hit::default() });
                let _ = sender.send(Ok(SearchResponse { hit })).await;
            }
            // A stream that hangs is one that never ends.
            if end.message() == "hang" {
                let _noted = NoteDrop(fake);
                sender.closed().await;
            }
            let _ = sender.send(Err(end)).await;
        });
        Ok(Response::new(ReceiverStream::new(receiver)))
    }

    async fn list_entries(
        &self,
        request: Request<ListEntriesRequest>,
    ) -> Result<Response<ListEntriesResponse>, Status> {
        let (count, token) = match self.step("ListEntries", &request).await? {
            Some(Step::Page(count, token)) => (count, token),
            _ => (0, ""),
        };
        let entries = (0..count).map(|index| entry(&index.to_string())).collect();
        Ok(Response::new(ListEntriesResponse { entries, next_page_token: token.to_owned() }))
    }

    async fn get_entry(
        &self,
        request: Request<GetEntryRequest>,
    ) -> Result<Response<GetEntryResponse>, Status> {
        let entry = match self.step("GetEntry", &request).await? {
            Some(Step::Reply(text)) => Some(entry(&text)),
            _ => None,
        };
        Ok(Response::new(GetEntryResponse { entry }))
    }

    async fn delete_entries(
        &self,
        request: Request<DeleteEntriesRequest>,
    ) -> Result<Response<DeleteEntriesResponse>, Status> {
        self.step("DeleteEntries", &request).await?;
        Ok(Response::new(DeleteEntriesResponse::default()))
    }

    async fn delete_session(
        &self,
        request: Request<DeleteSessionRequest>,
    ) -> Result<Response<DeleteSessionResponse>, Status> {
        self.step("DeleteSession", &request).await?;
        Ok(Response::new(DeleteSessionResponse::default()))
    }

    async fn delete_project(
        &self,
        request: Request<DeleteProjectRequest>,
    ) -> Result<Response<DeleteProjectResponse>, Status> {
        self.step("DeleteProject", &request).await?;
        Ok(Response::new(DeleteProjectResponse::default()))
    }

    async fn delete_user(
        &self,
        request: Request<DeleteUserRequest>,
    ) -> Result<Response<DeleteUserResponse>, Status> {
        self.step("DeleteUser", &request).await?;
        Ok(Response::new(DeleteUserResponse::default()))
    }

    async fn get_server_info(
        &self,
        request: Request<GetServerInfoRequest>,
    ) -> Result<Response<GetServerInfoResponse>, Status> {
        self.step("GetServerInfo", &request).await?;
        Ok(Response::new(GetServerInfoResponse::default()))
    }
}
