//! Why nothing could be measured.

use std::path::PathBuf;

use crate::data::DataError;

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvalError {
    /// A set can't be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A figure must be reached by a set that isn't measured.
    #[error("a figure must be reached by {0}, which isn't measured")]
    FloorWithoutSet(String),
    /// The file of goals isn't as it should be.
    #[error("the goals: {0}")]
    Goals(serde_json::Error),
    /// The program's own threads can't be started.
    #[error("threads could not be started: {0}")]
    Runtime(std::io::Error),
    /// No folder, port or thread for a server.
    #[error("a server could not be prepared: {0}")]
    Prepare(std::io::Error),
    /// The server didn't start, or stopped by itself.
    #[error("the server: {0}")]
    Server(#[from] memoryd::RunError),
    /// The server's thread panicked.
    #[error("the server panicked")]
    ServerPanicked,
    /// A call that is no search failed.
    #[error("{doing}: {error}")]
    Call { doing: &'static str, error: memoryd_client::Error },
    /// An entry of an empty memory wasn't stored as a new one.
    #[error("entry {entry_id} was answered with {outcome}, not as created under this id")]
    NotCreated { entry_id: String, outcome: &'static str },
    /// The server answered for more or fewer entries than it was sent.
    #[error("{sent} entries were sent, {answered} answered")]
    AnswerCount { sent: usize, answered: usize },
    /// A report can't be read or written.
    #[error("{path}: {error}")]
    Report { path: PathBuf, error: std::io::Error },
    /// The answer can't be printed.
    #[error("standard output: {0}")]
    Output(std::io::Error),
}

impl EvalError {
    /// For `map_err` of a call that is no search.
    pub(crate) fn call(doing: &'static str) -> impl Fn(memoryd_client::Error) -> Self {
        move |error| Self::Call { doing, error }
    }
}
