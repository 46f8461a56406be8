//! Deleting sessions, projects and users whole, with the marks of what was deleted from them
//! (contract, section 7).
//!
//! Each holds the user's gate alone, so no write of the user is under way, removes rows in pages, so that
//! other tenants' writes get in between, and at the end raises a fence against late writes.

use super::change::{Change, TenantChange};
use super::error::{ReadError, WriteError};
use super::fence::FenceTarget;
use super::rows::{PAGE_ROWS, Standing, UserRows, expiry_time, is_full_page};
use super::{Engine, blocking};
use crate::domain::{Scope, SessionId, Tenant, Timestamp};
use crate::store::{
    EntryDigest, KeyParts, KeyRange, Kind, Operation, Proposal, RecordType, ScopeDigest,
    StorageKey, UserKey, read_header,
};

impl Engine {
    /// Deletes a session of exactly this scope and answers how many entries it had.
    ///
    /// # Errors
    ///
    /// [`WriteError`]; part of it may be deleted then. Repeating it deletes the rest.
    pub async fn delete_session(
        &self,
        scope: Scope,
        session_id: SessionId,
    ) -> Result<u64, WriteError> {
        let engine = self.clone();
        to_the_end(async move {
            let user = engine.user_key(&scope.tenant);
            let digest = engine.scope_digest(&scope);
            let gate = engine.fences().gate(&user);
            let _alone = gate.write().await;
            let count = engine.erase_session(user, digest, session_id.clone()).await?;
            engine.fences().raise(FenceTarget::Session(user, digest, session_id));
            Ok(count)
        })
        .await
    }

    /// Deletes everything of one scope and answers how many entries it had.
    ///
    /// # Errors
    ///
    /// [`WriteError`]; part of it may be deleted then. Repeating it deletes the rest.
    pub async fn delete_project(&self, scope: Scope) -> Result<u64, WriteError> {
        let engine = self.clone();
        to_the_end(async move {
            let user = engine.user_key(&scope.tenant);
            let digest = engine.scope_digest(&scope);
            let gate = engine.fences().gate(&user);
            let _alone = gate.write().await;
            let count = engine.erase_scope(user, digest).await?;
            engine.fences().raise(FenceTarget::Scope(user, digest));
            Ok(count)
        })
        .await
    }

    /// Erases a user and answers how many entries there were. The user's data key is destroyed first:
    /// from then on a crash can only leave noise behind, which is removed at the next start.
    ///
    /// # Errors
    ///
    /// [`WriteError`]. Repeating it erases the rest.
    pub async fn delete_user(&self, tenant: Tenant) -> Result<u64, WriteError> {
        let engine = self.clone();
        to_the_end(async move {
            let user = engine.user_key(&tenant);
            let gate = engine.fences().gate(&user);
            let _alone = gate.write().await;
            let count = engine.erase_user(user).await?;
            engine.fences().raise(FenceTarget::User(user));
            Ok(count)
        })
        .await
    }

    /// Ends the erasures that a crash interrupted. Blocks.
    pub(super) fn resume_erasures(&self) -> Result<(), WriteError> {
        for user in self.store().key_ring().erasing() {
            tracing::info!("finishing the erasure of a user that was interrupted");
            for page in self.pages(user, &KeyRange::user(&user)) {
                let proposal = removal(user, page?, Vec::new());
                match self.store().submit(proposal).blocking_recv() {
                    Ok(committed) => committed?,
                    Err(_) => return Err(crate::store::CommitError::Unavailable.into()),
                };
            }
            self.store().key_ring().release(&user)?;
        }
        Ok(())
    }

    async fn erase_session(
        &self,
        user: UserKey,
        scope: ScopeDigest,
        session_id: SessionId,
    ) -> Result<u64, WriteError> {
        let Some(rows) = self.rows(user)? else { return Ok(0) };
        let engine = self.clone();
        let of_rows = rows.clone();
        let digests =
            blocking(move || engine.session_entries(&of_rows, &scope, &session_id)).await??;
        let (mut count, mut rest) = (0, digests);
        while !rest.is_empty() {
            let of_rows = rows.clone();
            let prepared = blocking(move || session_removal(&of_rows, scope, rest)).await??;
            self.commit_patiently(prepared.proposal).await?;
            count += prepared.count;
            rest = prepared.rest;
        }
        self.hide_now(user).await?;
        Ok(count)
    }

    async fn erase_scope(&self, user: UserKey, scope: ScopeDigest) -> Result<u64, WriteError> {
        if self.rows(user)?.is_none() {
            return Ok(0);
        }
        let engine = self.clone();
        let count = blocking(move || engine.count_entries(user, Some(scope))).await??;
        for range in [
            KeyRange::entries_of_scope(&user, &scope),
            KeyRange::chunks_of_scope(&user, &scope),
            KeyRange::kind(&user, Kind::Expiry),
        ] {
            let removed =
                self.remove_range(user, range, Some(scope), Change::DropScope { scope }).await;
            if let Err(error) = removed {
                // Memory has dropped the whole scope, the store only a part of it.
                if let Some(tenant) = self.cache().find(&user) {
                    tenant.unload();
                }
                return Err(error);
            }
        }
        self.hide_now(user).await?;
        Ok(count)
    }

