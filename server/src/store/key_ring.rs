//! The data key of every user: made with the first record, destroyed with the user.
//!
//! Destroying a key is what erases a user: whatever still lies in the store, in old segments, in a journal or in a
//! backup of the rows is noise from then on. So a key lies in exactly one place on disk, its slot, and is overwritten
//! there and synced before [`KeyRing::destroy`] answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use zeroize::Zeroizing;

use super::digest::UserKey;
use super::installation::Installation;
use super::key_file::{KeyFile, KeyFileError};
use super::key_slot::{Slot, WrappedKey};
use super::seal::{DATA_KEY_BYTES, DataKey, FIRST_GENERATION};

/// All users' data keys. Calls block for a disk sync at most.
pub struct KeyRing {
    /// The key that data keys are wrapped under on disk.
    wrapping_key: Zeroizing<[u8; DATA_KEY_BYTES]>,
    /// Who has which slot.
    slots: Mutex<Slots>,
    /// A handle of the key file to sync through without holding the lock; `None` for a ring in memory.
    sync_handle: Option<File>,
    /// Set by the first failed write or sync; from then on the ring changes no more, since what is on disk is unknown.
    failed: AtomicBool,
}

/// What the lock guards.
struct Slots {
    /// Every user, being erased or not, in order, for the sweeper's walk.
    users: BTreeMap<UserKey, UserSlot>,
    /// Slots that can be given out.
    free: BTreeSet<u64>,
    /// First slot that was never given out.
    end: u64,
    /// `None` for a ring in memory.
    file: Option<KeyFile>,
    /// Counts writes to the file.
    written: u64,
    /// The value of `written` up to which the file is synced.
    synced: u64,
}

struct UserSlot {
    /// Position in the file.
    index: u64,
    key: SlotKey,
}

enum SlotKey {
    /// As read from the file; most users of a large installation are never asked for.
    Wrapped(WrappedKey),
    Open(Arc<DataKey>),
    /// Gone; the rows are being removed.
    Destroyed,
}

/// Why a key can't be had or changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyRingError {
    /// The user's key is destroyed and the erasure isn't finished: nothing can be written for the user.
    #[error("the user is being erased")]
    Erasing,
    /// The user's slot doesn't open under the installation's secrets.
    #[error("the user's data key is damaged; restore the key file from a backup")]
    DamagedKey,
    /// The system gave no random numbers.
    #[error("the system gave no random numbers: {0}")]
    NoRandomness(getrandom::Error),
    /// The key file couldn't be written or synced; a failed sync is never retried.
    #[error("the key file could not be written: {0}")]
    Io(io::Error),
    /// An earlier write failed.
    #[error("the key file takes no more changes after an earlier failure")]
    StoppedEarlier,
}

impl KeyRing {
    /// A ring that forgets everything with the process.
    pub fn in_memory(installation: &Installation) -> Self {
        Self {
            wrapping_key: installation.wrapping_key.clone(),
            slots: Mutex::new(Slots {
                users: BTreeMap::new(),
                free: BTreeSet::new(),
                end: 0,
                file: None,
                written: 0,
                synced: 0,
            }),
            sync_handle: None,
            failed: AtomicBool::new(false),
        }
    }

    /// The ring of `folder/slots`. A damaged slot is reported to the log and set aside: its user's records are lost
    /// until the file is restored, everybody else's are served.
    pub fn open(
        folder: &Path,
        installation: &Installation,
        must_exist: bool,
    ) -> Result<Self, KeyFileError> {
        let (file, stored) = KeyFile::open(folder, installation.wrapping_key_id(), must_exist)?;
        let sync_handle = file
            .sync_handle()
            .map_err(|source| KeyFileError::Io { path: folder.to_owned(), source })?;
        let mut users = BTreeMap::new();
        let mut free = BTreeSet::new();
        for (index, slot) in (0_u64..).zip(stored) {
            let (user, key) = match slot {
                Ok(Slot::Free) => {
                    free.insert(index);
                    continue;
                }
                Ok(Slot::Used { user, wrapped }) => (user, SlotKey::Wrapped(wrapped)),
                Ok(Slot::Erasing { user }) => (user, SlotKey::Destroyed),
                Err(damage) => {
                    tracing::error!(slot = index, error = %damage, "key slot set aside");
                    continue;
                }
            };
            if users.insert(user, UserSlot { index, key }).is_some() {
                tracing::error!(slot = index, "two key slots of one user, the later one is used");
            }
        }
        Ok(Self {
            wrapping_key: installation.wrapping_key.clone(),
            slots: Mutex::new(Slots {
                users,
                free,
                end: file.slots(),
                file: Some(file),
                written: 0,
                synced: 0,
            }),
            sync_handle: Some(sync_handle),
            failed: AtomicBool::new(false),
        })
    }

    /// The user's key, or `None` when the user has none or is being erased.
    pub fn data_key(&self, user: &UserKey) -> Result<Option<Arc<DataKey>>, KeyRingError> {
        let mut slots = self.slots.lock();
        let Some(slot) = slots.users.get_mut(user) else {
            return Ok(None);
        };
        slot.open(&self.wrapping_key, user)
    }

