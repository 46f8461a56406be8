//! Why there are no vectors. No error here ever holds a text that was to be embedded, or a key.

use std::path::PathBuf;
use std::time::Duration;

/// Why texts were not embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// No connection, or it broke.
    #[error("the embedder at {host} can't be reached: {cause}")]
    Unreachable {
        /// Host and port.
        host: String,
        /// What the connection said.
        cause: String,
    },
    /// No whole answer in time.
    #[error("the embedder at {host} didn't answer within {} ms", .waited.as_millis())]
    TimedOut {
        /// Host and port.
        host: String,
        /// How long it had.
        waited: Duration,
    },
    /// The server can't now: HTTP 408, 429 or 5xx.
    #[error("the embedder at {host} can't answer now, HTTP {status}: {message}")]
    Busy {
        /// Host and port.
        host: String,
        /// HTTP status.
        status: u16,
        /// What the server said, capped.
        message: String,
        /// When the server wants to be asked again.
        retry_after: Option<Duration>,
    },
    /// The server won't: any other status that isn't success. Asking again changes nothing.
    #[error("the embedder at {host} refuses, HTTP {status}: {message}")]
    Refused {
        /// Host and port.
        host: String,
        /// HTTP status.
        status: u16,
        /// What the server said, capped.
        message: String,
    },
    /// The server answered, but with what can't be used.
    #[error("the answer of the embedder at {host} can't be used: {fault}")]
    Answer {
        /// Host and port.
        host: String,
        /// What is wrong with it.
        fault: AnswerFault,
    },
    /// The endpoint failed a moment ago, and searches don't wait for it until some seconds have passed.
    #[error("the embedder at {host} failed a moment ago and is left alone for {} ms", .rest.as_millis())]
    Resting {
        /// Host and port.
        host: String,
        /// How long it is left alone from now.
        rest: Duration,
    },
}

impl EmbedError {
    /// Whether the same call may succeed later, with nothing changed here.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::Busy { .. }
            | Self::Resting { .. } => true,
            Self::Refused { .. } | Self::Answer { .. } => false,
        }
    }
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerFault {
    /// Longer than any right answer.
    #[error("it has more than {most} bytes")]
    TooLong {
        /// What is taken, in bytes.
        most: u64,
    },
    /// Not JSON, or not of the protocol's shape.
    #[error("it isn't what the protocol says, at line {line} column {column}")]
    Malformed {
        /// Line of the JSON text, from 1.
        line: usize,
        /// Column, from 1; 0 before the first character.
        column: usize,
    },
    /// Not one vector for each text.
    #[error("{sent} texts were sent, {answered} vectors came back")]
    Count {
        /// Texts sent.
        sent: usize,
        /// Vectors that came back.
        answered: usize,
    },
    /// An index that is out of range or was answered twice.
    #[error("its index {index} is answered twice, or beyond the {sent} texts that were sent")]
    Index {
        /// The index.
        index: u64,
        /// Texts sent.
        sent: usize,
    },
    /// Vectors that can't be compared with the earlier ones.
    #[error("its vectors have {answered} numbers where {expected} were expected")]
    Length {
        /// As configured, or as the first answer had.
        expected: usize,
        /// As this answer has.
        answered: usize,
    },
    /// NaN, infinite, or zero throughout: it has no direction.
    #[error("its vector {index} has no direction: not finite, or zero")]
    NoDirection {
        /// Which text of the request.
        index: usize,
    },
}

/// Why an embedder can't be used at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Options that don't fit together; all that is wrong.
    #[error("{}", .0.join("; "))]
    Options(Vec<String>),
    /// A file of a model can't be read.
    #[error("the model's file {} can't be read: {cause}", .path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Nothing there that is a model.
    #[error(
        "{} is no model: it must be a folder with table.bin and vocab.tsv, or with model.safetensors and \
         tokenizer.json, or one of these files beside the other", .path.display()
    )]
    NoModel {
        /// What was configured.
        path: PathBuf,
    },
    /// The model's files hold something else than they should.
    #[error("the model {name} can't be used: {cause}")]
    Model {
        /// Its path, or the name of a built-in one.
        name: String,
        /// What is wrong.
        cause: String,
    },
    /// The client for the endpoint can't be made.
    #[error("the embedder's address can't be used: {0}")]
    Address(String),
}
