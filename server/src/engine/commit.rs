//! Handing changes to the store's committer, from async code.

use super::Engine;
use super::change::TenantChange;
use super::error::WriteError;
use crate::store::{CommitError, Proposal, UserKey};

impl Engine {
    /// Proposes changes and waits until they are durable.
    pub(super) async fn commit(&self, proposal: Proposal<TenantChange>) -> Result<(), WriteError> {
        match self.store().submit(proposal).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error.into()),
            // The committer answers before it ends.
            Err(_) => Err(CommitError::Unavailable.into()),
        }
    }

    /// Applies what waits for a tenant, on a thread of its own, when it has become much.
    pub(super) fn catch_up_if_overdue(&self, user: UserKey) {
        let Some(tenant) = self.cache().overdue(&user) else { return };
        let engine = self.clone();
        drop(tokio::task::spawn_blocking(move || {
            if let Err(error) = engine.catch_up(&tenant) {
                tracing::warn!(%error, "a tenant could not catch up");
            }
        }));
    }
}
