//! Handlers and response bodies of the tests' own, and answers read to their end.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request};
use http_body::{Body as HttpBody, Frame};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service, ServiceExt};

use super::{HttpRequest, HttpResponse};

/// What a body does when it is asked for a frame.
pub(super) enum Step {
    /// Gives data.
    Data(&'static str),
    /// Gives trailers that say OK, and ends.
    Ok,
    /// Never has anything any more.
    Wait,
    /// Panics.
    Panic(&'static str),
}

/// A body of the given steps.
pub(super) struct Steps(VecDeque<Step>);

impl HttpBody for Steps {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        match self.0.pop_front() {
            None => Poll::Ready(None),
            Some(Step::Data(data)) => Poll::Ready(Some(Ok(Frame::data(data.into())))),
            Some(Step::Ok) => {
                let mut trailers = HeaderMap::new();
                Status::ok("").add_header(&mut trailers).unwrap();
                Poll::Ready(Some(Ok(Frame::trailers(trailers))))
            }
            Some(Step::Wait) => {
                self.0.push_front(Step::Wait);
                Poll::Pending
            }
            Some(Step::Panic(text)) => panic!("{text}"),
        }
    }
}

/// A response with a body of these steps.
pub(super) fn response(steps: impl IntoIterator<Item = Step>) -> HttpResponse {
    HttpResponse::new(Body::new(Steps(steps.into_iter().collect())))
}

/// A handler that answers with a body of these steps.
pub(super) fn answering(steps: fn() -> Vec<Step>) -> AnsweringService {
    tower::util::BoxCloneService::new(tower::service_fn(move |_: HttpRequest| async move {
        Ok(response(steps()))
    }))
}

/// The service of [`answering`].
pub(super) type AnsweringService =
    tower::util::BoxCloneService<HttpRequest, HttpResponse, Infallible>;

/// A request for a path.
pub(super) fn request(path: &str) -> HttpRequest {
    Request::post(path).body(Body::empty()).unwrap()
}

/// The response of a layer around a handler.
pub(super) async fn call<L, S>(layer: L, handler: S, request: HttpRequest) -> HttpResponse
where
    L: Layer<S>,
    L::Service: Service<HttpRequest, Response = HttpResponse, Error = Infallible>,
{
    layer.layer(handler).oneshot(request).await.unwrap()
}

/// The next frame of a body.
pub(super) async fn frame(body: &mut Body) -> Option<Frame<Bytes>> {
    std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context))
        .await
        .map(Result::unwrap)
}

/// Data and status of a response, read to its end.
pub(super) async fn whole(response: HttpResponse) -> (String, Option<Status>) {
    let (parts, mut body) = response.into_parts();
    let mut status = Status::from_header_map(&parts.headers);
    let mut data = Vec::new();
    while let Some(frame) = frame(&mut body).await {
        match frame.into_data() {
            Ok(bytes) => data.extend_from_slice(&bytes),
            Err(frame) => status = frame.trailers_ref().and_then(Status::from_header_map),
        }
    }
    (String::from_utf8(data).unwrap(), status)
}
