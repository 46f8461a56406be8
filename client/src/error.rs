//! What can go wrong with a call, as the caller sees it.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tonic::Code;

/// Why a call failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client can't be built from this URL or these settings.
    #[error("{0}")]
    Configuration(String),

    /// No connection could be had, none was before the call's time passed, nothing was ever heard on it, or it was
    /// lost during the call. Whether the server carried the
    /// call out is unknown; sending it again is safe.
    #[error("the memory server can't be reached: {message}")]
    Unreachable {
        /// What happened, down to the last cause.
        message: String,
        /// The transport's own error.
        #[source]
        source: Option<Arc<dyn StdError + Send + Sync>>,
    },

    /// The call's time passed without an answer, or in the middle of one, though the server was there.
    #[error("no answer from the memory server within {timeout:?}")]
    DeadlineExceeded {
        /// How long was waited.
        timeout: Duration,
    },

    /// The server answered with an error.
    #[error(transparent)]
    Server(Box<ServerError>),

    /// The server answered with something that isn't memoryd's.
    #[error("the memory server's answer can't be understood: {0}")]
    InvalidReply(String),
}

/// The server's answer to a call that it refused or failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub struct ServerError {
    /// The status code.
    pub code: Code,
    /// The server's text.
    pub message: String,
    /// The stable name of the cause, such as `MESSAGE_TOO_LARGE`, when the server gave one.
    pub reason: Option<String>,
    /// Facts that belong to the reason, such as the limit in force.
    pub metadata: HashMap<String, String>,
    /// Every bad field of the request (the server names at most 16).
    pub violations: Vec<Violation>,
    /// After which time the same call may succeed. Unset: trying again is of no use, or the server
    /// didn't say.
    pub retry_delay: Option<Duration>,
}

/// What is wrong with one field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field, such as `entries[2].content.parts[0].inline_data.data`.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

impl Error {
    /// The status code that says the same.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Configuration(_) => Code::InvalidArgument,
            Self::Unreachable { .. } => Code::Unavailable,
            Self::DeadlineExceeded { .. } => Code::DeadlineExceeded,
            Self::Server(error) => error.code,
            Self::InvalidReply(_) => Code::Internal,
        }
    }

    /// The stable name of the cause, when the server gave one.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.server().and_then(|error| error.reason.as_deref())
    }

    /// Every bad field that the server named.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        self.server().map_or(&[], |error| &error.violations)
    }

    /// After which time the same call may succeed, when the server said so.
    #[must_use]
    pub fn retry_delay(&self) -> Option<Duration> {
        self.server().and_then(|error| error.retry_delay)
    }

    /// The server's answer, when there was one.
    #[must_use]
    pub fn server(&self) -> Option<&ServerError> {
        match self {
            Self::Server(error) => Some(error),
            Self::Configuration(_)
            | Self::Unreachable { .. }
            | Self::DeadlineExceeded { .. }
            | Self::InvalidReply(_) => None,
        }
    }

    /// Whether the server is out of reach for now: no connection, starting, or draining.
    #[must_use]
    pub fn is_unavailable(&self) -> bool {
        self.code() == Code::Unavailable
    }

    /// Whether the same call may succeed later without anybody's doing. A passed deadline isn't
    /// counted: the client itself never retries it.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable { .. } => true,
            Self::Server(error) => error.code == Code::Unavailable || error.retry_delay.is_some(),
            Self::Configuration(_) | Self::DeadlineExceeded { .. } | Self::InvalidReply(_) => false,
        }
    }
}

impl ServerError {
    /// An error of which only code and text are known.
    pub(crate) fn plain(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            reason: None,
            metadata: HashMap::new(),
            violations: Vec::new(),
            retry_delay: None,
        }
    }
}

impl fmt::Display for ServerError {
    /// The server's text, then the violations that it doesn't already tell.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.message.is_empty() {
            write!(formatter, "{}", self.code)?;
        } else {
            formatter.write_str(&self.message)?;
        }
        let untold = self.violations.iter().filter(|violation| {
            !self.message.contains(&violation.field)
                || !self.message.contains(&violation.description)
        });
        for (index, violation) in untold.enumerate() {
            formatter.write_str(if index == 0 { ": " } else { "; " })?;
            write!(formatter, "{violation}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, description } = self;
        write!(formatter, "{field}: {description}")
    }
}
