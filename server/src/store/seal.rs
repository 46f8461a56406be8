//! A stored value: a short plain header, then the record under its user's data key.
//!
//! ```text
//! format 1 | record type 1 | generation of the data key 2 | commit number 8 | CRC-32 of these twelve bytes and the key 4
//! nonce 24 | ciphertext | tag 16
//! ```
//!
//! The cipher is XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03) with a random nonce, and as associated data the
//! storage key, the format, the record type and the generation: a value moved to another key, or read as another type
//! or as of another generation, doesn't open. The generation tells which of a user's data keys opens the value, should
//! the user have more than one while records are moved from an old key to a new one.
//!
//! The commit number isn't known when a value is sealed; the committer stamps it, and the CRC guards it.

use std::fmt;

use chacha20poly1305::aead::AeadInPlace;
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

use super::digest::first_bytes;
use super::key::StorageKey;

/// Length of a data key, in bytes.
pub(super) const DATA_KEY_BYTES: usize = 32;
/// Bytes that a stored value has more than what was sealed in it.
pub const SEAL_OVERHEAD_BYTES: usize = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

const FORMAT: u8 = 1;
const GENERATION_AT: usize = 1 + 1;
const COMMIT_AT: usize = GENERATION_AT + GENERATION_BYTES;
const STAMPED_BYTES: usize = COMMIT_AT + 8;
const HEADER_BYTES: usize = STAMPED_BYTES + 4;
/// Length of a data key's generation, in bytes.
pub(super) const GENERATION_BYTES: usize = 2;
pub(super) const NONCE_BYTES: usize = 24;
pub(super) const TAG_BYTES: usize = 16;

/// The generation of every user's first data key.
pub(super) const FIRST_GENERATION: u16 = 0;

/// The key that the records of one user are sealed under. It is wiped when dropped and never printed.
pub struct DataKey {
    /// Which of the user's keys, one after another, this is.
    generation: u16,
    bytes: Zeroizing<[u8; DATA_KEY_BYTES]>,
}

impl DataKey {
    /// A key from its generation and its bytes.
    pub(super) fn new(generation: u16, bytes: Zeroizing<[u8; DATA_KEY_BYTES]>) -> Self {
        Self { generation, bytes }
    }

    /// A new key from the system's random numbers.
    pub(super) fn random(generation: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = Zeroizing::new([0; DATA_KEY_BYTES]);
        getrandom::fill(bytes.as_mut_slice())?;
        Ok(Self { generation, bytes })
    }

    pub(super) fn generation(&self) -> u16 {
        self.generation
    }

    pub(super) fn bytes(&self) -> &[u8; DATA_KEY_BYTES] {
        &self.bytes
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DataKey(..)")
    }
}

/// What a sealed value holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum RecordType {
    /// An entry, whole or the part that isn't in chunks.
    Entry = 1,
    /// The mark that an entry was deleted.
    Tombstone = 2,
    /// A part of an entry.
    Chunk = 3,
    /// When an entry expires.
    Expiry = 4,
    /// What search keeps of an entry.
    Index = 5,
}

impl RecordType {
    fn from_byte(byte: u8) -> Option<Self> {
        [Self::Entry, Self::Tombstone, Self::Chunk, Self::Expiry, Self::Index]
            .into_iter()
            .find(|record_type| *record_type as u8 == byte)
    }
}

/// A value that is ready to be stored but for its commit number.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedValue {
    /// The whole value, with zeros where commit number and CRC go.
    pub(super) bytes: Vec<u8>,
}

impl fmt::Debug for SealedValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SealedValue({} bytes)", self.bytes.len())
    }
}

impl SealedValue {
    /// Length of the stored value, in bytes.
    pub fn stored_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The value as it is stored under `key` by commit `commit`.
    pub(super) fn stamp(self, key: &StorageKey, commit: u64) -> Vec<u8> {
        let mut bytes = self.bytes;
        bytes[COMMIT_AT..STAMPED_BYTES].copy_from_slice(&commit.to_be_bytes());
        let checksum = header_checksum(&bytes[..STAMPED_BYTES], key.as_bytes());
        bytes[STAMPED_BYTES..HEADER_BYTES].copy_from_slice(&checksum.to_be_bytes());
        bytes
    }
}

/// Why a value couldn't be sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    /// The system gave no random numbers.
    #[error("the system gave no random numbers: {0}")]
    NoRandomness(getrandom::Error),
    /// The cipher refused; it does so only above 256 GiB.
    #[error("a record of {bytes} bytes can't be sealed")]
    TooLong {
        /// Length of the record.
        bytes: usize,
    },
}

/// A stored value that can't be trusted or read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DamagedRecord {
    /// Shorter than any value.
    #[error("a stored value is cut short")]
    TooShort,
    /// The header's checksum is wrong: the header is damaged, or the value lies under a key that isn't its own.
    #[error("the header of a stored value is damaged")]
    Header,
    /// The header is whole, but of a format this version doesn't know.
    #[error("a stored value has format {0}, which this version doesn't know")]
    UnknownFormat(u8),
    /// The header is whole, but of a record type this version doesn't know.
    #[error("a stored value has record type {0}, which this version doesn't know")]
    UnknownType(u8),
    /// The header is whole, but the value was sealed under another of its user's data keys than the one given.
    #[error("a stored value was sealed under the data key of generation {generation}")]
    OtherKey {
        /// Generation of the key that it was sealed under.
        generation: u16,
    },
    /// The record doesn't open: another data key than the user's present one, or damage.
    #[error("a stored value doesn't open under its user's key")]
    Undecipherable,
}

