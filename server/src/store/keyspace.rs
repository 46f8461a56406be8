//! What every storage engine offers: one ordered keyspace of bytes.
//!
//! Plain data in, plain data out, blocking calls: no iterator, closure or lifetime of an engine crosses this line, so
//! that a database across the network can stand here as well as a library.

use std::io;

/// How far an acknowledged batch has got when [`Keyspace::apply`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The batch survives a power loss.
    #[default]
    Always,
    /// The batch survives the end of the process in order, and a power loss only after at most
    /// [`RELAXED_FLUSH_INTERVAL`](super::RELAXED_FLUSH_INTERVAL) and one flush.
    Relaxed,
}

/// What an engine can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyspaceLimits {
    /// Largest stored value, in bytes.
    pub value_bytes: usize,
    /// Largest sum of keys and values of one batch, in bytes.
    pub batch_bytes: usize,
}

/// One change to one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mutation {
    /// Writes the row, whether or not it was there.
    Put {
        /// Where.
        key: Vec<u8>,
        /// The whole new value.
        value: Vec<u8>,
    },
    /// Removes the row; removing what isn't there is no error.
    Delete {
        /// Where.
        key: Vec<u8>,
    },
}

impl Mutation {
    /// Bytes this change counts against [`KeyspaceLimits::batch_bytes`].
    pub fn bytes(&self) -> usize {
        match self {
            Self::Put { key, value } => key.len() + value.len(),
            Self::Delete { key } => key.len(),
        }
    }
}

/// A row as stored: its key and its value.
pub type Row = (Vec<u8>, Vec<u8>);

/// One ordered byte keyspace with atomic, durable batches.
///
/// A single `get` or `scan` never sees half of a batch. It may see a batch that isn't durable yet; records carry
/// their commit number so that a reader can tell.
pub trait Keyspace: Send + Sync + 'static {
    /// What this engine can take.
    fn limits(&self) -> KeyspaceLimits;

    /// The value at `key`, if there is one.
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError>;

    /// At most `limit` rows with `from <= key < until`, in ascending order of their bytes. The next page starts at
    /// the last key with a zero byte appended.
    fn scan(&self, from: &[u8], until: &[u8], limit: usize) -> Result<Vec<Row>, ReadError>;

    /// As [`scan`](Self::scan), without the values.
    fn scan_keys(&self, from: &[u8], until: &[u8], limit: usize)
    -> Result<Vec<Vec<u8>>, ReadError>;

    /// Applies all of `batch` or nothing; of several changes to one key the last counts. `Ok` means the batch is as
    /// durable as the engine's [`Durability`] says. After an engine error the engine refuses every later batch.
    fn apply(&self, batch: &[Mutation]) -> Result<(), ApplyError>;

    /// Whether the engine still takes batches.
    fn health(&self) -> Result<(), ApplyError>;

    /// Bytes of the engine's files, 0 for one that has none.
    fn size_on_disk(&self) -> Result<u64, ReadError>;
}

/// Why rows couldn't be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The engine answered an error, or panicked, which for an embedded engine most often means a damaged file.
    #[error("{engine} could not read: {message}")]
    Engine {
        /// Name of the engine.
        engine: &'static str,
        /// The engine's own words.
        message: String,
    },
    /// The operating system answered an error.
    #[error("could not read the store's files: {0}")]
    Io(#[from] io::Error),
}

/// Why a batch wasn't applied.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// One value is over [`KeyspaceLimits::value_bytes`]; nothing was applied.
    #[error("a value of {bytes} bytes is over the engine's limit of {limit}")]
    ValueTooLarge {
        /// Size of the value.
        bytes: usize,
        /// The limit it is over.
        limit: usize,
    },
    /// The batch is over [`KeyspaceLimits::batch_bytes`]; nothing was applied.
    #[error("a batch of {bytes} bytes is over the engine's limit of {limit}")]
    BatchTooLarge {
        /// Size of the batch.
        bytes: usize,
        /// The limit it is over.
        limit: usize,
    },
    /// The engine answered an error; whether the batch survives a restart is unknown, but it does so whole or not.
    #[error("{engine} could not write: {message}")]
    Engine {
        /// Name of the engine.
        engine: &'static str,
        /// The engine's own words.
        message: String,
    },
    /// The disk didn't confirm the batch; a failed sync is never retried, since the kernel may have dropped the pages.
    #[error("the disk did not confirm a write: {0}")]
    Sync(io::Error),
    /// A batch has been under way for so long that the disk must be taken for gone.
    #[error("a write has been waiting for the disk for {seconds} seconds")]
    Stalled {
        /// For how long, in seconds.
        seconds: u64,
    },
    /// An earlier batch failed, so the engine's state in memory can't be trusted any more.
    #[error("the store stopped taking writes after an earlier failure")]
    StoppedEarlier,
}

/// Refuses a batch that is over the limits.
pub(super) fn check_limits(limits: KeyspaceLimits, batch: &[Mutation]) -> Result<(), ApplyError> {
    let mut batch_bytes = 0;
    for mutation in batch {
        batch_bytes += mutation.bytes();
        if let Mutation::Put { key: _, value } = mutation
            && value.len() > limits.value_bytes
        {
            return Err(ApplyError::ValueTooLarge {
                bytes: value.len(),
                limit: limits.value_bytes,
            });
        }
    }
    if batch_bytes > limits.batch_bytes {
        return Err(ApplyError::BatchTooLarge { bytes: batch_bytes, limit: limits.batch_bytes });
    }
    Ok(())
}