    async fn erase_user(&self, user: UserKey) -> Result<u64, WriteError> {
        let engine = self.clone();
        let count = blocking(move || {
            // A user whose key is damaged can be erased all the same.
            let known = engine.store().key_ring().knows(&user);
            if !known && engine.store().scan_keys(&KeyRange::user(&user), 1)?.is_empty() {
                return Ok::<_, WriteError>(None);
            }
            let count = engine.count_entries(user, None)?;
            engine.store().key_ring().destroy(&user)?;
            Ok(Some(count))
        })
        .await??;
        let Some(count) = count else { return Ok(0) };
        self.finish_erasure(user).await?;
        Ok(count)
    }

    /// Removes what is left of users whose key is destroyed, but whose erasure was cut short.
    ///
    /// # Errors
    ///
    /// [`WriteError`]; the next call goes on.
    pub(super) async fn finish_erasures(&self) -> Result<(), WriteError> {
        for user in self.store().key_ring().erasing() {
            let gate = self.fences().gate(&user);
            let _alone = gate.write().await;
            // The erasure that held the gate may have ended well.
            if self.store().key_ring().erasing().contains(&user) {
                self.finish_erasure(user).await?;
            }
        }
        Ok(())
    }

    /// Everything of an erasure that comes after the destruction of the key.
    async fn finish_erasure(&self, user: UserKey) -> Result<(), WriteError> {
        // What is in memory is still in the clear: it goes first, whatever happens to the rows.
        if let Some(tenant) = self.cache().find(&user) {
            tenant.deliver(vec![Change::DropAll]);
        }
        self.hide_now(user).await?;
        self.remove_range(user, KeyRange::user(&user), None, Change::DropAll).await?;
        self.hide_now(user).await?;
        self.cache().forget(&user);
        let engine = self.clone();
        blocking(move || engine.store().key_ring().release(&user)).await??;
        Ok(())
    }

    /// Removes the rows of a range page by page, those of one scope if one is given. Every page tells the
    /// memory what is gone, so that nothing of it is loaded again in between.
    async fn remove_range(
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

    fn pages(
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
    fn count_entries(&self, user: UserKey, scope: Option<ScopeDigest>) -> Result<u64, ReadError> {
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

/// Runs a deletion to its end, whether or not the caller waits.
async fn to_the_end(
    deletion: impl Future<Output = Result<u64, WriteError>> + Send + 'static,
) -> Result<u64, WriteError> {
    tokio::spawn(deletion).await.unwrap_or_else(|error| {
        Err(ReadError::Internal(format!("a deletion ended early: {error}")).into())
    })
}

/// Whether a row is an entry, not the mark of a deleted one; a damaged one counts.
fn is_entry(key: &[u8], value: &[u8]) -> bool {
    read_header(key, value).is_ok_and(|header| header.record_type == RecordType::Entry)
}

fn scope_of(key: &[u8]) -> Option<ScopeDigest> {
    match KeyParts::parse(key).ok()? {
        KeyParts::Entry { scope, .. }
        | KeyParts::Chunk { scope, .. }
        | KeyParts::Expiry { scope, .. } => Some(scope),
    }
}

fn removal(user: UserKey, keys: Vec<StorageKey>, changes: Vec<Change>) -> Proposal<TenantChange> {
    Proposal {
        conditions: Vec::new(),
        operations: keys.into_iter().map(|key| Operation::Delete { key }).collect(),
        payload: TenantChange { user, changes },
    }
}

/// A page of a session's removal made ready for the committer.
struct SessionPage {
    proposal: Proposal<TenantChange>,
    /// Entries it removes.
    count: u64,
    /// What is left for the next page.
    rest: Vec<EntryDigest>,
}

fn session_removal(
    rows: &UserRows,
    scope: ScopeDigest,
    mut digests: Vec<EntryDigest>,
) -> Result<SessionPage, WriteError> {
    let now = Timestamp::now();
    let mut operations = Vec::new();
    let mut count = 0;
    let mut taken = 0;
    for digest in digests.iter().take(PAGE_ROWS) {
        if is_full_page(&operations) {
            break;
        }
        taken += 1;
        let Some((standing, _)) = rows.read(&scope, digest)? else { continue };
        count += match &standing {
            Standing::Entry(record) => u64::from(!record.is_expired(now)),
            Standing::Buried(_) | Standing::Damaged(_) => 0,
        };
        operations.push(Operation::Delete { key: StorageKey::entry(&rows.user, &scope, digest) });
        rows.drop_attachments(&scope, digest, &standing, &mut operations)?;
    }
    let rest = digests.split_off(taken);
    let payload =
        TenantChange { user: rows.user, changes: vec![Change::Remove { scope, digests }] };
    Ok(SessionPage {
        proposal: Proposal { conditions: Vec::new(), operations, payload },
        count,
        rest,
    })
}
