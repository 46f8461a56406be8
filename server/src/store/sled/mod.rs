//! The embedded engine on disk: sled 0.34.7, with what it needs to be safe.
//!
//! As shipped, sled's `flush` is no fsync, large leaves go to files that are never synced, a new database isn't
//! durable, a scan can see half of a batch, and a damaged file panics. Each of these is met here, and nothing of sled is
//! visible outside this folder. `flush_async` can hang and is never called.

mod create;
mod relaxed_flush;

use std::any::Any;
use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::RwLock;

use super::durable_file::sync_directory;
use super::keyspace::{
    ApplyError, Durability, Keyspace, KeyspaceLimits, Mutation, ReadError, Row, check_limits,
};
use super::{MAX_BATCH_BYTES, MAX_VALUE_BYTES};
use relaxed_flush::RelaxedFlusher;

const ENGINE: &str = "sled";
/// sled's log, the one file that holds all rows.
const LOG_FILE: &str = "db";

/// A sled database.
pub struct SledKeyspace {
    /// Syncs in the background under [`Durability::Relaxed`]; stopped before the database closes.
    flusher: Option<RelaxedFlusher>,
    /// What the flusher shares.
    database: Arc<Database>,
    /// Held for writing while a batch goes into sled's tree, for reading by each `get` and `scan`: sled has no
    /// snapshots, and without this a scan can see half of a batch.
    batches: RwLock<()>,
    /// Where sled's files are.
    folder: PathBuf,
}

/// The parts that writing to the disk needs.
struct Database {
    tree: ::sled::Db,
    /// A second handle of the log. sled's own flush leaves the data in the disk's cache; a sync of any handle of the
    /// file is a true one, and reports write-back errors that happened since the handle was opened.
    log: File,
    /// Set by the first failed write; sled's state in memory may then be ahead of the disk.
    failed: AtomicBool,
}

