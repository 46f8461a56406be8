//! Counts the calls under way, from their headers to the end of their response, for the drain.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::Notify;
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::{Answer, HttpRequest, HttpResponse};

/// Calls that stay open for as long as the client likes: the drain doesn't wait for them.
const OPEN_ENDED: [&str; 2] = ["/grpc.health.v1.Health/Watch", "/grpc.reflection."];

/// How many calls are under way.
#[derive(Debug, Clone, Default)]
pub struct InFlight {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    count: AtomicUsize,
    /// Told whenever the count falls to zero.
    idle: Notify,
}

impl InFlight {
    /// How many calls are under way now.
    pub fn count(&self) -> usize {
        self.shared.count.load(Ordering::Acquire)
    }

    /// Waits until no call is under way.
    pub async fn idle(&self) {
        loop {
            let idle = self.shared.idle.notified();
            if self.count() == 0 {
                return;
            }
            idle.await;
        }
    }

    fn begin(&self) -> Call {
        self.shared.count.fetch_add(1, Ordering::AcqRel);
        Call(self.clone())
    }
}

/// A call under way.
struct Call(InFlight);

impl Drop for Call {
    fn drop(&mut self) {
        if self.0.shared.count.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.shared.idle.notify_waiters();
        }
    }
}

/// Counts calls.
#[derive(Debug, Clone)]
pub struct InFlightLayer {
    in_flight: InFlight,
}

/// The service of [`InFlightLayer`].
#[derive(Debug, Clone)]
pub struct Counted<S> {
    inner: S,
    in_flight: InFlight,
}

impl InFlightLayer {
    /// A layer that counts there.
    pub fn new(in_flight: InFlight) -> Self {
        Self { in_flight }
    }
}

impl<S> Layer<S> for InFlightLayer {
    type Service = Counted<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Counted { inner, in_flight: self.in_flight.clone() }
    }
}

impl<S> Service<HttpRequest> for Counted<S>
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
        let path = request.uri().path();
        if OPEN_ENDED.iter().any(|start| path.starts_with(start)) {
            return Box::pin(self.inner.call(request));
        }
        let call = self.in_flight.begin();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let response = answer.await?;
            Ok(response.map(|inner| Body::new(CountedBody { inner, _call: call })))
        })
    }
}

/// A response body that counts as a call until it is dropped.
struct CountedBody {
    inner: Body,
    _call: Call,
}

impl HttpBody for CountedBody {
    type Data = bytes::Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.inner).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use tower::service_fn;

    use super::super::test_bodies::{Step, answering, call, frame, request, response, whole};
    use super::*;

    const SEARCH: &str = "/memoryd.v1.MemoryService/Search";

    #[tokio::test]
    async fn quickwit_367_a_call_counts_until_its_body_is_dropped() {
        let in_flight = InFlight::default();
        let layer = || InFlightLayer::new(in_flight.clone());
        let seen = in_flight.clone();
        let handler = service_fn(move |_: HttpRequest| {
            assert!(seen.count() > 0, "it counts before its handler answers");
            std::future::ready(Ok(response([Step::Data("a"), Step::Ok])))
        });
        let first = call(layer(), handler.clone(), request(SEARCH)).await;
        let second = call(layer(), handler.clone(), request(SEARCH)).await;
        assert_eq!(in_flight.count(), 2);
        let mut body = first.into_body();
        assert!(frame(&mut body).await.is_some());
        drop(body);
        assert_eq!(in_flight.count(), 1, "one was dropped in the middle");
        whole(second).await;
        assert_eq!(in_flight.count(), 0);
    }

    #[tokio::test]
    async fn qdrant_6018_a_call_that_is_given_up_before_it_answers_counts_no_more() {
        let in_flight = InFlight::default();
        let never = service_fn(async |_: HttpRequest| -> Result<HttpResponse, Infallible> {
            std::future::pending().await
        });
        let mut service = InFlightLayer::new(in_flight.clone()).layer(never);
        let answer = service.call(request(SEARCH));
        assert_eq!(in_flight.count(), 1);
        drop(answer);
        assert_eq!(in_flight.count(), 0);
    }

    #[tokio::test]
    async fn hyper_4170_calls_that_may_stay_open_for_ever_are_not_counted() {
        let in_flight = InFlight::default();
        for path in ["/grpc.health.v1.Health/Watch", "/grpc.reflection.v1.ServerReflection/X"] {
            let handler = answering(|| vec![Step::Wait]);
            let layer = InFlightLayer::new(in_flight.clone());
            let _open = call(layer, handler, request(path)).await;
            assert_eq!(in_flight.count(), 0, "{path}");
        }
    }

    #[tokio::test]
    async fn spicedb_3295_idle_waits_for_the_last_call() {
        let in_flight = InFlight::default();
        in_flight.idle().await;
        let (first, second) = (in_flight.begin(), in_flight.begin());
        let mut idle = std::pin::pin!(in_flight.idle());
        let soon = std::time::Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, &mut idle).await.is_err());
        drop(first);
        assert!(tokio::time::timeout(soon, &mut idle).await.is_err());
        drop(second);
        idle.await;
    }
}
