//! Errors as adk has them: component, category, stable code, retry hint.

use adk_core::{AdkError, ErrorCategory, ErrorComponent, ErrorDetails, RetryHint};
use tonic::Code;

use super::ConversionError;
use crate::error::Error;

/// The reason of a message over the server's limit, which gRPC counts among exhausted resources.
const MESSAGE_TOO_LARGE: &str = "MESSAGE_TOO_LARGE";

/// What `AdkError::code` says, by category. The server's own reason, which is finer, stands in the
/// error's details under `reason`.
pub mod codes {
    /// A field of the request is wrong; the message names each.
    pub const INVALID_ARGUMENT: &str = "memory.memoryd.invalid_argument";
    /// The request is over the server's limit.
    pub const MESSAGE_TOO_LARGE: &str = "memory.memoryd.message_too_large";
    /// The client's URL or settings can't be used.
    pub const CONFIGURATION: &str = "memory.memoryd.configuration";
    /// Credentials are missing or wrong.
    pub const UNAUTHENTICATED: &str = "memory.memoryd.unauthenticated";
    /// The credentials don't allow the call.
    pub const PERMISSION_DENIED: &str = "memory.memoryd.permission_denied";
    /// The entry asked for isn't there.
    pub const NOT_FOUND: &str = "memory.memoryd.not_found";
    /// Too much at the moment; the retry hint tells when to come back.
    pub const OVERLOADED: &str = "memory.memoryd.overloaded";
    /// A quota is used up, or the disk is full; trying again is of no use.
    pub const EXHAUSTED: &str = "memory.memoryd.exhausted";
    /// The call's time has passed.
    pub const DEADLINE_EXCEEDED: &str = "memory.memoryd.deadline_exceeded";
    /// The server is there, but starting, draining, or without its store.
    pub const UNAVAILABLE: &str = "memory.memoryd.unavailable";
    /// No connection could be had, or it broke.
    pub const UNREACHABLE: &str = "memory.memoryd.unreachable";
    /// The call was cancelled.
    pub const CANCELLED: &str = "memory.memoryd.cancelled";
    /// The server hasn't got this call or this feature.
    pub const UNIMPLEMENTED: &str = "memory.memoryd.unimplemented";
    /// A record is damaged; the message names the entry.
    pub const DATA_LOSS: &str = "memory.memoryd.data_loss";
    /// The server's answer can't be understood.
    pub const INVALID_REPLY: &str = "memory.memoryd.invalid_reply";
    /// A bug of the server; the message holds a reference to its log.
    pub const INTERNAL: &str = "memory.memoryd.internal";
}

impl From<Error> for AdkError {
    fn from(error: Error) -> Self {
        let (category, code) = category_and_code(&error);
        let mut retry = RetryHint::for_category(category);
        if code == codes::EXHAUSTED {
            retry.should_retry = false;
        }
        if let Some(delay) = error.retry_delay() {
            retry.should_retry = true;
            retry = retry.with_retry_after(delay);
        }
        Self::new(ErrorComponent::Memory, category, code, error.to_string())
            .with_retry(retry)
            .with_details(details(&error))
            .with_source(error)
    }
}

impl From<ConversionError> for AdkError {
    fn from(error: ConversionError) -> Self {
        let (category, code) = match &error {
            ConversionError::TimeOutOfRange { .. } => {
                (ErrorCategory::InvalidInput, codes::INVALID_ARGUMENT)
            }
            ConversionError::InvalidReply { .. } | ConversionError::BlobOmitted { .. } => {
                (ErrorCategory::Internal, codes::INVALID_REPLY)
            }
        };
        Self::new(ErrorComponent::Memory, category, code, error.to_string())
            .with_provider(PROVIDER)
            .with_source(error)
    }
}

/// The provider named in an error's details.
const PROVIDER: &str = "memoryd";

fn category_and_code(error: &Error) -> (ErrorCategory, &'static str) {
    let server = match error {
        Error::Configuration(_) => return (ErrorCategory::InvalidInput, codes::CONFIGURATION),
        Error::Unreachable { .. } => return (ErrorCategory::Unavailable, codes::UNREACHABLE),
        Error::DeadlineExceeded { .. } => {
            return (ErrorCategory::Timeout, codes::DEADLINE_EXCEEDED);
        }
        Error::InvalidReply(_) => return (ErrorCategory::Internal, codes::INVALID_REPLY),
        Error::Server(server) => server,
    };
    match server.code {
        Code::InvalidArgument
        | Code::OutOfRange
        | Code::FailedPrecondition
        | Code::AlreadyExists => (ErrorCategory::InvalidInput, codes::INVALID_ARGUMENT),
        Code::ResourceExhausted if server.reason.as_deref() == Some(MESSAGE_TOO_LARGE) => {
            (ErrorCategory::InvalidInput, codes::MESSAGE_TOO_LARGE)
        }
        Code::ResourceExhausted if server.retry_delay.is_some() => {
            (ErrorCategory::RateLimited, codes::OVERLOADED)
        }
        Code::ResourceExhausted => (ErrorCategory::RateLimited, codes::EXHAUSTED),
        Code::Unauthenticated => (ErrorCategory::Unauthorized, codes::UNAUTHENTICATED),
        Code::PermissionDenied => (ErrorCategory::Forbidden, codes::PERMISSION_DENIED),
        Code::NotFound => (ErrorCategory::NotFound, codes::NOT_FOUND),
        Code::DeadlineExceeded => (ErrorCategory::Timeout, codes::DEADLINE_EXCEEDED),
        Code::Unavailable | Code::Aborted => (ErrorCategory::Unavailable, codes::UNAVAILABLE),
        Code::Cancelled => (ErrorCategory::Cancelled, codes::CANCELLED),
        Code::Unimplemented => (ErrorCategory::Unsupported, codes::UNIMPLEMENTED),
        Code::DataLoss => (ErrorCategory::Internal, codes::DATA_LOSS),
        Code::Ok | Code::Unknown | Code::Internal => (ErrorCategory::Internal, codes::INTERNAL),
    }
}

