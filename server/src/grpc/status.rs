//! The one table from causes to gRPC statuses (contract, section 8). Nothing else makes a status.

use std::time::Duration;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use super::reason::Reason;
use crate::domain::Violations;
use crate::engine::{ReadError, WriteError};
use crate::store::{CommitError, KeyRingError};

/// Longest text of a status once it is encoded, in bytes. Much longer ones break the connection of some
/// clients.
const MAX_MESSAGE_BYTES: usize = 2_048;
/// Longest text that lists violations, in bytes once encoded. It comes twice, as text and in the details,
/// and all headers together must fit the 8 KiB that grpc-java accepts.
const MAX_VIOLATIONS_TEXT_BYTES: usize = 1_024;
/// Longest field path or description of one violation, in bytes, for the same reason: there may be sixteen,
/// in base64.
const MAX_VIOLATION_BYTES: usize = 120;
/// When to try again what only needs a moment.
const SOON: Duration = Duration::from_millis(100);
/// When to try again what needs a server to come up.
const LATER: Duration = Duration::from_secs(1);

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Fields are bad.
    #[error("{0}")]
    Invalid(Violations),
    /// The message can't be decoded.
    #[error("the message can't be decoded: {0}")]
    Undecodable(String),
    /// The message is over the limit.
    #[error("the message is over the limit of {limit} bytes")]
    TooLarge {
        /// The limit in force, in bytes.
        limit: usize,
    },
    /// There is no such method, or a feature of the protocol isn't supported.
    #[error("{0}")]
    Unimplemented(String),
    /// The caller's deadline passed.
    #[error("the deadline passed before the call was done")]
    Deadline,
    /// A panic.
    #[error("a panic: {0}")]
    Panic(String),
    /// A read failed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A write failed.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<Violations> for Failure {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Self {
        let text = failure.to_string();
        match failure {
            Failure::Invalid(violations) => invalid(Reason::InvalidArgument, &violations),
            Failure::Undecodable(_) => {
                plain(Code::InvalidArgument, Reason::UndecodableMessage, &text)
            }
            Failure::TooLarge { limit } => too_large(limit, &text),
            Failure::Unimplemented(_) => plain(Code::Unimplemented, Reason::Unimplemented, &text),
            Failure::Deadline => plain(Code::DeadlineExceeded, Reason::DeadlineExceeded, &text),
            Failure::Panic(_) => internal(&text),
            Failure::Read(error) | Failure::Write(WriteError::Read(error)) => read(&error),
            Failure::Write(error) => write(&error),
        }
    }
}

fn read(error: &ReadError) -> Status {
    let text = error.to_string();
    match error {
        // The layer that gave up answers the caller; this answer is seen by nobody but a test.
        ReadError::Interrupted => plain(Code::Cancelled, Reason::Cancelled, &text),
        ReadError::NotFound(_) => plain(Code::NotFound, Reason::EntryNotFound, &text),
        ReadError::PageToken => {
            let mut violations = Violations::default();
            violations.add("page_token", text);
            invalid(Reason::InvalidPageToken, &violations)
        }
        ReadError::NoEmbedder => plain(Code::Unimplemented, Reason::NoEmbedder, &text),
        // Its own words are for the log: they may name hosts that are nobody's business.
        ReadError::Embedder(error) => {
            tracing::warn!(%error, "a search by meaning could not be answered");
            let text = "the embedder doesn't answer; search by words, or try again";
            retry(Code::Unavailable, Reason::EmbedderUnavailable, text, LATER)
        }
        ReadError::Damaged { name, .. } => {
            let mut details = details(Reason::EntryDamaged);
            details.set_resource_info("memoryd.v1.Entry", name, "", "the stored record is damaged");
            status(Code::DataLoss, &text, details)
        }
        ReadError::Key(error) => key(error, &text),
        ReadError::Store(_) => {
            tracing::error!(%error, "the store could not be read");
            retry(Code::Unavailable, Reason::StoreUnavailable, "the store can't be read", LATER)
        }
        ReadError::Writes(error) => write(error),
        ReadError::Internal(_) => internal(&text),
    }
}

fn key(error: &KeyRingError, text: &str) -> Status {
    match error {
        KeyRingError::DamagedKey => plain(Code::DataLoss, Reason::KeyDamaged, text),
        KeyRingError::Erasing => retry(Code::Unavailable, Reason::StoreUnavailable, text, SOON),
        KeyRingError::NoRandomness(_) | KeyRingError::Io(_) | KeyRingError::StoppedEarlier => {
            tracing::error!(%error, "the key file failed");
            retry(Code::Unavailable, Reason::StoreUnavailable, "the key file failed", LATER)
        }
    }
}

