//! The store as the rooms above see it: one handle that ties engine, keys and committer together.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::oneshot;

use super::commit_number::{self, CommitNumberError};
use super::committer::{CommitListener, Committer, FatalHook};
use super::digest::Digester;
use super::installation::{Installation, InstallationError};
use super::key::StorageKey;
use super::key_file::KeyFileError;
use super::key_range::KeyRange;
use super::key_ring::KeyRing;
use super::keyspace::{ApplyError, Durability, Keyspace, KeyspaceLimits, ReadError, Row};
use super::layout::{DataDirectory, LayoutError};
use super::limits::STALLED_AFTER;
use super::memory::MemoryKeyspace;
use super::proposal::{CommitError, Committed, Proposal};
use super::seal::SEAL_OVERHEAD_BYTES;
use super::sled::{SledKeyspace, SledOpenError};
use super::slow_opening::SlowOpening;

/// How to open a store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Where the rows are.
    pub engine: Engine,
    /// What an answer promises.
    pub durability: Durability,
}

/// Where the rows of a store are.
#[derive(Debug, Clone)]
pub enum Engine {
    /// In a data directory, with sled.
    Sled {
        /// The data directory; created when missing, its parent must be there.
        directory: PathBuf,
        /// What sled aims at for its page cache, in bytes; it takes 1.4 to 1.7 times as much.
        cache_bytes: u64,
    },
    /// In memory; forgotten with the process.
    Memory,
}

