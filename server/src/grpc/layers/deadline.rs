//! Deadlines of the caller: the header `grpc-timeout` bounds the whole call, response stream included, and
//! a call whose deadline passed answers DEADLINE_EXCEEDED and is dropped, which stops its work.
//!
//! tonic's own timeout answers CANCELLED and ends with the response's headers.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Body as HttpBody, Frame};
use tokio::time::{Instant, Sleep, sleep_until};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::body::failure_trailers;
use super::{Answer, HttpRequest, HttpResponse, refusal};
use crate::grpc::status::Failure;

/// The header that tells how long the caller will wait.
const TIMEOUT_HEADER: &str = "grpc-timeout";
/// Digits that the protocol allows in it.
const MAX_DIGITS: usize = 8;

/// Bounds every call by its caller's deadline.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeadlineLayer;

/// The service of [`DeadlineLayer`].
#[derive(Debug, Clone)]
pub struct Deadline<S> {
    inner: S,
}

impl<S> Layer<S> for DeadlineLayer {
    type Service = Deadline<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Deadline { inner }
    }
}

impl<S> Service<HttpRequest> for Deadline<S>
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
        let timeout = request.headers().get(TIMEOUT_HEADER).map(|value| value.as_bytes());
        let deadline = match timeout.map(parse_timeout) {
            None => return Box::pin(self.inner.call(request)),
            Some(Some(timeout)) => Instant::now().checked_add(timeout),
            Some(None) => {
                let mut violations = crate::domain::Violations::default();
                violations.add(TIMEOUT_HEADER, "must be up to 8 digits and one of H M S m u n");
                return Box::pin(std::future::ready(Ok(refusal(violations.into()))));
            }
        };
        let answer = self.inner.call(request);
        let Some(deadline) = deadline else { return Box::pin(answer) };
        Box::pin(async move {
            match tokio::time::timeout_at(deadline, answer).await {
                Ok(Ok(response)) => Ok(response.map(|inner| {
                    let bounded =
                        DeadlineBody { inner: Some(inner), timer: Box::pin(sleep_until(deadline)) };
                    Body::new(bounded)
                })),
                Err(_) => Ok(refusal(Failure::Deadline)),
            }
        })
    }
}

/// `TimeoutValue TimeoutUnit` of the gRPC protocol; `None` if it isn't that.
fn parse_timeout(value: &[u8]) -> Option<Duration> {
    let (unit, digits) = value.split_last()?;
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number: u64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    match unit {
        b'H' => Some(Duration::from_secs(number * 3_600)),
        b'M' => Some(Duration::from_secs(number * 60)),
        b'S' => Some(Duration::from_secs(number)),
        b'm' => Some(Duration::from_millis(number)),
        b'u' => Some(Duration::from_micros(number)),
        b'n' => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

/// A response body that a deadline ends.
struct DeadlineBody {
    /// `None` once it ended: dropping it stops the work behind it.
    inner: Option<Body>,
    timer: Pin<Box<Sleep>>,
}

impl HttpBody for DeadlineBody {
    type Data = bytes::Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let Some(inner) = self.inner.as_mut() else { return Poll::Ready(None) };
        // A client that takes what it is sent late is past its deadline, too.
        if !inner.is_end_stream() && self.timer.as_mut().poll(context).is_ready() {
            self.inner = None;
            return Poll::Ready(failure_trailers(Failure::Deadline));
        }
        match self.inner.as_mut() {
            Some(inner) => Pin::new(inner).poll_frame(context),
            None => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(HttpBody::is_end_stream)
    }
}

#[cfg(test)]
mod tests {
    use tonic::Code;
    use tower::service_fn;

    use super::super::test_bodies::{Step, answering, call, frame, request, response, whole};
    use super::*;

    fn timed(timeout: &'static str) -> HttpRequest {
        let mut request = request("/x");
        request.headers_mut().insert(TIMEOUT_HEADER, http::HeaderValue::from_static(timeout));
        request
    }

    /// Tells when it is dropped.
    struct Work(std::sync::Arc<std::sync::atomic::AtomicBool>);

    impl Drop for Work {
        fn drop(&mut self) {
            self.0.store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    #[test]
    fn timeouts_are_read_as_the_protocol_says() {
        assert_eq!(parse_timeout(b"50m"), Some(Duration::from_millis(50)));
        assert_eq!(parse_timeout(b"99999999H"), Some(Duration::from_secs(99_999_999 * 3_600)));
        assert_eq!(parse_timeout(b"99999999n"), Some(Duration::from_nanos(99_999_999)));
        for wrong in ["", "m", "5", "123456789m", "-5m", "5x", "5 m"] {
            assert_eq!(parse_timeout(wrong.as_bytes()), None, "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn grpc_rust_75_a_handler_past_its_deadline_is_dropped_and_answered_for() {
        let dropped = std::sync::Arc::default();
        let work = std::sync::Arc::clone(&dropped);
        let slow = service_fn(move |_: HttpRequest| {
            let work = Work(std::sync::Arc::clone(&work));
            async move {
                std::future::pending::<()>().await;
                drop(work);
                Ok(response([]))
            }
        });
        let (data, status) = whole(call(DeadlineLayer, slow, timed("20m")).await).await;
        assert_eq!((data.as_str(), status.unwrap().code()), ("", Code::DeadlineExceeded));
        assert!(dropped.load(std::sync::atomic::Ordering::Relaxed), "its work has stopped");
    }

    #[tokio::test]
    async fn grpc_rust_1826_a_stream_past_its_deadline_ends_after_what_came_before() {
        let handler = answering(|| vec![Step::Data("a"), Step::Wait]);
        let (data, status) = whole(call(DeadlineLayer, handler, timed("20m")).await).await;
        assert_eq!((data.as_str(), status.unwrap().code()), ("a", Code::DeadlineExceeded));
    }

    #[tokio::test]
    async fn grpc_rust_606_what_is_taken_late_is_late_though_it_was_ready() {
        let handler = answering(|| vec![Step::Data("a"), Step::Data("b"), Step::Ok]);
        let mut body = call(DeadlineLayer, handler, timed("300m")).await.into_body();
        assert_eq!(frame(&mut body).await.unwrap().into_data().unwrap(), "a");
        tokio::time::sleep(Duration::from_millis(310)).await;
        let trailers = frame(&mut body).await.unwrap().into_trailers().unwrap();
        assert_eq!(Status::from_header_map(&trailers).unwrap().code(), Code::DeadlineExceeded);
        assert!(frame(&mut body).await.is_none());
        assert!(body.is_end_stream());
    }

    #[tokio::test]
    async fn calls_in_time_and_without_a_deadline_are_left_alone() {
        for request in [request("/x"), timed("1H"), timed("99999999H")] {
            let handler = answering(|| vec![Step::Data("a"), Step::Ok]);
            let (data, status) = whole(call(DeadlineLayer, handler, request).await).await;
            assert_eq!((data.as_str(), status.unwrap().code()), ("a", Code::Ok));
        }
    }
}
