//! Handing changes to the store's committer, from async code.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Engine;
use super::change::TenantChange;
use super::error::WriteError;
use crate::store::{CommitError, Proposal, UserKey};

/// How long commits of one tenant are gathered before they are applied together.
const CATCH_UP_DELAY: Duration = Duration::from_millis(20);

/// How long to wait while the store has too much to do.
const OVERLOAD_PAUSES: [Duration; 4] = [
    Duration::from_millis(50),
    Duration::from_millis(200),
    Duration::from_millis(800),
    Duration::from_secs(3),
];

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

    /// As [`Engine::commit`], for a change that can be made again: waits while the store has too much to
    /// do.
    pub(super) async fn commit_patiently(
        &self,
        proposal: Proposal<TenantChange>,
    ) -> Result<(), WriteError> {
        let Proposal { conditions, operations, payload } = proposal;
        for pause in OVERLOAD_PAUSES {
            let again = Proposal {
                conditions: conditions.clone(),
                operations: operations.clone(),
                payload: payload.clone(),
            };
            match self.commit(again).await {
                Err(WriteError::Commit(CommitError::Overloaded)) => tokio::time::sleep(pause).await,
                answer => return answer,
            }
        }
        self.commit(Proposal { conditions, operations, payload }).await
    }

    /// Waits until every commit that is being written now is durable and has reached the tenants in
    /// memory. Blocks.
    pub(super) fn settle(&self, user: UserKey) -> Result<(), WriteError> {
        let payload = TenantChange { user, changes: Vec::new() };
        let proposal = Proposal { conditions: Vec::new(), operations: Vec::new(), payload };
        match self.store().submit(proposal).blocking_recv() {
            Ok(answer) => answer.map(|_| ()).map_err(WriteError::from),
            Err(_) => Err(CommitError::Unavailable.into()),
        }
    }

    /// Applies what was committed for a tenant in memory, a moment later and on a thread of its own, so
    /// that neither the writer nor the next reader has to wait for the analysis of texts.
    pub(super) fn catch_up_soon(&self, user: UserKey) {
        let Some(tenant) = self.cache().find(&user) else { return };
        if tenant.catch_up_is_due.swap(true, Ordering::AcqRel) {
            return;
        }
        // The tenant may be let go of meanwhile; then there is nothing to do.
        let (engine, tenant) = (self.clone(), Arc::downgrade(&tenant));
        drop(tokio::spawn(async move {
            tokio::time::sleep(CATCH_UP_DELAY).await;
            let Some(tenant) = tenant.upgrade() else { return };
            tenant.catch_up_is_due.store(false, Ordering::Release);
            drop(tenant);
            if let Err(error) = engine.make_ready(user).await {
                tracing::warn!(%error, "a tenant could not catch up");
            }
        }));
    }

    /// Applies what was committed for a tenant in memory. Blocks.
    pub(super) fn catch_up_now(&self, user: UserKey) {
        let Some(tenant) = self.cache().find(&user) else { return };
        if let Err(error) = self.catch_up(&tenant) {
            tracing::warn!(%error, "a tenant could not catch up");
        }
    }
}
