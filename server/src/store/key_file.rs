//! The file of key slots, `keys/slots`: a header of one slot's size, then slots.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::digest::first_bytes;
use super::durable_file::{create_file_whole, private_file_options};
use super::key_slot::{DamagedSlot, SLOT_BYTES, Slot};

const FILE: &str = "slots";
const MAGIC: &[u8; 8] = b"memdkeys";
const VERSION: u32 = 1;
const KEY_ID_AT: usize = 12;
const KEY_ID_BYTES: usize = 16;
const CHECKSUM_AT: usize = SLOT_BYTES - 4;
/// The file grows by this many slots at once, so that a new user rarely changes its length (which costs a sync more).
const GROWTH_SLOTS: u64 = 64;

/// The open file.
#[derive(Debug)]
pub(super) struct KeyFile {
    file: File,
    /// Slots the file has room for.
    slots: u64,
}

/// Why the key file can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// The file is missing though the directory was in use before.
    #[error("the key file {} is missing: without it nothing stored can be read; restore it", .0.display())]
    Missing(PathBuf),
    /// The file's header isn't whole.
    #[error("the header of the key file {} is damaged; restore it from a backup", .0.display())]
    Damaged(PathBuf),
    /// The file is of a version this one doesn't know.
    #[error("the key file {} has version {version}, and this version reads {VERSION} only", path.display())]
    UnknownVersion {
        /// The file.
        path: PathBuf,
        /// What it says.
        version: u32,
    },
    /// The keys were wrapped under other secrets than the ones beside them.
    #[error(
        "the key file {} was written under other secrets than those of keys/installation: \
         the two files don't belong together",
        .0.display()
    )]
    OtherInstallation(PathBuf),
    /// The operating system answered an error.
    #[error("could not use the key file {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl KeyFile {
    /// Opens the file of `folder` and reads every slot. It is created when missing, unless `must_exist`.
    pub(super) fn open(
        folder: &Path,
        wrapping_key_id: [u8; KEY_ID_BYTES],
        must_exist: bool,
    ) -> Result<(Self, Vec<Result<Slot, DamagedSlot>>), KeyFileError> {
        let path = folder.join(FILE);
        let io_error = |source| KeyFileError::Io { path: path.clone(), source };
        let mut file = match private_file_options().open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound && must_exist => {
                return Err(KeyFileError::Missing(path));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_file_whole(folder, FILE, &encode_header(wrapping_key_id))
                    .map_err(io_error)?;
                private_file_options().open(&path).map_err(io_error)?
            }
            Err(error) => return Err(io_error(error)),
        };
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(io_error)?;
        let Some((header, body)) = content.split_first_chunk::<SLOT_BYTES>() else {
            return Err(KeyFileError::Damaged(path));
        };
        check_header(&path, header, wrapping_key_id)?;
        let slots: Vec<_> = body
            .chunks(SLOT_BYTES)
            // The last slot may be cut short by a crash while the file grew; the missing bytes were zeros.
            .map(|bytes| Slot::decode(&first_bytes(bytes)))
            .collect();
        let length = SLOT_BYTES as u64 * (1 + slots.len() as u64);
        if length != content.len() as u64 {
            file.set_len(length).map_err(io_error)?;
        }
        // What was read may be in the page cache only: the process before this one may have died between its write
        // and its sync, and what is decided from here on must not be undone by a power loss.
        file.sync_all().map_err(io_error)?;
        let key_file = Self { file, slots: slots.len() as u64 };
        Ok((key_file, slots))
    }

    /// Writes one slot; it is durable after the next [`sync`](Self::sync).
    pub(super) fn write(&mut self, index: u64, slot: &Slot) -> io::Result<()> {
        if index >= self.slots {
            let slots = (index + 1).next_multiple_of(GROWTH_SLOTS);
            self.file.set_len(SLOT_BYTES as u64 * (1 + slots))?;
            self.slots = slots;
        }
        self.file.seek(SeekFrom::Start(SLOT_BYTES as u64 * (1 + index)))?;
        self.file.write_all(&slot.encode())
    }

    /// Slots the file has room for.
    pub(super) fn slots(&self) -> u64 {
        self.slots
    }

    /// A second handle for syncing while others write.
    pub(super) fn sync_handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

fn encode_header(wrapping_key_id: [u8; KEY_ID_BYTES]) -> [u8; SLOT_BYTES] {
    let mut header = [0; SLOT_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..KEY_ID_AT].copy_from_slice(&VERSION.to_be_bytes());
    header[KEY_ID_AT..KEY_ID_AT + KEY_ID_BYTES].copy_from_slice(&wrapping_key_id);
    let checksum = crc32fast::hash(&header[..CHECKSUM_AT]);
    header[CHECKSUM_AT..].copy_from_slice(&checksum.to_be_bytes());
    header
}

fn check_header(
    path: &Path,
    header: &[u8; SLOT_BYTES],
    wrapping_key_id: [u8; KEY_ID_BYTES],
) -> Result<(), KeyFileError> {
    let checksum = crc32fast::hash(&header[..CHECKSUM_AT]);
    if !header.starts_with(MAGIC) || checksum.to_be_bytes() != header[CHECKSUM_AT..] {
        return Err(KeyFileError::Damaged(path.to_owned()));
    }
    let version = u32::from_be_bytes(first_bytes(&header[8..]));
    if version != VERSION {
        return Err(KeyFileError::UnknownVersion { path: path.to_owned(), version });
    }
    if header[KEY_ID_AT..KEY_ID_AT + KEY_ID_BYTES] != wrapping_key_id {
        return Err(KeyFileError::OtherInstallation(path.to_owned()));
    }
    Ok(())
}
