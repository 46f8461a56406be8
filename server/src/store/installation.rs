//! The secrets of one installation: the key that data keys are wrapped under, and the secret that digests are made
//! under. They are made once and lie in `keys/installation`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::digest::{DIGEST_SECRET_BYTES, first_bytes};
use super::durable_file::create_file_whole;

const FILE: &str = "installation";
const MAGIC: &[u8; 8] = b"memdinst";
const VERSION: u32 = 1;
const WRAPPING_KEY_BYTES: usize = 32;
const WRAPPING_KEY_AT: usize = 12;
const DIGEST_SECRET_AT: usize = WRAPPING_KEY_AT + WRAPPING_KEY_BYTES;
const CHECKSUM_AT: usize = DIGEST_SECRET_AT + DIGEST_SECRET_BYTES;
const FILE_BYTES: usize = CHECKSUM_AT + 4;

/// The secrets, wiped when dropped.
pub struct Installation {
    /// The key-encryption key: data keys lie on disk only wrapped under it.
    pub(super) wrapping_key: Zeroizing<[u8; WRAPPING_KEY_BYTES]>,
    /// The secret that names become digests under. It isn't the wrapping key, so that the one can be changed.
    pub(super) digest_secret: Zeroizing<[u8; DIGEST_SECRET_BYTES]>,
}

/// Why the secrets aren't there.
#[derive(Debug, thiserror::Error)]
pub enum InstallationError {
    /// The system gave no random numbers to make secrets from.
    #[error("the system gave no random numbers: {0}")]
    NoRandomness(getrandom::Error),
    /// The file is missing though the directory was in use before.
    #[error("the file of secrets {} is missing: without it nothing stored can be read; restore it", .0.display())]
    Missing(PathBuf),
    /// The file isn't whole.
    #[error("the file of secrets {} is damaged; restore it from a backup", .0.display())]
    Damaged(PathBuf),
    /// The file is of a version this one doesn't know.
    #[error("the file of secrets {} has version {version}, and this version reads {VERSION} only", path.display())]
    UnknownVersion {
        /// The file.
        path: PathBuf,
        /// What it says.
        version: u32,
    },
    /// The operating system answered an error.
    #[error("could not use the file of secrets {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Installation {
    /// New secrets that live in memory only.
    pub fn random() -> Result<Self, InstallationError> {
        let mut wrapping_key = Zeroizing::new([0; WRAPPING_KEY_BYTES]);
        let mut digest_secret = Zeroizing::new([0; DIGEST_SECRET_BYTES]);
        getrandom::fill(wrapping_key.as_mut_slice()).map_err(InstallationError::NoRandomness)?;
        getrandom::fill(digest_secret.as_mut_slice()).map_err(InstallationError::NoRandomness)?;
        Ok(Self { wrapping_key, digest_secret })
    }

    /// Reads the secrets of `folder`. When there are none they are made, unless `must_exist`: new secrets beside old
    /// rows would only make those unreadable.
    pub fn open(folder: &Path, must_exist: bool) -> Result<Self, InstallationError> {
        let path = folder.join(FILE);
        match fs::read(&path) {
            Ok(content) => Self::decode(&path, &Zeroizing::new(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound && must_exist => {
                Err(InstallationError::Missing(path))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let made = Self::random()?;
                create_file_whole(folder, FILE, made.encode().as_slice())
                    .map_err(|source| InstallationError::Io { path, source })?;
                Ok(made)
            }
            Err(source) => Err(InstallationError::Io { path, source }),
        }
    }

    /// Tells two wrapping keys apart without telling anything about them.
    pub(super) fn wrapping_key_id(&self) -> [u8; 16] {
        let mut hasher = Sha256::new_with_prefix(b"memoryd wrapping key id\0");
        hasher.update(self.wrapping_key.as_slice());
        first_bytes(&hasher.finalize())
    }

    fn encode(&self) -> Zeroizing<[u8; FILE_BYTES]> {
        let Self { wrapping_key, digest_secret } = self;
        let mut content = Zeroizing::new([0; FILE_BYTES]);
        content[..8].copy_from_slice(MAGIC);
        content[8..WRAPPING_KEY_AT].copy_from_slice(&VERSION.to_be_bytes());
        content[WRAPPING_KEY_AT..DIGEST_SECRET_AT].copy_from_slice(wrapping_key.as_slice());
        content[DIGEST_SECRET_AT..CHECKSUM_AT].copy_from_slice(digest_secret.as_slice());
        let checksum = crc32fast::hash(&content[..CHECKSUM_AT]);
        content[CHECKSUM_AT..].copy_from_slice(&checksum.to_be_bytes());
        content
    }

    fn decode(path: &Path, content: &[u8]) -> Result<Self, InstallationError> {
        let damaged = || InstallationError::Damaged(path.to_owned());
        if content.len() < WRAPPING_KEY_AT || !content.starts_with(MAGIC) {
            return Err(damaged());
        }
        let version = u32::from_be_bytes(first_bytes(&content[8..]));
        if version != VERSION {
            return Err(InstallationError::UnknownVersion { path: path.to_owned(), version });
        }
        let checksum = crc32fast::hash(&content[..content.len().min(CHECKSUM_AT)]);
        if content.len() != FILE_BYTES || checksum.to_be_bytes() != content[CHECKSUM_AT..] {
            return Err(damaged());
        }
        Ok(Self {
            wrapping_key: Zeroizing::new(first_bytes(&content[WRAPPING_KEY_AT..])),
            digest_secret: Zeroizing::new(first_bytes(&content[DIGEST_SECRET_AT..])),
        })
    }
}
