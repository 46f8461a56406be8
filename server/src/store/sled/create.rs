//! Opening and creating a sled database.

use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{SledOpenError, panic_message};
use crate::store::durable_file::{UNFINISHED_SUFFIX, sync_directory};

/// sled's own period for writing out and cleaning up; `None` would also stop its cleaning of segments.
const SLED_FLUSH_EVERY_MS: Option<u64> = Some(500);
/// While creating, nothing is cached.
const CREATION_CACHE_BYTES: u64 = 1024 * 1024;
/// A database that was closed a moment ago in this process is still held by sled's threads.
const LOCK_WAIT: Duration = Duration::from_secs(5);
const LOCK_RETRY: Duration = Duration::from_millis(20);
/// What sled says when its file is locked.
const LOCKED_MESSAGE: &str = "could not acquire lock";

/// Creates an empty database at `folder`: beside it first, synced, then renamed. sled syncs neither its settings file
/// nor its folder, and a database cut short there doesn't open again.
pub(super) fn create_database(folder: &Path) -> Result<(), SledOpenError> {
    let io_error = |source| SledOpenError::Io { folder: folder.to_owned(), source };
    let unfinished = unfinished_folder(folder);
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).map_err(io_error)?;
    }
    let database = open_database(&unfinished, CREATION_CACHE_BYTES)?;
    database.flush().map_err(|error| SledOpenError::Engine {
        folder: folder.to_owned(),
        message: error.to_string(),
    })?;
    drop(database);
    sync_tree(&unfinished).map_err(io_error)?;
    fs::rename(&unfinished, folder).map_err(io_error)?;
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    sync_directory(parent).map_err(io_error)
}

/// Opens the database; a panic of sled becomes an error.
pub(super) fn open_database(folder: &Path, cache_bytes: u64) -> Result<::sled::Db, SledOpenError> {
    let give_up = Instant::now() + LOCK_WAIT;
    loop {
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            ::sled::Config::new()
                .path(folder)
                .cache_capacity(cache_bytes)
                .flush_every_ms(SLED_FLUSH_EVERY_MS)
                .open()
        }));
        let message = match attempt {
            Ok(Ok(database)) => return Ok(database),
            Ok(Err(error)) => error.to_string(),
            Err(panic) => panic_message(panic.as_ref()),
        };
        // Other processes are kept away by the lock of the data directory.
        if !message.contains(LOCKED_MESSAGE) || Instant::now() >= give_up {
            return Err(SledOpenError::Engine { folder: folder.to_owned(), message });
        }
        std::thread::sleep(LOCK_RETRY);
    }
}

fn unfinished_folder(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(UNFINISHED_SUFFIX);
    PathBuf::from(name)
}

/// Syncs every file and folder below `folder`, and `folder` itself.
fn sync_tree(folder: &Path) -> io::Result<()> {
    for name in fs::read_dir(folder)? {
        let name = name?;
        if name.file_type()?.is_dir() {
            sync_tree(&name.path())?;
        } else {
            File::open(name.path())?.sync_all()?;
        }
    }
    sync_directory(folder)
}
