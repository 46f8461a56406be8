//! Notes when a write began: at the arrival of its headers, before its message is read (contract,
//! section 4: late writes).

use std::sync::Arc;
use std::task::{Context, Poll};

use tower::{Layer, Service};

use super::HttpRequest;
use crate::engine::Engine;

/// Paths of the calls that write entries.
const WRITES: [&str; 2] =
    ["/memoryd.v1.MemoryService/AddSession", "/memoryd.v1.MemoryService/AddEntries"];

/// Gives every write its ticket.
#[derive(Clone)]
pub struct ArrivalLayer {
    engine: Engine,
}

/// The service of [`ArrivalLayer`].
#[derive(Clone)]
pub struct Arrival<S> {
    inner: S,
    engine: Engine,
}

impl ArrivalLayer {
    /// A layer that takes tickets from this engine.
    pub fn new(engine: Engine) -> Self {
        Self { engine }
    }
}

impl<S> Layer<S> for ArrivalLayer {
    type Service = Arrival<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Arrival { inner, engine: self.engine.clone() }
    }
}

impl<S: Service<HttpRequest>> Service<HttpRequest> for Arrival<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: HttpRequest) -> Self::Future {
        if WRITES.contains(&request.uri().path()) {
            let ticket = Arc::new(self.engine.ticket());
            request.extensions_mut().insert(ticket);
        }
        self.inner.call(request)
    }
}