/// Why a store didn't open.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data directory can't be used.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The installation's secrets aren't there.
    #[error(transparent)]
    Installation(#[from] InstallationError),
    /// The data keys aren't there.
    #[error(transparent)]
    KeyFile(#[from] KeyFileError),
    /// The database doesn't open.
    #[error(transparent)]
    Sled(#[from] SledOpenError),
    /// It isn't known how far the store has committed.
    #[error(transparent)]
    CommitNumber(#[from] CommitNumberError),
    /// A thread couldn't be started.
    #[error("a thread of the store could not be started: {0}")]
    Thread(io::Error),
}

/// A handle of the store, cheap to clone. Dropping the last one finishes what waits and closes the files.
pub struct Store<T> {
    pub(super) parts: Arc<Parts<T>>,
}

impl<T> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self { parts: Arc::clone(&self.parts) }
    }
}

/// In the order in which they are dropped: the writer first, the lock of the directory last.
pub(super) struct Parts<T> {
    pub(super) committer: Committer<T>,
    keyspace: Arc<dyn Keyspace>,
    key_ring: Arc<KeyRing>,
    digester: Digester,
    /// `None` in memory.
    _directory: Option<Arc<DataDirectory>>,
}

impl<T: Send + 'static> Store<T> {
    /// Opens the store, creating it when its directory is missing or empty. Blocks; an opening that takes over a
    /// second says so in the log.
    pub fn open(
        options: StoreOptions,
        listener: Arc<dyn CommitListener<T>>,
        fatal: FatalHook,
    ) -> Result<Self, OpenError> {
        let StoreOptions { engine, durability } = options;
        let _reports = SlowOpening::watch().map_err(OpenError::Thread)?;
        match engine {
            Engine::Memory => {
                let installation = Installation::random()?;
                let key_ring = KeyRing::in_memory(&installation);
                let keyspace = Arc::new(MemoryKeyspace::default());
                Self::assemble(keyspace, key_ring, &installation, None, listener, fatal)
            }
            Engine::Sled { directory, cache_bytes } => {
                let mut data_directory = DataDirectory::open(&directory)?;
                let must_exist = data_directory.created_before();
                let keys = data_directory.keys_folder();
                let installation = Installation::open(&keys, must_exist)?;
                let key_ring = KeyRing::open(&keys, &installation, must_exist)?;
                let keyspace = SledKeyspace::open(
                    &data_directory.sled_folder(),
                    cache_bytes,
                    durability,
                    must_exist,
                )?;
                data_directory.finish_creation()?;
                Self::assemble(
                    Arc::new(keyspace),
                    key_ring,
                    &installation,
                    Some(Arc::new(data_directory)),
                    listener,
                    fatal,
                )
            }
        }
    }

    /// A store over any keyspace, with secrets that live in memory only: for tests that inject failures.
    #[cfg(test)]
    pub(crate) fn over(
        keyspace: Arc<dyn Keyspace>,
        listener: Arc<dyn CommitListener<T>>,
        fatal: FatalHook,
    ) -> Result<Self, OpenError> {
        let installation = Installation::random()?;
        let key_ring = KeyRing::in_memory(&installation);
        Self::assemble(keyspace, key_ring, &installation, None, listener, fatal)
    }

    fn assemble(
        keyspace: Arc<dyn Keyspace>,
        key_ring: KeyRing,
        installation: &Installation,
        directory: Option<Arc<DataDirectory>>,
        listener: Arc<dyn CommitListener<T>>,
        fatal: FatalHook,
    ) -> Result<Self, OpenError> {
        let key_ring = Arc::new(key_ring);
        let watermark = commit_number::read(keyspace.as_ref())?;
        let committer = Committer::start(
            Arc::clone(&keyspace),
            Arc::clone(&key_ring),
            watermark,
            listener,
            fatal,
            directory.clone(),
        )
        .map_err(OpenError::Thread)?;
        Ok(Self {
            parts: Arc::new(Parts {
                committer,
                keyspace,
                key_ring,
                digester: Digester::new(&installation.digest_secret),
                _directory: directory,
            }),
        })
    }

    /// Makes the digests that keys consist of.
    pub fn digester(&self) -> &Digester {
        &self.parts.digester
    }

    /// The users' data keys.
    pub fn key_ring(&self) -> &KeyRing {
        &self.parts.key_ring
    }

    /// The stored value at `key`, to be opened with [`open`](super::open). Blocks.
    pub fn get(&self, key: &StorageKey) -> Result<Option<Vec<u8>>, ReadError> {
        self.parts.keyspace.get(key.as_bytes())
    }

    /// At most `limit` rows of `range` in order; the next page is that of
    /// [`range.after(last key)`](KeyRange::after). Blocks.
    ///
    /// A page never holds half of a commit, but two pages may stand on either side of one, and a row may be of a
    /// commit above [`watermark`](Self::watermark), whose proposer has no answer yet.
    pub fn scan(&self, range: &KeyRange, limit: usize) -> Result<Vec<Row>, ReadError> {
        let KeyRange { from, until } = range;
        self.parts.keyspace.scan(from, until, limit)
    }

    /// As [`scan`](Self::scan), without the values.
    pub fn scan_keys(&self, range: &KeyRange, limit: usize) -> Result<Vec<Vec<u8>>, ReadError> {
        let KeyRange { from, until } = range;
        self.parts.keyspace.scan_keys(from, until, limit)
    }

    /// Proposes changes; see [`Committer::submit`]. Doesn't block.
    pub fn submit(
        &self,
        proposal: Proposal<T>,
    ) -> oneshot::Receiver<Result<Committed, CommitError>> {
        self.parts.committer.submit(proposal)
    }

    /// Number of the last durable commit, 0 before the first.
    pub fn watermark(&self) -> u64 {
        self.parts.committer.watermark()
    }

    /// Whether the store failed for good; the process should stop.
    pub fn is_failed(&self) -> bool {
        self.parts.committer.is_failed()
    }

    /// Whether the store still takes writes, and the disk still answers.
    pub fn health(&self) -> Result<(), ApplyError> {
        if self.is_failed() {
            return Err(ApplyError::StoppedEarlier);
        }
        let writing_for = self.parts.committer.writing_for();
        if writing_for >= STALLED_AFTER {
            return Err(ApplyError::Stalled { seconds: writing_for.as_secs() });
        }
        self.parts.keyspace.health()
    }

    /// What the engine can take.
    pub fn limits(&self) -> KeyspaceLimits {
        self.parts.keyspace.limits()
    }

    /// Longest record that fits one value once sealed, in bytes; a longer one goes into chunks.
    pub fn max_record_bytes(&self) -> usize {
        self.limits().value_bytes.saturating_sub(SEAL_OVERHEAD_BYTES)
    }

    /// Bytes of the engine's files.
    pub fn size_on_disk(&self) -> Result<u64, ReadError> {
        self.parts.keyspace.size_on_disk()
    }

    /// Refuses new proposals, finishes what waits, and returns when it is done. Reads still work.
    pub fn shutdown(&self) {
        self.parts.committer.shutdown();
    }
}
