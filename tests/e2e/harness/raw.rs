//! Calls of the test's own making: HTTP/2 with no gRPC client between, so that what is sent may be wrong
//! and what is answered is seen as it is.

use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use http::{HeaderMap, Request};
use memoryd_proto::v1::SearchRequest;
use prost::Message;
use tokio::net::TcpStream;
use tonic::Status;

use super::TestServer;

/// Every method of the service.
pub(crate) const METHODS: [&str; 10] = [
    "AddSession",
    "AddEntries",
    "Search",
    "ListEntries",
    "GetEntry",
    "DeleteEntries",
    "DeleteSession",
    "DeleteProject",
    "DeleteUser",
    "GetServerInfo",
];

/// One connection.
#[derive(Clone)]
pub(crate) struct RawConnection {
    pub(crate) sender: SendRequest<Bytes>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct RawAnswer {
    pub(crate) headers: HeaderMap,
    /// The whole messages of it; none when what came began in the middle of one.
    pub(crate) messages: Vec<Bytes>,
    /// How much came, messages and their heads.
    pub(crate) bytes: usize,
    trailers: Option<HeaderMap>,
}

impl RawConnection {
    pub(crate) async fn open(server: &TestServer) -> Self {
        let stream = TcpStream::connect(server.address()).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (sender, connection) = h2::client::handshake(stream).await.unwrap();
        tokio::spawn(async move { drop(connection.await) });
        Self { sender }
    }

    /// The headers of a call of the service.
    pub(crate) fn headers(method: &str) -> http::request::Builder {
        Self::headers_of(&format!("/memoryd.v1.MemoryService/{method}"))
    }

    /// The headers of a call of any path.
    pub(crate) fn headers_of(path: &str) -> http::request::Builder {
        Request::post(format!("http://localhost{path}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
    }

    /// Begins a call; what is sent with it may be more than the server takes.
    pub(crate) async fn begin(
        &self,
        headers: http::request::Builder,
        body: Bytes,
    ) -> Result<ResponseFuture, h2::Error> {
        let mut sender = self.sender.clone().ready().await?;
        let request = headers.body(()).unwrap();
        let (response, mut stream) = sender.send_request(request, false)?;
        // A server that has answered already takes no more.
        drop(stream.send_data(body, true));
        Ok(response)
    }

    /// One whole call.
    pub(crate) async fn call(&self, headers: http::request::Builder, body: Bytes) -> RawAnswer {
        RawAnswer::of(self.begin(headers, body).await.unwrap()).await
    }

    /// Begins a search and takes the first bytes of its hits, and no more: the rest waits at the server.
    pub(crate) async fn first_of_search(
        &self,
        search: &SearchRequest,
    ) -> (HeaderMap, Bytes, h2::RecvStream) {
        let message = framed(0, &search.encode_to_vec());
        let response = self.begin(Self::headers("Search"), message).await.unwrap();
        let (parts, mut body) = response.await.unwrap().into_parts();
        let first = body.data().await.unwrap().unwrap();
        (parts.headers, first, body)
    }

    /// One whole call of the service with a message in one frame.
    pub(crate) async fn send(&self, method: &str, message: &[u8]) -> RawAnswer {
        self.call(Self::headers(method), framed(0, message)).await
    }
}

impl RawAnswer {
    /// The whole answer of a call.
    pub(crate) async fn of(response: ResponseFuture) -> Self {
        let response = response.await.unwrap();
        let (parts, body) = response.into_parts();
        Self::rest(parts.headers, body).await
    }

    /// What is still to come of an answer.
    pub(crate) async fn rest(headers: HeaderMap, mut body: h2::RecvStream) -> Self {
        let mut bytes = Vec::new();
        while let Some(data) = body.data().await {
            let data = data.unwrap();
            body.flow_control().release_capacity(data.len()).unwrap();
            bytes.extend_from_slice(&data);
        }
        let trailers = body.trailers().await.unwrap();
        Self {
            headers,
            messages: unframed(&bytes).unwrap_or_default(),
            bytes: bytes.len(),
            trailers,
        }
    }

    /// A header of the status, as it was sent.
    pub(crate) fn status_header(&self, name: &str) -> Option<&http::HeaderValue> {
        let trailers = self.trailers.as_ref().and_then(|trailers| trailers.get(name));
        trailers.or_else(|| self.headers.get(name))
    }

    /// What the headers with the status take, as HTTP/2 counts them.
    pub(crate) fn status_bytes(&self) -> usize {
        let headers = self.trailers.as_ref().unwrap_or(&self.headers);
        headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 32).sum()
    }

    /// The status of the call, from the trailers or, when there is nothing else, the headers.
    pub(crate) fn status(&self) -> Status {
        let trailers = self.trailers.as_ref().and_then(Status::from_header_map);
        trailers.or_else(|| Status::from_header_map(&self.headers)).expect("an answer has a status")
    }
}

/// A message with the five bytes that go before it.
pub(crate) fn framed(compressed: u8, message: &[u8]) -> Bytes {
    let length = u32::try_from(message.len()).unwrap();
    let mut frame = vec![compressed];
    frame.extend_from_slice(&length.to_be_bytes());
    frame.extend_from_slice(message);
    frame.into()
}

fn unframed(mut bytes: &[u8]) -> Option<Vec<Bytes>> {
    let mut messages = Vec::new();
    while let Some((head, rest)) = bytes.split_at_checked(5) {
        let length = u32::from_be_bytes(head[1..].try_into().unwrap()) as usize;
        messages.push(Bytes::copy_from_slice(rest.get(..length)?));
        bytes = &rest[length..];
    }
    Some(messages)
}