/// What the plain header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordHeader {
    /// What is inside.
    pub record_type: RecordType,
    /// Generation of the data key that the value is sealed under.
    pub generation: u16,
    /// The commit that wrote the value.
    pub commit: u64,
}

/// A record that was opened.
#[derive(Clone, PartialEq, Eq)]
pub struct OpenedRecord {
    /// What the plain header said.
    pub header: RecordHeader,
    /// What was sealed.
    pub content: Vec<u8>,
}

impl fmt::Debug for OpenedRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { header, content } = self;
        write!(formatter, "OpenedRecord({header:?}, {} bytes)", content.len())
    }
}

/// Seals `content` for being stored under `key`. The result is [`SEAL_OVERHEAD_BYTES`] longer.
pub fn seal(
    data_key: &DataKey,
    key: &StorageKey,
    record_type: RecordType,
    content: &[u8],
) -> Result<SealedValue, SealError> {
    let mut bytes = Vec::with_capacity(content.len() + SEAL_OVERHEAD_BYTES);
    bytes.extend_from_slice(&[FORMAT, record_type as u8]);
    bytes.extend_from_slice(&data_key.generation().to_be_bytes());
    bytes.resize(HEADER_BYTES + NONCE_BYTES, 0);
    getrandom::fill(&mut bytes[HEADER_BYTES..]).map_err(SealError::NoRandomness)?;
    let nonce = XNonce::from(first_bytes::<NONCE_BYTES>(&bytes[HEADER_BYTES..]));
    bytes.extend_from_slice(content);
    let tag = XChaCha20Poly1305::new(data_key.bytes().into())
        .encrypt_in_place_detached(
            &nonce,
            &associated_data(key.as_bytes(), record_type, data_key.generation()),
            &mut bytes[HEADER_BYTES + NONCE_BYTES..],
        )
        .map_err(|_| SealError::TooLong { bytes: content.len() })?;
    bytes.extend_from_slice(&tag);
    Ok(SealedValue { bytes })
}

/// Reads the plain header of a stored value and checks it; no data key is needed.
pub fn read_header(key: &[u8], stored: &[u8]) -> Result<RecordHeader, DamagedRecord> {
    if stored.len() < SEAL_OVERHEAD_BYTES {
        return Err(DamagedRecord::TooShort);
    }
    let (stamped, rest) = stored.split_at(STAMPED_BYTES);
    if u32::from_be_bytes(first_bytes(rest)) != header_checksum(stamped, key) {
        return Err(DamagedRecord::Header);
    }
    if stamped[0] != FORMAT {
        return Err(DamagedRecord::UnknownFormat(stamped[0]));
    }
    let Some(record_type) = RecordType::from_byte(stamped[1]) else {
        return Err(DamagedRecord::UnknownType(stamped[1]));
    };
    Ok(RecordHeader {
        record_type,
        generation: u16::from_be_bytes(first_bytes(&stamped[GENERATION_AT..])),
        commit: u64::from_be_bytes(first_bytes(&stamped[COMMIT_AT..])),
    })
}

/// Opens a stored value that was read at `key`.
pub fn open(data_key: &DataKey, key: &[u8], stored: &[u8]) -> Result<OpenedRecord, DamagedRecord> {
    let header = read_header(key, stored)?;
    if header.generation != data_key.generation() {
        return Err(DamagedRecord::OtherKey { generation: header.generation });
    }
    let (nonce, sealed) = stored[HEADER_BYTES..].split_at(NONCE_BYTES);
    let (ciphertext, tag) = sealed.split_at(sealed.len() - TAG_BYTES);
    let mut content = ciphertext.to_vec();
    XChaCha20Poly1305::new(data_key.bytes().into())
        .decrypt_in_place_detached(
            &XNonce::from(first_bytes::<NONCE_BYTES>(nonce)),
            &associated_data(key, header.record_type, header.generation),
            &mut content,
            &first_bytes::<TAG_BYTES>(tag).into(),
        )
        .map_err(|_| DamagedRecord::Undecipherable)?;
    Ok(OpenedRecord { header, content })
}

/// The storage key goes last: the bytes before it are of fixed width, so no two pairs give the same data.
fn associated_data(key: &[u8], record_type: RecordType, generation: u16) -> Vec<u8> {
    let mut data = Vec::with_capacity(COMMIT_AT + key.len());
    data.extend_from_slice(&[FORMAT, record_type as u8]);
    data.extend_from_slice(&generation.to_be_bytes());
    data.extend_from_slice(key);
    data
}

fn header_checksum(stamped: &[u8], key: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(stamped);
    hasher.update(key);
    hasher.finalize()
}
