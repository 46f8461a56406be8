//! Who hears of every commit: the tenants in memory, and the indexer.

use std::sync::Arc;

use super::backlog::Backlog;
use super::cache::TenantCache;
use super::change::TenantChange;
use super::index_entries::added_places;
use crate::store::CommitListener;

/// Passes commits on.
pub(super) struct Feed {
    /// Tenants in memory.
    pub(super) cache: Arc<TenantCache>,
    /// Where added entries wait for their vectors; `None` when nobody gives them any, or when those who
    /// add wait for it themselves.
    pub(super) backlog: Option<Arc<Backlog>>,
}

impl CommitListener<TenantChange> for Feed {
    fn committed(&self, _commit: u64, payload: TenantChange) {
        let TenantChange { user, changes } = payload;
        if changes.is_empty() {
            return;
        }
        if let Some(backlog) = &self.backlog {
            let places = added_places(user, &changes);
            if !places.is_empty() {
                backlog.add(places);
            }
        }
        if let Some(tenant) = self.cache.find(&user) {
            tenant.deliver(changes);
        }
    }
}
