//! What surrounds every call. The order stands where the layers are stacked, in `run`.

mod arrival;
mod body;
mod deadline;
mod in_flight;
mod panics;
#[cfg(test)]
mod test_bodies;
mod verdict;

pub use arrival::ArrivalLayer;
pub use deadline::DeadlineLayer;
pub use in_flight::{InFlight, InFlightLayer};
pub use panics::PanicLayer;
pub use verdict::VerdictLayer;

use std::convert::Infallible;
use std::pin::Pin;

use http::{Request, Response};
use tonic::body::Body;

use super::status::Failure;

/// A request as the layers see it.
pub type HttpRequest = Request<Body>;
/// A response as the layers see it.
pub type HttpResponse = Response<Body>;

/// An answer of the service below, on its way.
type Answer = Pin<Box<dyn Future<Output = Result<HttpResponse, Infallible>> + Send>>;

/// The response of a call that failed before it had one.
fn refusal(failure: Failure) -> HttpResponse {
    tonic::Status::from(failure).into_http()
}
