//! Files and directories that are there after a power loss.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Makes the names in `directory` durable: a file that was created, renamed or removed in it stays so.
pub(super) fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Creates `directory` for this user only, if it isn't there, and makes its name durable.
pub(super) fn create_private_directory(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(directory) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && directory.is_dir() => {}
        Err(error) => return Err(error),
    }
    match directory.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => sync_directory(parent),
        _ => sync_directory(Path::new(".")),
    }
}

/// Options for a file that only this user may read.
pub(super) fn private_file_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Puts a private file of these bytes at `directory/name`: whole or not at all, whenever the machine stops.
pub(super) fn create_file_whole(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let unfinished = directory.join(format!("{name}{UNFINISHED_SUFFIX}"));
    let mut file = private_file_options().create(true).truncate(true).open(&unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&unfinished, directory.join(name))?;
    sync_directory(directory)
}

/// Ends the name of what was being created when the process stopped; whoever finds one starts over.
pub(super) const UNFINISHED_SUFFIX: &str = ".unfinished";
