//! Who an entry is: its id when the caller gave none, and the fingerprint that tells whether it changed.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::domain::{DERIVED_ID_BYTES, EntryId, NewEntry, SessionId, Timestamp};

/// Derives ids for the entries of one call.
///
/// A derived id is a digest of (session, author, timestamp, content, ordinal), where the ordinal counts
/// equal entries inside the call: the same call sent again derives the same ids, on every
/// installation (so that an export finds its entries again).
#[derive(Default)]
pub(super) struct Identities {
    /// How often each entry occurred so far in the call, by its digest without ordinal.
    seen: HashMap<[u8; 32], u64>,
}

impl Identities {
    /// The id of the call's next entry: the caller's, or a derived one.
    pub(super) fn next(&mut self, session: Option<&SessionId>, entry: &NewEntry) -> EntryId {
        if let Some(given) = &entry.id {
            return given.clone();
        }
        let said = digest_of_said(session, entry);
        let ordinal = self.seen.entry(said).or_insert(0);
        let mut hasher = Sha256::new();
        hasher.update(b"memoryd entry id 1\0");
        hasher.update(said);
        hasher.update(ordinal.to_be_bytes());
        *ordinal += 1;
        let digest: [u8; 32] = hasher.finalize().into();
        let mut shown = [0; DERIVED_ID_BYTES];
        shown.copy_from_slice(&digest[..DERIVED_ID_BYTES]);
        EntryId::derived(&shown)
    }
}

/// Digest of all that the caller gave: equal means UNCHANGED.
pub(super) fn fingerprint(session: Option<&SessionId>, entry: &NewEntry) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"memoryd fingerprint 1\0");
    hasher.update(digest_of_said(session, entry));
    feed_time(&mut hasher, entry.expire_time);
    feed(&mut hasher, entry.metadata_json.as_deref().map(str::as_bytes));
    hasher.finalize().into()
}

fn digest_of_said(session: Option<&SessionId>, entry: &NewEntry) -> [u8; 32] {
    let mut hasher = Sha256::new();
    feed(&mut hasher, session.map(|session| session.as_str().as_bytes()));
    feed(&mut hasher, Some(entry.author.as_str().as_bytes()));
    feed_time(&mut hasher, entry.timestamp);
    feed(&mut hasher, Some(entry.content.encoded()));
    hasher.finalize().into()
}

/// Presence, length, bytes: no two sequences of fields feed the same.
fn feed(hasher: &mut Sha256, field: Option<&[u8]>) {
    match field {
        None => hasher.update([0]),
        Some(bytes) => {
            hasher.update([1]);
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        }
    }
}

fn feed_time(hasher: &mut Sha256, time: Option<Timestamp>) {
    let bytes = time.map(|time| {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&time.seconds().to_be_bytes());
        bytes[8..].copy_from_slice(&time.nanos().to_be_bytes());
        bytes
    });
    feed(hasher, bytes.as_ref().map(<[u8; 12]>::as_slice));
}
