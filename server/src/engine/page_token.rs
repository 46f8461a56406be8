//! Page tokens: a place in a listing, bound to the listing it was given for.

use std::collections::BTreeSet;

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};

use super::error::ReadError;
use super::scope_memory::ListPosition;
use crate::domain::{EntryFilter, EntryId, ListEntries, Timestamp};
use crate::store::{ScopeDigest, UserKey};

/// Version of the form below; a token of another version is refused.
const VERSION: u8 = 1;
/// Bytes of the digest of the request.
const BINDING_BYTES: usize = 12;

/// Where the last page ended. Entries of equal time and id in both scopes: the global one comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PagePosition {
    pub(super) last: ListPosition,
    /// Whether the last entry was one of the project.
    pub(super) in_project: bool,
}

/// Digest of what a listing asks for, page size and token apart.
pub(super) struct Binding([u8; BINDING_BYTES]);

impl Binding {
    pub(super) fn of(
        user: &UserKey,
        scopes: &[ScopeDigest],
        request: &ListEntries,
        omit_blobs: bool,
    ) -> Self {
        let EntryFilter { sessions, authors, start, end, metadata } = &request.filter;
        let mut hasher = Sha256::new();
        hasher.update(user.0);
        for scope in scopes {
            hasher.update(scope.0);
        }
        // The digests above are keyed with the installation's secret, which makes the whole unguessable.
        // Debug forms quote strings, so no two filters print alike; sets are put in order first.
        let sessions: BTreeSet<_> = sessions.iter().collect();
        let authors: BTreeSet<_> = authors.iter().collect();
        hasher.update(format!("{sessions:?} {authors:?} {start:?} {end:?} {metadata:?}"));
        hasher.update([u8::from(omit_blobs)]);
        let digest = hasher.finalize();
        let mut binding = [0; BINDING_BYTES];
        binding.copy_from_slice(&digest[..BINDING_BYTES]);
        Self(binding)
    }
}

/// The token of a place.
pub(super) fn encode(position: &PagePosition, binding: &Binding) -> String {
    let PagePosition { last: ListPosition { timestamp, id }, in_project } = position;
    let mut bytes = vec![VERSION, u8::from(*in_project)];
    bytes.extend_from_slice(&binding.0);
    bytes.extend_from_slice(&timestamp.seconds().to_be_bytes());
    bytes.extend_from_slice(&timestamp.nanos().to_be_bytes());
    bytes.extend_from_slice(id.as_str().as_bytes());
    BASE64URL_NOPAD.encode(&bytes)
}

/// The place of a token; `None` for the empty token of a first page.
pub(super) fn decode(token: &str, binding: &Binding) -> Result<Option<PagePosition>, ReadError> {
    if token.is_empty() {
        return Ok(None);
    }
    parse(token, binding).map(Some).ok_or(ReadError::PageToken)
}

fn parse(token: &str, binding: &Binding) -> Option<PagePosition> {
    let bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
    let ([version, in_project], rest) = bytes.split_first_chunk()?;
    let (bound, rest) = rest.split_first_chunk::<BINDING_BYTES>()?;
    let (seconds, rest) = rest.split_first_chunk()?;
    let (nanos, id) = rest.split_first_chunk()?;
    if *version != VERSION || *in_project > 1 || *bound != binding.0 {
        return None;
    }
    let nanos = i32::try_from(u32::from_be_bytes(*nanos)).ok()?;
    let timestamp = Timestamp::new(i64::from_be_bytes(*seconds), nanos).ok()?;
    let id = EntryId::new(std::str::from_utf8(id).ok()?).ok()?;
    Some(PagePosition { last: ListPosition { timestamp, id }, in_project: *in_project == 1 })
}