fn write(error: &WriteError) -> Status {
    let text = error.to_string();
    match error {
        WriteError::Contended => retry(Code::Unavailable, Reason::Contended, &text, SOON),
        WriteError::DiskFull => {
            let mut details = details(Reason::DiskFull);
            details.add_quota_failure_violation("disk", text.as_str());
            status(Code::ResourceExhausted, &text, details)
        }
        WriteError::Read(error) => read(error),
        WriteError::Seal(_) => internal(&text),
        WriteError::Commit(error) => match error {
            CommitError::Conflict { .. } => {
                retry(Code::Unavailable, Reason::Contended, &text, SOON)
            }
            CommitError::TooLarge { limit, .. } => too_large(*limit, &text),
            CommitError::Overloaded => {
                retry(Code::ResourceExhausted, Reason::Overloaded, &text, SOON)
            }
            CommitError::Unreadable(_) => {
                tracing::error!(%error, "the store could not be read");
                retry(Code::Unavailable, Reason::StoreUnavailable, "the store can't be read", LATER)
            }
            CommitError::Unavailable => {
                retry(Code::Unavailable, Reason::StoreUnavailable, &text, LATER)
            }
        },
    }
}

fn invalid(reason: Reason, violations: &Violations) -> Status {
    let mut details = details(reason);
    for violation in violations.iter() {
        details.add_bad_request_violation(
            cut(&violation.field, MAX_VIOLATION_BYTES, str::len),
            cut(&violation.description, MAX_VIOLATION_BYTES, str::len),
        );
    }
    let text = cut(&violations.to_string(), MAX_VIOLATIONS_TEXT_BYTES, encoded_length);
    status(Code::InvalidArgument, &text, details)
}

fn too_large(limit: usize, text: &str) -> Status {
    let metadata = [("limit_bytes".to_owned(), limit.to_string())];
    let details = ErrorDetails::with_error_info(
        Reason::MessageTooLarge.as_str(),
        memoryd_proto::ERROR_DOMAIN,
        metadata,
    );
    status(Code::ResourceExhausted, text, details)
}

/// A bug: the cause goes to the log, the caller gets a reference to find it there.
fn internal(cause: &str) -> Status {
    let reference = match getrandom::u64() {
        Ok(number) => format!("{number:016x}"),
        Err(_) => "unknown".to_owned(),
    };
    tracing::error!(reference, cause, "internal error");
    let metadata = [("reference".to_owned(), reference.clone())];
    let details = ErrorDetails::with_error_info(
        Reason::Internal.as_str(),
        memoryd_proto::ERROR_DOMAIN,
        metadata,
    );
    let text = format!("internal error; the server's log has the cause under {reference}");
    status(Code::Internal, &text, details)
}

fn plain(code: Code, reason: Reason, text: &str) -> Status {
    status(code, text, details(reason))
}

fn retry(code: Code, reason: Reason, text: &str, after: Duration) -> Status {
    let mut details = details(reason);
    details.set_retry_info(Some(after));
    status(code, text, details)
}

fn details(reason: Reason) -> ErrorDetails {
    ErrorDetails::with_error_info(
        reason.as_str(),
        memoryd_proto::ERROR_DOMAIN,
        std::iter::empty::<(String, String)>().collect::<std::collections::HashMap<_, _>>(),
    )
}

fn status(code: Code, text: &str, details: ErrorDetails) -> Status {
    Status::with_error_details(code, cut(text, MAX_MESSAGE_BYTES, encoded_length), details)
}

/// Bytes of a text in a `grpc-message` header, where tonic percent-encodes more than the protocol asks for.
fn encoded_length(text: &str) -> usize {
    let as_it_is = |byte: u8| byte.is_ascii_graphic() && !b"\"#%<>`?{}".contains(&byte);
    text.bytes().map(|byte| if as_it_is(byte) { 1 } else { 3 }).sum()
}

/// The longest start of a text whose `length` is within a limit, with a mark if it isn't all.
fn cut(text: &str, limit: usize, length: fn(&str) -> usize) -> String {
    if length(text) <= limit {
        return text.to_owned();
    }
    const MARK: &str = "...";
    let mut room = limit.saturating_sub(MARK.len());
    let mut end = 0;
    for (start, character) in text.char_indices() {
        let next = start + character.len_utf8();
        let Some(left) = room.checked_sub(length(&text[start..next])) else { break };
        room = left;
        end = next;
    }
    format!("{}{MARK}", &text[..end])
}

#[cfg(test)]
mod tests;
