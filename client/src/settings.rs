//! What a client goes by, and the defaults, with their units, in one place.

use std::time::Duration;

use crate::retry::RetryPolicy;

/// How long establishing one connection may take.
pub(crate) const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long one call may take, retries included.
pub(crate) const DEFAULT_CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// One connection is a ceiling for many calls at once; idle ones of the pool are never opened.
pub(crate) const DEFAULT_CHANNELS: usize = 4;
/// A search may bring a blob of 10 MiB with five neighbours on each side.
pub(crate) const DEFAULT_MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;
/// Proxies answer more frequent pings with "too many pings" and hang up.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(30);
/// How long a ping may stay unanswered before the connection counts as lost.
pub(crate) const KEEP_ALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// Flow-control window of a stream: a large hit arrives without a stop each 64 KiB.
pub(crate) const STREAM_WINDOW_BYTES: u32 = 4 * 1024 * 1024;
/// Flow-control window of a connection, shared by its streams.
pub(crate) const CONNECTION_WINDOW_BYTES: u32 = 16 * 1024 * 1024;

/// What `adk_memory::MemoryService::add_session` does with what the session already holds.
#[cfg(feature = "adk")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum IngestMode {
    /// New entries are added, the same ones again change nothing, others stay. Fits callers that
    /// send one new turn at a time as well as those that send the whole session each time.
    #[default]
    Upsert,
    /// The session becomes exactly the entries of the call; none of them empties it.
    Replace,
}

/// How many of a query's words an entry must hold for a delete by query to take it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Match {
    /// Every word: what can't surprise.
    #[default]
    All,
    /// At least one word, as adk-memory's in-memory and MongoDB backends do.
    Any,
}

impl From<Match> for memoryd_proto::v1::Match {
    fn from(words: Match) -> Self {
        match words {
            Match::All => Self::All,
            Match::Any => Self::Any,
        }
    }
}

/// Everything that the builder decides.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) connect_timeout: Duration,
    pub(crate) call_timeout: Duration,
    pub(crate) channels: usize,
    pub(crate) max_message_bytes: usize,
    pub(crate) retry: RetryPolicy,
    pub(crate) delete_match: Match,
    #[cfg(feature = "adk")]
    pub(crate) ingest_mode: IngestMode,
    #[cfg(feature = "adk")]
    pub(crate) empty_when_unreachable: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            connect_timeout: DEFAULT_CONNECT_TIMEOUT,
            call_timeout: DEFAULT_CALL_TIMEOUT,
            channels: DEFAULT_CHANNELS,
            max_message_bytes: DEFAULT_MAX_MESSAGE_BYTES,
            retry: RetryPolicy::default(),
            delete_match: Match::default(),
            #[cfg(feature = "adk")]
            ingest_mode: IngestMode::default(),
            #[cfg(feature = "adk")]
            empty_when_unreachable: false,
        }
    }
}