    /// The user's key, made if there is none. A new key is durable after the next [`sync`](Self::sync), which the
    /// committer calls before every batch, so no record is ever durable before its key.
    pub fn ensure(&self, user: &UserKey) -> Result<Arc<DataKey>, KeyRingError> {
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.users.get_mut(user) {
            return slot.open(&self.wrapping_key, user)?.ok_or(KeyRingError::Erasing);
        }
        self.refuse_after_failure()?;
        let data_key = DataKey::random(FIRST_GENERATION).map_err(KeyRingError::NoRandomness)?;
        let wrapped = WrappedKey::wrap(&self.wrapping_key, user, &data_key)
            .map_err(KeyRingError::NoRandomness)?;
        let index = slots.take_free_slot();
        let slot = Slot::Used { user: *user, wrapped };
        self.note_failure(slots.write(index, &slot))?;
        let data_key = Arc::new(data_key);
        let key = SlotKey::Open(Arc::clone(&data_key));
        slots.users.insert(*user, UserSlot { index, key });
        Ok(data_key)
    }

    /// Makes every change so far durable; costs nothing when there is none.
    pub fn sync(&self) -> Result<(), KeyRingError> {
        let Some(sync_handle) = &self.sync_handle else {
            return Ok(());
        };
        self.refuse_after_failure()?;
        let written = {
            let slots = self.slots.lock();
            if slots.written == slots.synced {
                return Ok(());
            }
            slots.written
        };
        self.note_failure(sync_handle.sync_data())?;
        let mut slots = self.slots.lock();
        slots.synced = slots.synced.max(written);
        Ok(())
    }

    /// Destroys the user's key: when this answers, its bytes are neither in the file nor in this ring, and the slot
    /// notes that the user is being erased. Repeating it does nothing. A user without a key gets the note as well, so
    /// that the caller has one way to erase.
    ///
    /// A key that somebody still holds lives until they let go of it; the caller stops the user's writes before.
    pub fn destroy(&self, user: &UserKey) -> Result<(), KeyRingError> {
        self.refuse_after_failure()?;
        {
            let mut slots = self.slots.lock();
            let index = match slots.users.get(user) {
                Some(slot) => slot.index,
                None => slots.take_free_slot(),
            };
            self.note_failure(slots.write(index, &Slot::Erasing { user: *user }))?;
            let key = SlotKey::Destroyed;
            slots.users.insert(*user, UserSlot { index, key });
        }
        self.sync()
    }

    /// Users whose erasure isn't finished, those of earlier processes included.
    pub fn erasing(&self) -> Vec<UserKey> {
        let slots = self.slots.lock();
        let erasing = slots.users.iter().filter(|(_, slot)| slot.is_erasing());
        erasing.map(|(user, _)| *user).collect()
    }

    /// Ends an erasure: the slot becomes all zeros, synced, and the user may begin anew. Does nothing for a user who
    /// isn't being erased.
    pub fn release(&self, user: &UserKey) -> Result<(), KeyRingError> {
        self.refuse_after_failure()?;
        {
            let mut slots = self.slots.lock();
            let Some(slot) = slots.users.get(user).filter(|slot| slot.is_erasing()) else {
                return Ok(());
            };
            let index = slot.index;
            self.note_failure(slots.write(index, &Slot::Free))?;
            slots.users.remove(user);
            slots.free.insert(index);
        }
        self.sync()
    }

    /// Every user with a key, in order; not those being erased.
    pub fn users(&self) -> Vec<UserKey> {
        let slots = self.slots.lock();
        let living = slots.users.iter().filter(|(_, slot)| !slot.is_erasing());
        living.map(|(user, _)| *user).collect()
    }

    /// Whether the user has a slot: with a key, be it one that doesn't open, or being erased. No key is opened.
    pub fn knows(&self, user: &UserKey) -> bool {
        self.slots.lock().users.contains_key(user)
    }

    /// Number of users with a key or being erased.
    pub fn user_count(&self) -> usize {
        self.slots.lock().users.len()
    }

    fn refuse_after_failure(&self) -> Result<(), KeyRingError> {
        if self.failed.load(Ordering::Acquire) {
            return Err(KeyRingError::StoppedEarlier);
        }
        Ok(())
    }

    fn note_failure(&self, result: io::Result<()>) -> Result<(), KeyRingError> {
        result.map_err(|error| {
            self.failed.store(true, Ordering::Release);
            KeyRingError::Io(error)
        })
    }
}

impl Slots {
    fn take_free_slot(&mut self) -> u64 {
        self.free.pop_first().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        })
    }

    fn write(&mut self, index: u64, slot: &Slot) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        file.write(index, slot)?;
        self.written += 1;
        Ok(())
    }
}

impl UserSlot {
    fn is_erasing(&self) -> bool {
        matches!(self.key, SlotKey::Destroyed)
    }

    /// The key, unwrapped at its first use; `None` when it is destroyed.
    fn open(
        &mut self,
        wrapping_key: &[u8; DATA_KEY_BYTES],
        user: &UserKey,
    ) -> Result<Option<Arc<DataKey>>, KeyRingError> {
        let wrapped = match &self.key {
            SlotKey::Destroyed => return Ok(None),
            SlotKey::Open(data_key) => return Ok(Some(Arc::clone(data_key))),
            SlotKey::Wrapped(wrapped) => wrapped,
        };
        let data_key = wrapped.unwrap(wrapping_key, user).map_err(|_| KeyRingError::DamagedKey)?;
        let data_key = Arc::new(data_key);
        self.key = SlotKey::Open(Arc::clone(&data_key));
        Ok(Some(data_key))
    }
}