fn details(error: &Error) -> ErrorDetails {
    let mut details =
        ErrorDetails { provider: Some(PROVIDER.to_owned()), ..ErrorDetails::default() };
    let Some(server) = error.server() else {
        return details;
    };
    let facts = server.metadata.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    details.metadata.extend(facts);
    if let Some(reason) = &server.reason {
        details.metadata.insert("reason".to_owned(), reason.clone().into());
    }
    details
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::error::{ServerError, Violation};

    fn answered(code: Code) -> ServerError {
        ServerError::plain(code, "said the server")
    }

    fn as_adk(error: ServerError) -> AdkError {
        Error::Server(Box::new(error)).into()
    }

    #[test]
    fn every_cause_of_the_contract_has_its_category() {
        for (code, category) in [
            (Code::InvalidArgument, ErrorCategory::InvalidInput),
            (Code::Unauthenticated, ErrorCategory::Unauthorized),
            (Code::PermissionDenied, ErrorCategory::Forbidden),
            (Code::NotFound, ErrorCategory::NotFound),
            (Code::ResourceExhausted, ErrorCategory::RateLimited),
            (Code::DeadlineExceeded, ErrorCategory::Timeout),
            (Code::Unavailable, ErrorCategory::Unavailable),
            (Code::Cancelled, ErrorCategory::Cancelled),
            (Code::Unimplemented, ErrorCategory::Unsupported),
            (Code::DataLoss, ErrorCategory::Internal),
            (Code::Internal, ErrorCategory::Internal),
        ] {
            let error = as_adk(answered(code));
            assert_eq!((error.component, error.category), (ErrorComponent::Memory, category));
            assert_eq!(error.message, "said the server");
            assert!(error.code.starts_with("memory.memoryd."));
        }
    }

    #[test]
    fn overload_tells_when_to_come_back_and_quota_that_it_is_no_use() {
        let delay = Some(Duration::from_millis(1_500));
        let overload =
            as_adk(ServerError { retry_delay: delay, ..answered(Code::ResourceExhausted) });
        assert!(overload.is_retryable());
        assert_eq!(overload.retry.retry_after(), delay);
        let quota = as_adk(answered(Code::ResourceExhausted));
        assert!(!quota.is_retryable());
        assert_eq!(quota.code, codes::EXHAUSTED);
    }

    #[test]
    fn a_message_over_the_limit_is_the_callers_to_mend() {
        let error = as_adk(ServerError {
            reason: Some(MESSAGE_TOO_LARGE.to_owned()),
            metadata: [("limit".to_owned(), "33554432".to_owned())].into(),
            ..answered(Code::ResourceExhausted)
        });
        assert_eq!(error.category, ErrorCategory::InvalidInput);
        assert!(!error.is_retryable());
        assert_eq!(error.details.metadata["reason"], MESSAGE_TOO_LARGE);
        assert_eq!(error.details.metadata["limit"], "33554432");
    }

    #[test]
    fn violations_are_in_the_message() {
        let violation = Violation { field: "user_id".into(), description: "is empty".into() };
        let violations = vec![violation];
        let error = as_adk(ServerError { violations, ..answered(Code::InvalidArgument) });
        assert_eq!(error.message, "said the server: user_id: is empty");
    }

    #[test]
    fn without_a_connection_it_is_unavailable_and_may_be_retried() {
        let error: AdkError = Error::Unreachable { message: "refused".into(), source: None }.into();
        assert_eq!((error.category, error.code), (ErrorCategory::Unavailable, codes::UNREACHABLE));
        assert!(error.is_retryable());
    }

    #[test]
    fn a_time_that_can_not_be_sent_is_bad_input() {
        let error = ConversionError::TimeOutOfRange {
            field: "entries[0].timestamp".into(),
            value: "x".into(),
        };
        let error = AdkError::from(error);
        assert_eq!(error.category, ErrorCategory::InvalidInput);
        assert!(error.message.contains("entries[0].timestamp"));
    }
}
