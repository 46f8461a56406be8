//! Response bodies that end early with a status of ours.

use http::HeaderMap;
use http_body::Frame;
use tonic::Status;

use crate::grpc::status::Failure;

/// The trailers that tell a failure; none if they can't be encoded, which ends the stream abruptly.
pub(super) fn failure_trailers<D>(failure: Failure) -> Option<Result<Frame<D>, Status>> {
    let mut trailers = HeaderMap::new();
    Status::from(failure).add_header(&mut trailers).ok()?;
    Some(Ok(Frame::trailers(trailers)))
}
