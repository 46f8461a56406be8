//! Fixed-width names of apps, users, scopes and entries that tell nobody who is meant.
//!
//! A digest is HMAC-SHA-256 (RFC 2104) under a secret of the installation, of a domain byte and of the identifiers,
//! each with its length before it: two different tuples of identifiers never feed the same bytes, and a digest of one
//! kind is never one of another. What remains is chance: 2^-64 for two given apps, 2^-128 for the rest.

use hmac::digest::KeyInit;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// Length of the secret that digests are made under, in bytes.
pub(super) const DIGEST_SECRET_BYTES: usize = 32;
/// Block of SHA-256, in bytes.
const HMAC_BLOCK_BYTES: usize = 64;

/// Names an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppDigest(pub [u8; 8]);

/// Names a user of an app: the app's digest, then the user's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserKey(pub [u8; 24]);

/// Names a scope of a user: the global one, or one project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeDigest(pub [u8; 16]);

/// Names an entry within its scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryDigest(pub [u8; 16]);

/// What a digest is of; the byte is part of what is digested.
#[derive(Clone, Copy)]
enum Domain {
    App = 1,
    User = 2,
    GlobalScope = 3,
    ProjectScope = 4,
    Entry = 5,
}

/// Makes digests under the secret of one installation.
#[derive(Clone)]
pub struct Digester {
    /// HMAC with the secret already absorbed.
    keyed: Hmac<Sha256>,
}

impl Digester {
    /// A digester under `secret`.
    pub fn new(secret: &[u8; DIGEST_SECRET_BYTES]) -> Self {
        // HMAC pads a short key with zeros to the block of its hash; doing it here makes the call infallible.
        let mut block = Zeroizing::new([0; HMAC_BLOCK_BYTES]);
        block[..DIGEST_SECRET_BYTES].copy_from_slice(secret);
        Self { keyed: <Hmac<Sha256> as KeyInit>::new((&*block).into()) }
    }

    /// Digest of an app.
    pub fn app(&self, app_name: &str) -> AppDigest {
        AppDigest(first_bytes(&self.digest(Domain::App, &[app_name.as_bytes()])))
    }

    /// Digest of a user of an app.
    pub fn user(&self, app_name: &str, user_id: &str) -> UserKey {
        let own: [u8; 16] =
            first_bytes(&self.digest(Domain::User, &[app_name.as_bytes(), user_id.as_bytes()]));
        let mut key = [0; 24];
        key[..8].copy_from_slice(&self.app(app_name).0);
        key[8..].copy_from_slice(&own);
        UserKey(key)
    }

    /// Digest of a user's global scope (`None`) or of one project.
    pub fn scope(&self, app_name: &str, user_id: &str, project_id: Option<&str>) -> ScopeDigest {
        let (app, user) = (app_name.as_bytes(), user_id.as_bytes());
        let full = match project_id {
            None => self.digest(Domain::GlobalScope, &[app, user]),
            Some(project) => self.digest(Domain::ProjectScope, &[app, user, project.as_bytes()]),
        };
        ScopeDigest(first_bytes(&full))
    }

    /// Digest of an entry's id in a scope of a user. It takes both in, so that equal ids of two users or two scopes
    /// don't show as equal ends of two keys.
    pub fn entry(&self, user: &UserKey, scope: &ScopeDigest, entry_id: &str) -> EntryDigest {
        let UserKey(user) = user;
        let ScopeDigest(scope) = scope;
        EntryDigest(first_bytes(&self.digest(Domain::Entry, &[user, scope, entry_id.as_bytes()])))
    }

    fn digest(&self, domain: Domain, identifiers: &[&[u8]]) -> [u8; 32] {
        let mut hmac = self.keyed.clone();
        hmac.update(&[domain as u8]);
        for identifier in identifiers {
            hmac.update(&(identifier.len() as u64).to_be_bytes());
            hmac.update(identifier);
        }
        hmac.finalize().into_bytes().into()
    }
}

impl UserKey {
    /// The app this user belongs to.
    pub fn app(&self) -> AppDigest {
        AppDigest(first_bytes(&self.0))
    }
}

/// The first `N` bytes; a source too short leaves zeros, which no caller here can meet.
pub(super) fn first_bytes<const N: usize>(source: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    for (to, from) in bytes.iter_mut().zip(source) {
        *to = *from;
    }
    bytes
}
