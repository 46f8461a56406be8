//! Removing and counting rows by ranges of keys, for which no data key is needed.

use super::change::{Change, TenantChange};
use super::error::{ReadError, WriteError};
use super::rows::{PAGE_ROWS, expiry_time};
use super::{Engine, blocking};
use crate::domain::Timestamp;
use crate::store::{
    KeyParts, KeyRange, Kind, Operation, Proposal, RecordType, ScopeDigest, StorageKey, UserKey,
    read_header,
};

impl Engine {
    /// Removes the rows of a range page by page, those of one scope if one is given. Every page tells the
    /// memory what is gone, so that nothing of it is loaded again in between.
    pub(super) async fn remove_range(
        &self,
        user: UserKey,
        range: KeyRange,
        only: Option<ScopeDigest>,
        change: Change,
    ) -> Result<(), WriteError> {
        let mut rest = range;
        loop {
            let (engine, of_rest) = (self.clone(), rest.clone());
            let page = blocking(move || engine.store().scan_keys(&of_rest, PAGE_ROWS))
                .await?
                .map_err(ReadError::from)?;
            let Some(last) = page.last() else { return Ok(()) };
            rest = rest.after(last);
            let full = page.len() == PAGE_ROWS;
            let keys = page
                .into_iter()
                .filter(|key| only.is_none_or(|scope| scope_of(key) == Some(scope)))
                .filter_map(|key| StorageKey::of_user(key, &user))
                .collect::<Vec<_>>();
            if !keys.is_empty() {
                self.commit_patiently(removal(user, keys, vec![change.clone()])).await?;
            }
            if !full {
                return Ok(());
            }
        }
    }

    pub(super) fn pages(
        &self,
        user: UserKey,
        range: &KeyRange,
    ) -> impl Iterator<Item = Result<Vec<StorageKey>, ReadError>> {
        let mut rest = range.clone();
        std::iter::from_fn(move || {
            let page = match self.store().scan_keys(&rest, PAGE_ROWS) {
                Ok(page) => page,
                Err(error) => return Some(Err(error.into())),
            };
            rest = rest.after(page.last()?);
            Some(Ok(page.into_iter().filter_map(|key| StorageKey::of_user(key, &user)).collect()))
        })
    }

    /// How many entries a user or one of its scopes has, without those whose time is over. Needs no key.
    pub(super) fn count_entries(
        &self,
        user: UserKey,
        scope: Option<ScopeDigest>,
    ) -> Result<u64, ReadError> {
        let mut rest = match scope {
            Some(scope) => KeyRange::entries_of_scope(&user, &scope),
            None => KeyRange::kind(&user, Kind::Entry),
        };
        let mut count: u64 = 0;
        loop {
            let page = self.store().scan(&rest, PAGE_ROWS)?;
            count += page.iter().filter(|(key, value)| is_entry(key, value)).count() as u64;
            match page.last() {
                Some((last, _)) if page.len() == PAGE_ROWS => rest = rest.after(last),
                _ => break,
            }
        }
        let due = KeyRange::expired_at(&user, expiry_time(Timestamp::now()));
        for page in self.pages(user, &due) {
            let is_in_scope = |key: &&StorageKey| {
                scope.is_none_or(|scope| scope_of(key.as_bytes()) == Some(scope))
            };
            let over = page?.iter().filter(is_in_scope).count();
            count = count.saturating_sub(over as u64);
        }
        Ok(count)
    }
}

/// Whether a row is an entry, not the mark of a deleted one; a damaged one counts.
fn is_entry(key: &[u8], value: &[u8]) -> bool {
    read_header(key, value).is_ok_and(|header| header.record_type == RecordType::Entry)
}

fn scope_of(key: &[u8]) -> Option<ScopeDigest> {
    match KeyParts::parse(key).ok()? {
        KeyParts::Entry { scope, .. }
        | KeyParts::Chunk { scope, .. }
        | KeyParts::Expiry { scope, .. }
        | KeyParts::Index { scope, .. } => Some(scope),
    }
}

/// The proposal that removes rows.
pub(super) fn removal(
    user: UserKey,
    keys: Vec<StorageKey>,
    changes: Vec<Change>,
) -> Proposal<TenantChange> {
    Proposal {
        conditions: Vec::new(),
        operations: keys.into_iter().map(|key| Operation::Delete { key }).collect(),
        payload: TenantChange { user, changes },
    }
}