/// Why the database didn't open.
#[derive(Debug, thiserror::Error)]
pub enum SledOpenError {
    /// sled answered an error, or panicked, which is how it reports most damage.
    #[error(
        "the database in {} did not open; if it is damaged, restore it from a backup: {message}",
        folder.display()
    )]
    Engine {
        /// Where it is.
        folder: PathBuf,
        /// sled's own words.
        message: String,
    },
    /// The database is missing though the directory was in use before.
    #[error("the database in {} is missing; restore it from a backup", .0.display())]
    Missing(PathBuf),
    /// The operating system answered an error.
    #[error("could not use the database in {}: {source}", folder.display())]
    Io {
        /// Where it is.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl SledKeyspace {
    /// Opens the database of `folder`, or creates it there, whole or not at all, unless `must_exist`.
    ///
    /// `cache_bytes` is what sled aims at for its page cache; it takes 1.4 to 1.7 times as much.
    pub fn open(
        folder: &Path,
        cache_bytes: u64,
        durability: Durability,
        must_exist: bool,
    ) -> Result<Self, SledOpenError> {
        if !folder.join(LOG_FILE).exists() {
            if must_exist {
                return Err(SledOpenError::Missing(folder.to_owned()));
            }
            create::create_database(folder)?;
        }
        let tree = create::open_database(folder, cache_bytes)?;
        let log = File::options()
            .read(true)
            .write(true)
            .open(folder.join(LOG_FILE))
            .map_err(|source| SledOpenError::Io { folder: folder.to_owned(), source })?;
        let database = Arc::new(Database { tree, log, failed: AtomicBool::new(false) });
        // Opening wrote a snapshot under a new name.
        sync_directory(folder)
            .map_err(|source| SledOpenError::Io { folder: folder.to_owned(), source })?;
        // What the last process wrote but didn't sync is readable now and must not vanish later.
        database.flush().map_err(|error| SledOpenError::Engine {
            folder: folder.to_owned(),
            message: error.to_string(),
        })?;
        let flusher =
            match durability {
                Durability::Always => None,
                Durability::Relaxed => {
                    let flusher = RelaxedFlusher::start(Arc::clone(&database));
                    Some(flusher.map_err(|source| SledOpenError::Io {
                        folder: folder.to_owned(),
                        source,
                    })?)
                }
            };
        Ok(Self { flusher, database, batches: RwLock::new(()), folder: folder.to_owned() })
    }

    /// Hands the rows of a range to `visit` until it breaks.
    fn walk(
        &self,
        from: &[u8],
        until: &[u8],
        mut visit: impl FnMut(::sled::IVec, ::sled::IVec) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        if from >= until {
            return Ok(());
        }
        guarded_read(|| {
            let _no_batch_meanwhile = self.batches.read();
            for row in self.database.tree.range(from..until) {
                let (key, value) = row?;
                if visit(key, value).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }
}

impl Keyspace for SledKeyspace {
    fn limits(&self) -> KeyspaceLimits {
        KeyspaceLimits { value_bytes: MAX_VALUE_BYTES, batch_bytes: MAX_BATCH_BYTES }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        guarded_read(|| {
            let _no_batch_meanwhile = self.batches.read();
            let value = self.database.tree.get(key)?;
            Ok(value.map(|value| value.to_vec()))
        })
    }

    fn scan(&self, from: &[u8], until: &[u8], limit: usize) -> Result<Vec<Row>, ReadError> {
        let mut page = Vec::new();
        if limit == 0 {
            return Ok(page);
        }
        self.walk(from, until, |key, value| {
            page.push((key.to_vec(), value.to_vec()));
            break_if(page.len() == limit)
        })?;
        Ok(page)
    }

    fn scan_keys(
        &self,
        from: &[u8],
        until: &[u8],
        limit: usize,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        let mut page = Vec::new();
        if limit == 0 {
            return Ok(page);
        }
        self.walk(from, until, |key, _| {
            page.push(key.to_vec());
            break_if(page.len() == limit)
        })?;
        Ok(page)
    }

    fn apply(&self, batch: &[Mutation]) -> Result<(), ApplyError> {
        check_limits(self.limits(), batch)?;
        self.database.refuse_after_failure()?;
        let mut sled_batch = ::sled::Batch::default();
        for mutation in batch {
            match mutation {
                Mutation::Put { key, value } => sled_batch.insert(key.as_slice(), value.as_slice()),
                Mutation::Delete { key } => sled_batch.remove(key.as_slice()),
            }
        }
        {
            let _no_read_meanwhile = self.batches.write();
            self.database.attempt(|| self.database.tree.apply_batch(sled_batch))?;
        }
        match &self.flusher {
            None => self.database.flush(),
            Some(flusher) => {
                flusher.note_written();
                Ok(())
            }
        }
    }

    fn health(&self) -> Result<(), ApplyError> {
        self.database.refuse_after_failure()
    }

    fn size_on_disk(&self) -> Result<u64, ReadError> {
        let mut bytes = 0;
        for name in fs::read_dir(&self.folder)? {
            let metadata = name?.metadata()?;
            if metadata.is_file() {
                bytes += metadata.len();
            }
        }
        Ok(bytes)
    }
}

impl Database {
    /// Puts everything written so far onto the disk.
    fn flush(&self) -> Result<(), ApplyError> {
        self.refuse_after_failure()?;
        self.attempt(|| self.tree.flush())?;
        self.log.sync_data().map_err(|error| {
            self.failed.store(true, Ordering::Release);
            ApplyError::Sync(error)
        })
    }

    fn refuse_after_failure(&self) -> Result<(), ApplyError> {
        if self.failed.load(Ordering::Acquire) {
            return Err(ApplyError::StoppedEarlier);
        }
        Ok(())
    }

    /// Writes; after an error or a panic nothing is written any more.
    fn attempt<T>(&self, write: impl FnOnce() -> ::sled::Result<T>) -> Result<T, ApplyError> {
        let message = match catch_unwind(AssertUnwindSafe(write)) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic_message(panic.as_ref()),
        };
        self.failed.store(true, Ordering::Release);
        Err(ApplyError::Engine { engine: ENGINE, message })
    }
}

/// Reads; a panic, which is how sled meets some damaged pages, becomes an error of this one call.
fn guarded_read<T>(read: impl FnOnce() -> ::sled::Result<T>) -> Result<T, ReadError> {
    let message = match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic_message(panic.as_ref()),
    };
    Err(ReadError::Engine { engine: ENGINE, message })
}

fn break_if(condition: bool) -> ControlFlow<()> {
    if condition { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// What a panic said.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    super::panic_message(panic)
}
