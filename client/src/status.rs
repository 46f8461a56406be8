//! From a gRPC status to an [`Error`]: what the server said is told apart from what became of the
//! connection.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use tonic::{Code, Status, TimeoutExpired};
use tonic_types::StatusExt;

use crate::error::{Error, ServerError, Violation};

/// What a failed call means. `timeout` is what the call had been given.
pub(crate) fn error_from_status(status: Status, timeout: Duration) -> Error {
    // A status that came over the wire has no source: one with a source was made on this side.
    let Some(cause) = status.source() else {
        return server_error(&status, timeout);
    };
    if chain(cause).any(|error| error.is::<TimeoutExpired>()) {
        return Error::DeadlineExceeded { timeout };
    }
    if chain(cause).any(is_lost_connection) {
        return Error::Unreachable { message: told_in_full(cause), source: Some(Arc::new(status)) };
    }
    server_error(&status, timeout)
}

/// What a failed attempt to connect means.
pub(crate) fn error_from_transport(error: tonic::transport::Error) -> Error {
    Error::Unreachable { message: told_in_full(&error), source: Some(Arc::new(error)) }
}

fn server_error(status: &Status, timeout: Duration) -> Error {
    let details = status.get_error_details();
    let info = details.error_info();
    if status.code() == Code::DeadlineExceeded && info.is_none() {
        return Error::DeadlineExceeded { timeout };
    }
    let violations = details.bad_request().into_iter().flat_map(|bad| &bad.field_violations);
    Error::Server(Box::new(ServerError {
        code: status.code(),
        message: status.message().to_owned(),
        reason: info.map(|info| info.reason.clone()).filter(|reason| !reason.is_empty()),
        metadata: info.map(|info| info.metadata.clone()).unwrap_or_default(),
        violations: violations
            .map(|violation| Violation {
                field: violation.field.clone(),
                description: violation.description.clone(),
            })
            .collect(),
        retry_delay: details.retry_info().map(|info| info.retry_delay.unwrap_or_default()),
    }))
}

/// Whether this cause says that the call never reached the server, or that its connection broke.
/// A stream that the server reset by itself is neither: the connection still stands.
fn is_lost_connection(error: &(dyn StdError + 'static)) -> bool {
    if let Some(http) = error.downcast_ref::<hyper::Error>() {
        // "Canceled" is hyper's word for a request that was never written.
        return http.is_canceled() || http.is_closed() || http.is_timeout();
    }
    if let Some(http2) = error.downcast_ref::<h2::Error>() {
        return http2.is_io()
            || http2.is_go_away()
            || http2.reason() == Some(h2::Reason::REFUSED_STREAM);
    }
    error.is::<std::io::Error>() || error.is::<tonic::ConnectError>()
}

fn chain<'a>(
    error: &'a (dyn StdError + 'static),
) -> impl Iterator<Item = &'a (dyn StdError + 'static)> {
    std::iter::successors(Some(error), |&outer| outer.source())
}

/// The texts of an error and its causes, without the repetitions that wrapping brings.
fn told_in_full(error: &(dyn StdError + 'static)) -> String {
    let mut told: Vec<String> = Vec::new();
    for text in chain(error).map(ToString::to_string) {
        if !told.iter().any(|earlier| earlier.contains(&text)) {
            told.push(text);
        }
    }
    told.join(": ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tonic_types::ErrorDetails;

    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(1);

    #[test]
    fn details_of_an_error_come_over() {
        let mut details = ErrorDetails::new();
        details
            .set_error_info("INVALID_FIELD", "memoryd", HashMap::from([("a".into(), "b".into())]))
            .add_bad_request_violation("user_id", "must not be empty")
            .set_retry_info(Some(Duration::from_millis(250)));
        let status = Status::with_error_details(Code::InvalidArgument, "bad request", details);
        let error = error_from_status(status, TIMEOUT);
        assert_eq!(error.code(), Code::InvalidArgument);
        assert_eq!(error.reason(), Some("INVALID_FIELD"));
        assert_eq!(error.retry_delay(), Some(Duration::from_millis(250)));
        assert_eq!(error.violations()[0].field, "user_id");
        assert_eq!(error.server().unwrap().metadata["a"], "b");
        assert_eq!(error.to_string(), "bad request: user_id: must not be empty");
    }

    #[test]
    fn a_text_that_names_the_violations_is_not_told_twice() {
        let mut details = ErrorDetails::new();
        details.add_bad_request_violation("query", "must not be empty");
        let text = "query: must not be empty";
        let status = Status::with_error_details(Code::InvalidArgument, text, details);
        assert_eq!(error_from_status(status, TIMEOUT).to_string(), text);
    }

    #[test]
    fn a_timeout_of_the_transport_is_a_passed_deadline_not_a_cancelled_call() {
        let status = Status::from_error(Box::new(TimeoutExpired(())));
        assert!(matches!(error_from_status(status, TIMEOUT), Error::DeadlineExceeded { .. }));
    }

    #[test]
    fn a_broken_connection_is_unreachable_whatever_code_the_transport_gives_it() {
        let broken = std::io::Error::new(std::io::ErrorKind::BrokenPipe, "broken pipe");
        let error = error_from_status(Status::from_error(Box::new(broken)), TIMEOUT);
        assert!(matches!(&error, Error::Unreachable { message, .. } if message == "broken pipe"));
        assert!(error.is_retryable());
    }

    #[test]
    fn a_code_that_the_server_sent_stays_the_servers() {
        for code in [Code::Cancelled, Code::Unknown, Code::Unavailable, Code::DataLoss] {
            let error = error_from_status(Status::new(code, "said"), TIMEOUT);
            assert!(matches!(&error, Error::Server(server) if server.code == code), "{error:?}");
        }
    }
}
