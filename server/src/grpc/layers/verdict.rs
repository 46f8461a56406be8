//! Statuses that tonic made by itself, before a handler was asked, as the contract has them: a message over
//! the limit, one that can't be decoded, a method or an encoding that isn't there.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use tonic::{Code, Status};
use tower::{Layer, Service};

use super::{HttpRequest, HttpResponse};
use crate::grpc::status::Failure;

/// Header with the encoded details, which every status of ours has.
const DETAILS_HEADER: &str = "grpc-status-details-bin";
/// Headers of a status.
const STATUS_HEADERS: [&str; 3] = ["grpc-status", "grpc-message", DETAILS_HEADER];
/// Start of the paths of our own service.
const OWN_PATHS: &str = "/memoryd.";

/// Turns tonic's own statuses into ours.
#[derive(Debug, Clone, Copy)]
pub struct VerdictLayer {
    /// The limit on messages in force, in bytes.
    limit: usize,
}

/// The service of [`VerdictLayer`].
#[derive(Debug, Clone)]
pub struct Verdict<S> {
    inner: S,
    limit: usize,
}

impl VerdictLayer {
    /// A layer that names this limit.
    pub fn new(limit: usize) -> Self {
        Self { limit }
    }
}

impl<S> Layer<S> for VerdictLayer {
    type Service = Verdict<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Verdict { inner, limit: self.limit }
    }
}

impl<S> Service<HttpRequest> for Verdict<S>
where
    S: Service<HttpRequest, Response = HttpResponse, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        let limit = self.limit;
        let path = request.uri().path().to_owned();
        let answer = self.inner.call(request);
        Box::pin(async move { answer.await.map(|response| reworded(response, &path, limit)) })
    }
}

fn reworded(mut response: HttpResponse, path: &str, limit: usize) -> HttpResponse {
    if !response.headers().contains_key("grpc-status")
        || response.headers().contains_key(DETAILS_HEADER)
    {
        return response;
    }
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    let Some(failure) = ours(&status, path, limit) else { return response };
    for header in STATUS_HEADERS {
        response.headers_mut().remove(header);
    }
    // What can't be encoded as a header was cut before; if it fails all the same the status stays bare.
    if Status::from(failure).add_header(response.headers_mut()).is_err() {
        tracing::error!("a status could not be encoded");
    }
    response
}

fn ours(status: &Status, path: &str, limit: usize) -> Option<Failure> {
    match status.code() {
        Code::Unimplemented if status.message().is_empty() => {
            Some(Failure::Unimplemented(format!("there is no method {path}")))
        }
        Code::Unimplemented => Some(Failure::Unimplemented(status.message().to_owned())),
        Code::OutOfRange if path.starts_with(OWN_PATHS) => Some(Failure::TooLarge { limit }),
        Code::Internal if path.starts_with(OWN_PATHS) => {
            Some(Failure::Undecodable(status.message().to_owned()))
        }
        _ => None,
    }
}
