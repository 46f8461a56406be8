//! Deleting sessions, projects and users whole, with the marks of what was deleted from them
//! (contract, section 7).
//!
//! Each holds the user's gate alone, so no write of the user is under way, removes rows in pages, so that
//! other tenants' writes get in between, and at the end raises a fence against late writes.

use super::change::Change;
use super::error::{ReadError, WriteError};
use super::fence::FenceTarget;
use super::ranges::removal;
use super::{Engine, blocking};
use crate::domain::{Scope, SessionId, Tenant};
use crate::store::{KeyRange, Kind, ScopeDigest, UserKey};

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

    async fn erase_scope(&self, user: UserKey, scope: ScopeDigest) -> Result<u64, WriteError> {
        if self.rows(user)?.is_none() {
            return Ok(0);
        }
        let engine = self.clone();
        let count = blocking(move || engine.count_entries(user, Some(scope))).await??;
        for range in [
            KeyRange::entries_of_scope(&user, &scope),
            KeyRange::chunks_of_scope(&user, &scope),
            KeyRange::indexes_of_scope(&user, &scope),
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

    pub(super) async fn erase_user(&self, user: UserKey) -> Result<u64, WriteError> {
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
        loop {
            self.remove_range(user, KeyRange::user(&user), None, Change::DropAll).await?;
            // The indexer, which waits for no gate, may have written beside an entry that still stood.
            let engine = self.clone();
            let rest = move || engine.store().scan_keys(&KeyRange::user(&user), 1);
            if blocking(rest).await?.map_err(ReadError::from)?.is_empty() {
                break;
            }
        }
        self.hide_now(user).await?;
        self.cache().forget(&user);
        let engine = self.clone();
        blocking(move || engine.store().key_ring().release(&user)).await??;
        Ok(())
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
