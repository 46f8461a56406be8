//! The data directory: who may use it, which format it has, and where things lie in it.
//!
//! ```text
//! format      the version of this layout; written last, so its presence says that creation was finished
//! lock        held by the one process that uses the directory
//! keys/       secrets: `installation` and `slots`, readable by the owner only
//! sled/       the rows
//! ```
//!
//! Every step of creating is whole or not there, and repeatable, so a directory whose creation was cut short opens.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::durable_file::{
    UNFINISHED_SUFFIX, create_file_whole, create_private_directory, private_file_options,
};

/// The version of the layout this program writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 1;

const FORMAT_FILE: &str = "format";
const FORMAT_MAGIC: &str = "memoryd-data";
const LOCK_FILE: &str = "lock";
const KEYS_FOLDER: &str = "keys";
const SLED_FOLDER: &str = "sled";
/// Present at the root of a fresh ext4 disk that is mounted as the data directory.
const LOST_AND_FOUND: &str = "lost+found";
/// A longer format file isn't one of ours.
const FORMAT_FILE_MAX_BYTES: u64 = 256;

/// A data directory that this process alone uses, until the value is dropped.
#[derive(Debug)]
pub struct DataDirectory {
    /// Where it is.
    root: PathBuf,
    /// Whether creation was finished by an earlier process.
    created_before: bool,
    /// Holds the lock; the operating system lets go of it when the file closes, however the process ends.
    _lock: File,
}

/// Why a data directory can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// The folder that the data directory is to lie in isn't there.
    #[error("the folder {} doesn't exist; create it first (a '~' isn't expanded here)", .0.display())]
    NoParent(PathBuf),
    /// Another process uses the directory.
    #[error("the data directory {} is in use by another process{}", directory.display(), holder_text(*holder))]
    InUse {
        /// The directory.
        directory: PathBuf,
        /// Id of the process that holds it, when it could be read.
        holder: Option<u32>,
    },
    /// The directory was written by a version that this one doesn't know.
    #[error(
        "the data directory {} has format {found}, and this version reads format {FORMAT_VERSION} only: \
         start the version that wrote it",
        directory.display()
    )]
    UnknownFormat {
        /// The directory.
        directory: PathBuf,
        /// What its format file says.
        found: String,
    },
    /// The directory holds files that aren't ours.
    #[error(
        "{} is neither empty nor a data directory: it holds {found:?} and no format file",
        directory.display()
    )]
    NotADataDirectory {
        /// The directory.
        directory: PathBuf,
        /// Name of the first thing that doesn't belong.
        found: String,
    },
    /// A part that a finished directory has is missing.
    #[error(
        "the data directory {} is damaged: {part:?} is missing; restore it from a backup",
        directory.display()
    )]
    PartMissing {
        /// The directory.
        directory: PathBuf,
        /// Name of what is missing.
        part: String,
    },
    /// The operating system answered an error.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

