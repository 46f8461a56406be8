//! Entries whose time is over: hidden at once by every read, removed from the store by a sweep.

use std::time::Duration;

use sha2::{Digest, Sha256};

use super::change::{Change, TenantChange};
use super::error::{ReadError, WriteError};
use super::rows::{PAGE_ROWS, Standing, expiry_time, is_full_page};
use super::{Engine, blocking};
use crate::domain::Timestamp;
use crate::store::{
    CommitError, Condition, KeyParts, KeyRange, Operation, Proposal, StorageKey, UserKey,
};

/// How often the store is swept when the configuration doesn't say.
pub const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

impl Engine {
    /// Sweeps the store every `interval`, until the future is dropped.
    pub async fn sweep_forever(&self, interval: Duration) {
        loop {
            tokio::time::sleep(interval).await;
            match self.sweep().await {
                Ok(0) => {}
                Ok(removed) => tracing::info!(removed, "removed expired entries"),
                Err(error) => tracing::warn!(%error, "a sweep for expired entries failed"),
            }
        }
    }

    /// Removes every entry whose time is over, and what is left of erasures that were cut short; answers
    /// how many entries there were.
    ///
    /// # Errors
    ///
    /// The last [`WriteError`]; the users it didn't concern are swept, the next sweep tries again.
    pub async fn sweep(&self) -> Result<u64, WriteError> {
        let mut removed = 0;
        let mut failed = self.finish_erasures().await.err();
        for user in self.store().key_ring().users() {
            match self.sweep_user(user).await {
                Ok(of_user) => removed += of_user,
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(removed), Err)
    }

    async fn sweep_user(&self, user: UserKey) -> Result<u64, WriteError> {
        let mut removed = 0;
        loop {
            let engine = self.clone();
            let due = blocking(move || engine.due(user)).await??;
            if due.is_empty() {
                return Ok(removed);
            }
            match self.remove_due(user, due).await? {
                // Somebody wrote one of them anew; the next sweep looks again.
                None => return Ok(removed),
                Some(of_page) => removed += of_page,
            }
        }
    }

    /// Expiry rows of a user whose time is over, a page of them.
    fn due(&self, user: UserKey) -> Result<Vec<Vec<u8>>, ReadError> {
        let range = KeyRange::expired_at(&user, expiry_time(Timestamp::now()));
        Ok(self.store().scan_keys(&range, PAGE_ROWS)?)
    }

    async fn remove_due(
        &self,
        user: UserKey,
        due: Vec<Vec<u8>>,
    ) -> Result<Option<u64>, WriteError> {
        let gate = self.fences().gate(&user);
        let _in_order = gate.read().await;
        let engine = self.clone();
        let (proposal, count) = blocking(move || engine.prepare_removal(user, due)).await??;
        match self.commit(proposal).await {
            Ok(()) => Ok(Some(count)),
            Err(WriteError::Commit(CommitError::Conflict { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn prepare_removal(
        &self,
        user: UserKey,
        due: Vec<Vec<u8>>,
    ) -> Result<(Proposal<TenantChange>, u64), WriteError> {
        let now = Timestamp::now();
        let (mut conditions, mut operations, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let rows = self.rows(user)?;
        for stored_key in due {
            if is_full_page(&operations) {
                break;
            }
            let Ok(KeyParts::Expiry { scope, entry, .. }) = KeyParts::parse(&stored_key) else {
                continue;
            };
            let Ok(expiry_key) = StorageKey::from_stored(stored_key) else { continue };
            operations.push(Operation::Delete { key: expiry_key });
            let Some(rows) = &rows else { continue };
            let Some((standing, stored)) = rows.read(&scope, &entry)? else { continue };
            // The row may be left over from an expiry that was changed since.
            if !matches!(&standing, Standing::Entry(record) if record.is_expired(now)) {
                continue;
            }
            let key = StorageKey::entry(&user, &scope, &entry);
            conditions.push(Condition::ValueIs(key.clone(), Sha256::digest(&stored).into()));
            operations.push(Operation::Delete { key });
            rows.drop_attachments(&scope, &entry, &standing, &mut operations)?;
            changes.push(Change::Remove { scope, digests: vec![entry] });
        }
        let count = changes.len() as u64;
        Ok((Proposal { conditions, operations, payload: TenantChange { user, changes } }, count))
    }
}
