//! A bug in one call must not take its connection down: panics become INTERNAL.

use std::any::Any;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body::{Body as HttpBody, Frame};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::body::failure_trailers;
use super::{Answer, HttpRequest, HttpResponse, refusal};
use crate::grpc::status::Failure;

/// Catches panics of calls and of their response streams.
#[derive(Debug, Clone, Copy, Default)]
pub struct PanicLayer;

/// The service of [`PanicLayer`].
#[derive(Debug, Clone)]
pub struct Panics<S> {
    inner: S,
}

impl<S> Layer<S> for PanicLayer {
    type Service = Panics<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Panics { inner }
    }
}

impl<S> Service<HttpRequest> for Panics<S>
where
    S: Service<HttpRequest, Response = HttpResponse, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Guarded;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: HttpRequest) -> Self::Future {
        Guarded { answer: Some(Box::pin(self.inner.call(request))) }
    }
}

/// The future of [`Panics`].
pub struct Guarded {
    /// `None` after a panic.
    answer: Option<Answer>,
}

impl Future for Guarded {
    type Output = Result<HttpResponse, Infallible>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(answer) = self.answer.as_mut() else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
            Ok(polled) => polled.map(|answer| {
                answer.map(|response| response.map(|inner| Body::new(GuardedBody(Some(inner)))))
            }),
            Err(panic) => {
                self.answer = None;
                Poll::Ready(Ok(refusal(Failure::Panic(message(&*panic)))))
            }
        }
    }
}

/// A response body whose panics end it with a status. `None` once it has ended so.
struct GuardedBody(Option<Body>);

impl HttpBody for GuardedBody {
    type Data = bytes::Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Some(inner) = self.0.as_mut() else { return Poll::Ready(None) };
        let polled = catch_unwind(AssertUnwindSafe(|| Pin::new(inner).poll_frame(context)));
        polled.unwrap_or_else(|panic| {
            self.0 = None;
            Poll::Ready(failure_trailers(Failure::Panic(message(&*panic))))
        })
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned())
}

#[cfg(test)]
mod tests {
    use tonic::Code;
    use tonic_types::StatusExt;
    use tower::service_fn;

    use super::super::test_bodies::{Step, answering, call, request, whole};
    use super::*;

    /// INTERNAL with a reference, and nothing of the cause.
    fn assert_internal(status: Option<Status>) {
        let status = status.unwrap();
        assert_eq!(status.code(), Code::Internal);
        assert!(!status.message().contains("secret"), "{status:?}");
        let info = status.get_details_error_info().unwrap();
        assert_eq!((info.reason.as_str(), info.domain.as_str()), ("INTERNAL", "memoryd"));
        assert!(status.message().contains(&info.metadata["reference"]));
    }

    #[tokio::test]
    async fn s8_a_panic_of_a_handler_is_internal_with_a_reference() {
        let panics = service_fn(async |_: HttpRequest| -> Result<HttpResponse, Infallible> {
            panic!("a secret")
        });
        let (data, status) = whole(call(PanicLayer, panics, request("/x")).await).await;
        assert_eq!(data, "");
        assert_internal(status);

        let later = service_fn(async |_: HttpRequest| -> Result<HttpResponse, Infallible> {
            tokio::task::yield_now().await;
            std::panic::panic_any(7)
        });
        assert_internal(whole(call(PanicLayer, later, request("/x")).await).await.1);
    }

    #[tokio::test]
    async fn s8_a_panic_of_a_stream_ends_it_with_internal_after_what_came_before() {
        let handler =
            answering(|| vec![Step::Data("a"), Step::Data("b"), Step::Panic("a secret"), Step::Ok]);
        let (data, status) = whole(call(PanicLayer, handler, request("/x")).await).await;
        assert_eq!(data, "ab");
        assert_internal(status);
    }

    #[tokio::test]
    async fn s8_what_does_not_panic_is_left_alone() {
        let handler = answering(|| vec![Step::Data("a"), Step::Ok]);
        let (data, status) = whole(call(PanicLayer, handler, request("/x")).await).await;
        assert_eq!((data.as_str(), status.map(|status| status.code())), ("a", Some(Code::Ok)));
    }
}