fn holder_text(holder: Option<u32>) -> String {
    holder.map_or_else(String::new, |process| format!(" (process {process})"))
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LayoutError {
    let path = path.to_owned();
    move |source| LayoutError::Io { action, path, source }
}

impl DataDirectory {
    /// Locks and checks the directory, creating it when it isn't there. When [`created_before`](Self::created_before)
    /// answers false, the caller creates the parts and then calls [`finish_creation`](Self::finish_creation).
    pub fn open(root: &Path) -> Result<Self, LayoutError> {
        // A missing parent is more often a typing error or an unmounted disk than a wish: it isn't created.
        if let Some(parent) = root.parent()
            && !parent.as_os_str().is_empty()
            && !parent.exists()
        {
            return Err(LayoutError::NoParent(parent.to_owned()));
        }
        create_private_directory(root).map_err(io_error("create the data directory", root))?;
        refuse_foreign_directory(root)?;
        let lock = take_lock(root)?;
        let created_before = read_format(root)?;
        let keys = root.join(KEYS_FOLDER);
        if created_before {
            for part in [KEYS_FOLDER, SLED_FOLDER] {
                require_part(root, part)?;
            }
        } else {
            create_private_directory(&keys).map_err(io_error("create", &keys))?;
        }
        Ok(Self { root: root.to_owned(), created_before, _lock: lock })
    }

    /// Whether an earlier process finished creating the directory, so that every part must be there.
    pub fn created_before(&self) -> bool {
        self.created_before
    }

    /// Folder of the secrets.
    pub fn keys_folder(&self) -> PathBuf {
        self.root.join(KEYS_FOLDER)
    }

    /// Folder of the rows; the engine creates it whole.
    pub fn sled_folder(&self) -> PathBuf {
        self.root.join(SLED_FOLDER)
    }

    /// Writes the format file: from now on a missing part is damage.
    pub fn finish_creation(&mut self) -> Result<(), LayoutError> {
        if self.created_before {
            return Ok(());
        }
        let content = format!("{FORMAT_MAGIC} {FORMAT_VERSION}\n");
        create_file_whole(&self.root, FORMAT_FILE, content.as_bytes())
            .map_err(io_error("write", &self.root.join(FORMAT_FILE)))?;
        self.created_before = true;
        Ok(())
    }
}

/// Writing a lock file and keys into somebody's home directory because of a mistyped flag would be rude.
fn refuse_foreign_directory(root: &Path) -> Result<(), LayoutError> {
    if root.join(FORMAT_FILE).exists() {
        return Ok(());
    }
    let names = fs::read_dir(root).map_err(io_error("list", root))?;
    for name in names {
        let name = name.map_err(io_error("list", root))?.file_name();
        let name = name.to_string_lossy();
        let part = name.strip_suffix(UNFINISHED_SUFFIX).unwrap_or(&name);
        let is_ours = [FORMAT_FILE, LOCK_FILE, KEYS_FOLDER, SLED_FOLDER].contains(&part);
        if !is_ours && name != LOST_AND_FOUND {
            return Err(LayoutError::NotADataDirectory {
                directory: root.to_owned(),
                found: name.into_owned(),
            });
        }
    }
    Ok(())
}

fn take_lock(root: &Path) -> Result<File, LayoutError> {
    let path = root.join(LOCK_FILE);
    let mut lock = private_file_options()
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(io_error("open", &path))?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let holder = match (&lock).take(32).read_to_string(&mut text) {
                Ok(_) => text.trim().parse().ok(),
                Err(_) => None,
            };
            return Err(LayoutError::InUse { directory: root.to_owned(), holder });
        }
        Err(TryLockError::Error(error)) => return Err(io_error("lock", &path)(error)),
    }
    // The process id only serves the message another process gives; it needs no sync.
    lock.set_len(0)
        .and_then(|()| lock.rewind())
        .and_then(|()| writeln!(lock, "{}", std::process::id()))
        .map_err(io_error("write", &path))?;
    Ok(lock)
}

/// Whether there is a format file; an unknown one is refused.
fn read_format(root: &Path) -> Result<bool, LayoutError> {
    let path = root.join(FORMAT_FILE);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(io_error("open", &path)(error)),
    };
    let mut content = Vec::new();
    file.take(FORMAT_FILE_MAX_BYTES).read_to_end(&mut content).map_err(io_error("read", &path))?;
    let text = String::from_utf8_lossy(&content);
    let found = text.trim_end();
    if found == format!("{FORMAT_MAGIC} {FORMAT_VERSION}") {
        return Ok(true);
    }
    Err(LayoutError::UnknownFormat {
        directory: root.to_owned(),
        found: found.chars().take(64).collect(),
    })
}

fn require_part(root: &Path, part: &str) -> Result<(), LayoutError> {
    if root.join(part).is_dir() {
        return Ok(());
    }
    Err(LayoutError::PartMissing { directory: root.to_owned(), part: part.to_owned() })
}
