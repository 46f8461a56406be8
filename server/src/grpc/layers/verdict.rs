//! Statuses that tonic made by itself, before a handler was asked, as the contract has them: a message over
//! the limit, one that can't be decoded, a method or an encoding that isn't there.

use std::convert::Infallible;
use std::task::{Context, Poll};

use tonic::{Code, Status};
use tower::{Layer, Service};

use super::{Answer, HttpRequest, HttpResponse};
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
    type Future = Answer;

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

#[cfg(test)]
mod tests {
    use tonic_types::StatusExt;
    use tower::service_fn;

    use super::super::test_bodies::{Step, answering, call, request, whole};
    use super::*;

    const SEARCH: &str = "/memoryd.v1.MemoryService/Search";
    const WATCH: &str = "/grpc.health.v1.Health/Watch";

    /// What a status made below the layer becomes above it.
    async fn above(status: Status, path: &str) -> Status {
        let handler = service_fn(move |_: HttpRequest| {
            let status = status.clone();
            async move { Ok(status.into_http()) }
        });
        whole(call(VerdictLayer::new(99), handler, request(path)).await).await.1.unwrap()
    }

    #[tokio::test]
    async fn buck2_583_statuses_of_tonic_itself_become_ours() {
        for (status, path, code, reason) in [
            (Status::out_of_range("x"), SEARCH, Code::ResourceExhausted, "MESSAGE_TOO_LARGE"),
            (Status::internal("x"), SEARCH, Code::InvalidArgument, "UNDECODABLE_MESSAGE"),
            (Status::unimplemented(""), SEARCH, Code::Unimplemented, "UNIMPLEMENTED"),
            (Status::unimplemented("x"), WATCH, Code::Unimplemented, "UNIMPLEMENTED"),
            // Other services have reasons of their own for these.
            (Status::out_of_range("x"), WATCH, Code::OutOfRange, ""),
            (Status::internal("x"), WATCH, Code::Internal, ""),
            (Status::not_found("x"), WATCH, Code::NotFound, ""),
            (Status::unavailable("x"), SEARCH, Code::Unavailable, ""),
        ] {
            let found = above(status, path).await;
            let told = found.get_details_error_info().map(|info| info.reason).unwrap_or_default();
            assert_eq!((found.code(), told.as_str()), (code, reason), "{path}");
        }
        let found = above(Status::out_of_range("x"), SEARCH).await;
        let metadata = found.get_details_error_info().unwrap().metadata;
        assert_eq!(metadata["limit_bytes"], "99");
    }

    #[tokio::test]
    async fn grpcurl_124_other_headers_of_a_refusal_stay() {
        let mut refusal = Status::unimplemented("gzip");
        refusal.metadata_mut().insert("grpc-accept-encoding", "identity".parse().unwrap());
        let found = above(refusal, SEARCH).await;
        assert_eq!(found.metadata().get("grpc-accept-encoding").unwrap(), "identity");
        assert_eq!(found.message(), "gzip");
    }

    #[tokio::test]
    async fn statuses_of_ours_and_answers_are_left_alone() {
        let ours = Status::from(Failure::Panic("x".to_owned()));
        let found = above(ours.clone(), SEARCH).await;
        assert_eq!((found.code(), found.message()), (ours.code(), ours.message()));
        let handler = answering(|| vec![Step::Data("a"), Step::Ok]);
        let layer = VerdictLayer::new(99);
        let (data, status) = whole(call(layer, handler, request(SEARCH)).await).await;
        assert_eq!((data.as_str(), status.unwrap().code()), ("a", Code::Ok));
    }
}
