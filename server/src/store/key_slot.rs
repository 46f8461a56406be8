//! One slot of the key file: 128 bytes, so that a slot never crosses a disk sector.
//!
//! ```text
//! state 1 | user key 24 | nonce 24 | wrapped data key 32 | tag 16 | generation 2 | zeros 25 | CRC-32 of all before 4
//! ```
//!
//! The generation, big-endian, tells which of the user's data keys this is; it counts from 0. The wrapped key opens
//! only with the user and the generation that it was wrapped for, which are its associated data.
//!
//! A free slot is all zeros. A slot of a user who is being erased has no key, only the user: it is the note by which
//! an interrupted erasure goes on.

use chacha20poly1305::aead::AeadInPlace;
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use zeroize::Zeroizing;

use super::digest::{UserKey, first_bytes};
use super::seal::{DATA_KEY_BYTES, DataKey, GENERATION_BYTES, NONCE_BYTES, TAG_BYTES};

/// Size of a slot, in bytes.
pub(super) const SLOT_BYTES: usize = 128;

const STATE_USED: u8 = 1;
const STATE_ERASING: u8 = 2;
const USER_AT: usize = 1;
const NONCE_AT: usize = USER_AT + 24;
const KEY_AT: usize = NONCE_AT + NONCE_BYTES;
const TAG_AT: usize = KEY_AT + DATA_KEY_BYTES;
const GENERATION_AT: usize = TAG_AT + TAG_BYTES;
const SPARE_AT: usize = GENERATION_AT + GENERATION_BYTES;
const CHECKSUM_AT: usize = SLOT_BYTES - 4;

/// What a slot of the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// Nobody's.
    Free,
    /// A user's data key, still wrapped.
    Used {
        /// Whose.
        user: UserKey,
        /// The key, under the wrapping key.
        wrapped: WrappedKey,
    },
    /// A user whose key is gone and whose rows are being removed.
    Erasing {
        /// Who.
        user: UserKey,
    },
}

/// A data key under the wrapping key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrappedKey {
    nonce: [u8; NONCE_BYTES],
    ciphertext: [u8; DATA_KEY_BYTES],
    tag: [u8; TAG_BYTES],
    generation: u16,
}

/// The slot's checksum is wrong or its state unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key slot is damaged")]
pub(super) struct DamagedSlot;

/// The wrapped key doesn't open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a wrapped key doesn't open")]
pub(super) struct UnwrapError;

impl Slot {
    pub(super) fn encode(&self) -> [u8; SLOT_BYTES] {
        let mut bytes = [0; SLOT_BYTES];
        match self {
            Self::Free => return bytes,
            Self::Used { user, wrapped } => {
                let WrappedKey { nonce, ciphertext, tag, generation } = wrapped;
                bytes[0] = STATE_USED;
                bytes[USER_AT..NONCE_AT].copy_from_slice(&user.0);
                bytes[NONCE_AT..KEY_AT].copy_from_slice(nonce);
                bytes[KEY_AT..TAG_AT].copy_from_slice(ciphertext);
                bytes[TAG_AT..GENERATION_AT].copy_from_slice(tag);
                bytes[GENERATION_AT..SPARE_AT].copy_from_slice(&generation.to_be_bytes());
            }
            Self::Erasing { user } => {
                bytes[0] = STATE_ERASING;
                bytes[USER_AT..NONCE_AT].copy_from_slice(&user.0);
            }
        }
        let checksum = crc32fast::hash(&bytes[..CHECKSUM_AT]);
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum.to_be_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8; SLOT_BYTES]) -> Result<Self, DamagedSlot> {
        if bytes == &[0; SLOT_BYTES] {
            return Ok(Self::Free);
        }
        let checksum = crc32fast::hash(&bytes[..CHECKSUM_AT]);
        if checksum.to_be_bytes() != bytes[CHECKSUM_AT..] {
            return Err(DamagedSlot);
        }
        let user = UserKey(first_bytes(&bytes[USER_AT..]));
        match bytes[0] {
            STATE_USED => Ok(Self::Used {
                user,
                wrapped: WrappedKey {
                    nonce: first_bytes(&bytes[NONCE_AT..]),
                    ciphertext: first_bytes(&bytes[KEY_AT..]),
                    tag: first_bytes(&bytes[TAG_AT..]),
                    generation: u16::from_be_bytes(first_bytes(&bytes[GENERATION_AT..])),
                },
            }),
            STATE_ERASING => Ok(Self::Erasing { user }),
            _ => Err(DamagedSlot),
        }
    }
}

impl WrappedKey {
    /// Wraps a user's data key. Fails only when the system gives no random numbers.
    pub(super) fn wrap(
        wrapping_key: &[u8; DATA_KEY_BYTES],
        user: &UserKey,
        data_key: &DataKey,
    ) -> Result<Self, getrandom::Error> {
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce)?;
        let generation = data_key.generation();
        let mut ciphertext = *data_key.bytes();
        let tag = XChaCha20Poly1305::new(wrapping_key.into())
            .encrypt_in_place_detached(
                &XNonce::from(nonce),
                &associated_data(user, generation),
                &mut ciphertext,
            )
            // The cipher refuses only messages over 256 GiB; this one has 32 bytes.
            .map_err(|_| getrandom::Error::UNEXPECTED)?;
        Ok(Self { nonce, ciphertext, tag: tag.into(), generation })
    }

    /// Unwraps the key, if it was wrapped for this user under this wrapping key and is whole.
    pub(super) fn unwrap(
        &self,
        wrapping_key: &[u8; DATA_KEY_BYTES],
        user: &UserKey,
    ) -> Result<DataKey, UnwrapError> {
        let Self { nonce, ciphertext, tag, generation } = self;
        let mut key = Zeroizing::new(*ciphertext);
        XChaCha20Poly1305::new(wrapping_key.into())
            .decrypt_in_place_detached(
                &XNonce::from(*nonce),
                &associated_data(user, *generation),
                key.as_mut_slice(),
                &(*tag).into(),
            )
            .map_err(|_| UnwrapError)?;
        Ok(DataKey::new(*generation, key))
    }
}

fn associated_data(user: &UserKey, generation: u16) -> [u8; 24 + GENERATION_BYTES] {
    let mut data = [0; 24 + GENERATION_BYTES];
    data[..24].copy_from_slice(&user.0);
    data[24..].copy_from_slice(&generation.to_be_bytes());
    data
}
