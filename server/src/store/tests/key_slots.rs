//! The key ring: keys are where they should be, and once destroyed they are nowhere.

use std::fs;
use std::path::PathBuf;

use super::super::key_slot::{SLOT_BYTES, Slot, WrappedKey};
use super::*;

struct Ring {
    directory: tempfile::TempDir,
    installation: Installation,
}

impl Ring {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let installation = Installation::open(directory.path(), false).unwrap();
        Self { directory, installation }
    }

    fn open(&self) -> KeyRing {
        KeyRing::open(self.directory.path(), &self.installation, false).unwrap()
    }

    fn file(&self) -> PathBuf {
        self.directory.path().join("slots")
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.file()).unwrap()
    }

    /// Where the user's slot begins in the file.
    fn slot_of(&self, user: &UserKey) -> usize {
        let bytes = self.bytes();
        let found = bytes.windows(24).position(|window| window == user.0);
        found.unwrap() / SLOT_BYTES * SLOT_BYTES
    }
}

fn user(number: u8) -> UserKey {
    UserKey([number; 24])
}

fn has_bytes(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn keys_survive_reopening_and_differ() {
    let files = Ring::new();
    let ring = files.open();
    let made: Vec<_> = (1..200).map(|number| ring.ensure(&user(number)).unwrap()).collect();
    for (number, key) in (1..200).zip(&made) {
        assert_eq!(ring.ensure(&user(number)).unwrap().bytes(), key.bytes());
    }
    ring.sync().unwrap();
    drop(ring);
    let ring = files.open();
    assert_eq!(ring.user_count(), 199);
    assert_eq!(ring.users(), (1..200).map(user).collect::<Vec<_>>());
    for (number, key) in (1..200).zip(&made) {
        let read = ring.data_key(&user(number)).unwrap().unwrap();
        assert_eq!(read.bytes(), key.bytes());
    }
    assert!(ring.data_key(&user(200)).unwrap().is_none());
    for (position, key) in made.iter().enumerate() {
        assert!(made[position + 1..].iter().all(|other| other.bytes() != key.bytes()));
        assert!(!has_bytes(&files.bytes(), key.bytes()), "a key lies unwrapped on disk");
    }
}

#[test]
fn memory_vault_109_a_destroyed_key_leaves_no_byte_in_the_file() {
    let files = Ring::new();
    let ring = files.open();
    for number in 1..=3 {
        ring.ensure(&user(number)).unwrap();
    }
    ring.sync().unwrap();
    let before = files.bytes();
    let slot = files.slot_of(&user(2));
    // Nonce, wrapped key and tag come after the state and the user.
    let secret_parts = &before[slot + 25..slot + 97];
    ring.destroy(&user(2)).unwrap();
    let after = files.bytes();
    for part in secret_parts.chunks(8) {
        assert!(!has_bytes(&after, part));
    }
    assert!(ring.data_key(&user(2)).unwrap().is_none());
    assert!(matches!(ring.ensure(&user(2)), Err(KeyRingError::Erasing)));
    assert_eq!(ring.users(), [user(1), user(3)]);
    // A crash here: the erasure goes on where it was.
    drop(ring);
    let ring = files.open();
    assert_eq!(ring.erasing(), [user(2)]);
    assert!(ring.data_key(&user(2)).unwrap().is_none());
    ring.destroy(&user(2)).unwrap();
    ring.release(&user(2)).unwrap();
    ring.release(&user(2)).unwrap();
    assert!(!has_bytes(&files.bytes(), &user(2).0));
    drop(ring);
    let ring = files.open();
    assert!(ring.erasing().is_empty());
    assert_eq!(ring.user_count(), 2);
    // The place is used again, by a new key.
    ring.ensure(&user(9)).unwrap();
    assert_eq!(files.slot_of(&user(9)), slot);
}

#[test]
fn a_user_without_a_key_can_be_erased_as_well() {
    for ring in [Ring::new().open(), KeyRing::in_memory(&Installation::random().unwrap())] {
        ring.destroy(&user(1)).unwrap();
        assert_eq!(ring.erasing(), [user(1)]);
        assert!(matches!(ring.ensure(&user(1)), Err(KeyRingError::Erasing)));
        ring.release(&user(1)).unwrap();
        assert_eq!(ring.user_count(), 0);
        ring.ensure(&user(1)).unwrap();
        assert!(ring.erasing().is_empty());
        // Releasing somebody who isn't being erased would lose a key.
        ring.release(&user(1)).unwrap();
        assert!(ring.data_key(&user(1)).unwrap().is_some());
    }
}

#[test]
fn a_new_user_gets_a_new_key_after_erasure() {
    let ring = KeyRing::in_memory(&Installation::random().unwrap());
    let first = ring.ensure(&user(1)).unwrap();
    ring.destroy(&user(1)).unwrap();
    ring.release(&user(1)).unwrap();
    assert_ne!(ring.ensure(&user(1)).unwrap().bytes(), first.bytes());
}

#[test]
fn a_damaged_slot_is_set_aside_and_the_rest_is_served() {
    for damaged_byte in [0, 1, 30, 60, 90, 110, 127] {
        let files = Ring::new();
        let ring = files.open();
        let kept = ring.ensure(&user(1)).unwrap();
        ring.ensure(&user(2)).unwrap();
        ring.sync().unwrap();
        drop(ring);
        let slot = files.slot_of(&user(2));
        let mut bytes = files.bytes();
        bytes[slot + damaged_byte] ^= 0x10;
        fs::write(files.file(), &bytes).unwrap();
        let ring = files.open();
        assert_eq!(ring.users(), [user(1)], "byte {damaged_byte}");
        assert_eq!(ring.data_key(&user(1)).unwrap().unwrap().bytes(), kept.bytes());
        // The damaged slot isn't written over: it may be mended by hand.
        for number in 3..100 {
            ring.ensure(&user(number)).unwrap();
        }
        assert_eq!(files.bytes()[slot..slot + SLOT_BYTES], bytes[slot..slot + SLOT_BYTES]);
    }
}

#[test]
fn a_file_cut_at_any_byte_after_its_header_opens() {
    let files = Ring::new();
    let ring = files.open();
    let keys: Vec<_> = (1..=3).map(|number| ring.ensure(&user(number)).unwrap()).collect();
    ring.sync().unwrap();
    drop(ring);
    let whole = files.bytes();
    for length in SLOT_BYTES..SLOT_BYTES * 5 {
        fs::write(files.file(), &whole[..length]).unwrap();
        let ring = files.open();
        let whole_slots = (length / SLOT_BYTES - 1).min(3);
        // A slot that lost only zeros of its end is whole, but the last byte of each is of its checksum.
        assert_eq!(ring.users().len(), whole_slots, "length {length}");
        for (number, key) in (1..).zip(&keys[..whole_slots]) {
            assert_eq!(ring.data_key(&user(number)).unwrap().unwrap().bytes(), key.bytes());
        }
        // The ring is usable, and what is added survives.
        ring.ensure(&user(50)).unwrap();
        ring.sync().unwrap();
        drop(ring);
        assert!(files.open().data_key(&user(50)).unwrap().is_some(), "length {length}");
    }
}

#[test]
fn a_damaged_header_or_foreign_secrets_are_refused() {
    let files = Ring::new();
    drop(files.open());
    let whole = files.bytes();
    let open_with = |bytes: &[u8], installation: &Installation| {
        fs::write(files.file(), bytes).unwrap();
        KeyRing::open(files.directory.path(), installation, true).err()
    };
    for byte in 0..SLOT_BYTES {
        let mut damaged = whole.clone();
        damaged[byte] ^= 1;
        let error = open_with(&damaged, &files.installation);
        assert!(matches!(error, Some(KeyFileError::Damaged(_))), "byte {byte}");
    }
    let error = open_with(&whole[..SLOT_BYTES - 1], &files.installation);
    assert!(matches!(error, Some(KeyFileError::Damaged(_))));
    let error = open_with(&whole, &Installation::random().unwrap());
    assert!(matches!(error, Some(KeyFileError::OtherInstallation(_))));
    assert!(open_with(&whole, &files.installation).is_none());
}

/// A ring of one user, whose slot had `bytes` written into it at `at`, and its checksum mended.
fn with_slot_changed(at: usize, bytes: &[u8]) -> Ring {
    let files = Ring::new();
    let ring = files.open();
    ring.ensure(&user(1)).unwrap();
    ring.sync().unwrap();
    drop(ring);
    let start = files.slot_of(&user(1));
    let mut content = files.bytes();
    let slot = &mut content[start..start + SLOT_BYTES];
    slot[at..at + bytes.len()].copy_from_slice(bytes);
    let checksum = crc32fast::hash(&slot[..SLOT_BYTES - 4]);
    slot[SLOT_BYTES - 4..].copy_from_slice(&checksum.to_be_bytes());
    fs::write(files.file(), &content).unwrap();
    files
}

#[test]
fn a_wrapped_key_tells_its_generation_and_opens_as_no_other() {
    let wrapping_key = [1; 32];
    let data_key = DataKey::random(0x0102).unwrap();
    let wrapped = WrappedKey::wrap(&wrapping_key, &user(1), &data_key).unwrap();
    let slot = Slot::Used { user: user(1), wrapped };
    let bytes = slot.encode();
    assert_eq!(bytes[97..99], [0x01, 0x02]);
    assert_eq!(Slot::decode(&bytes), Ok(slot));
    let opened = wrapped.unwrap(&wrapping_key, &user(1)).unwrap();
    assert_eq!((opened.generation(), opened.bytes()), (0x0102, data_key.bytes()));
    // Keys are of generation 0 so far, and a slot that claims another doesn't open.
    let ring = with_slot_changed(97, &[0, 0]).open();
    assert_eq!(ring.data_key(&user(1)).unwrap().unwrap().generation(), 0);
    let ring = with_slot_changed(97, &[0, 1]).open();
    assert!(matches!(ring.data_key(&user(1)), Err(KeyRingError::DamagedKey)));
}

#[test]
fn a_user_whose_key_does_not_open_is_known_and_can_be_erased() {
    // Four bytes of the wrapped key are lost.
    let files = with_slot_changed(49, &[0; 4]);
    let ring = files.open();
    assert!(matches!(ring.data_key(&user(1)), Err(KeyRingError::DamagedKey)));
    assert!(ring.knows(&user(1)));
    assert!(!ring.knows(&user(2)));
    let slot = files.slot_of(&user(1));
    let wrapped = files.bytes()[slot + 25..slot + 97].to_vec();
    ring.destroy(&user(1)).unwrap();
    assert!(ring.knows(&user(1)));
    for part in wrapped.chunks(8) {
        assert!(!has_bytes(&files.bytes()[slot..slot + SLOT_BYTES - 4], part));
    }
    drop(ring);
    let ring = files.open();
    assert_eq!((ring.erasing(), ring.knows(&user(1))), (vec![user(1)], true));
    assert!(ring.data_key(&user(1)).unwrap().is_none());
    ring.release(&user(1)).unwrap();
    assert!(!ring.knows(&user(1)));
    ring.ensure(&user(1)).unwrap();
    assert!(ring.knows(&user(1)));
    assert!(ring.data_key(&user(1)).unwrap().is_some());
}

#[test]
fn a_slot_copied_to_another_user_does_not_open() {
    let files = with_slot_changed(1, &user(2).0);
    let ring = files.open();
    assert!(matches!(ring.data_key(&user(2)), Err(KeyRingError::DamagedKey)));
    assert!(matches!(ring.ensure(&user(2)), Err(KeyRingError::DamagedKey)));
}

#[test]
fn secrets_are_the_same_after_reopening_and_damage_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let first = Installation::open(folder, false).unwrap();
    let again = Installation::open(folder, true).unwrap();
    assert_eq!(first.digest_secret, again.digest_secret);
    assert_eq!(first.wrapping_key, again.wrapping_key);
    assert_ne!(first.digest_secret, first.wrapping_key);
    let file = folder.join("installation");
    let whole = fs::read(&file).unwrap();
    for byte in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[byte] ^= 1;
        fs::write(&file, &damaged).unwrap();
        assert!(Installation::open(folder, true).is_err(), "byte {byte}");
        fs::write(&file, &whole[..byte]).unwrap();
        assert!(Installation::open(folder, false).is_err(), "length {byte}");
    }
    fs::remove_file(&file).unwrap();
    assert!(matches!(Installation::open(folder, true).err(), Some(InstallationError::Missing(_))));
}
