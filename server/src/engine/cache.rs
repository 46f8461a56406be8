//! Tenants in memory, within a budget: loaded at first use, the least recently used let go first.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::change::TenantChange;
use super::tenant::Tenant;
use crate::store::{CommitListener, UserKey};

/// Changes that may wait for a tenant's next reader before somebody else applies them.
const BACKLOG_LIMIT: usize = 2_048;

/// The tenants that are in memory.
pub(super) struct TenantCache {
    tenants: Mutex<HashMap<UserKey, Arc<Tenant>>>,
    /// Counts uses.
    clock: AtomicU64,
    /// What the tenants may take together, in bytes.
    budget_bytes: usize,
}

impl TenantCache {
    pub(super) fn new(budget_bytes: usize) -> Self {
        Self { tenants: Mutex::default(), clock: AtomicU64::new(0), budget_bytes }
    }

    /// The tenant, in memory from now on; it may have to catch up.
    pub(super) fn enter(&self, user: UserKey) -> Arc<Tenant> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed);
        let mut tenants = self.tenants.lock();
        let tenant = tenants.entry(user).or_insert_with(|| Arc::new(Tenant::new(user)));
        tenant.used_at.store(now, Ordering::Relaxed);
        Arc::clone(tenant)
    }

    /// The tenant, if it is in memory.
    pub(super) fn find(&self, user: &UserKey) -> Option<Arc<Tenant>> {
        self.tenants.lock().get(user).cloned()
    }

    /// The tenant, if so many changes wait for it that they had better be applied now.
    pub(super) fn overdue(&self, user: &UserKey) -> Option<Arc<Tenant>> {
        self.find(user).filter(|tenant| tenant.backlog() > BACKLOG_LIMIT)
    }

    /// Lets go of tenants, least recently used first, until the rest is within the budget. Those that
    /// somebody is reading stay: they must hear of what is deleted.
    pub(super) fn trim(&self) {
        let mut tenants = self.tenants.lock();
        let mut total: usize = tenants.values().map(|tenant| tenant.approximate_bytes()).sum();
        if total <= self.budget_bytes {
            return;
        }
        let mut idle: Vec<_> = tenants
            .values()
            .filter(|tenant| Arc::strong_count(tenant) == 1)
            .map(|tenant| (tenant.used_at.load(Ordering::Relaxed), tenant.user))
            .collect();
        idle.sort_unstable();
        for (_, user) in idle {
            if total <= self.budget_bytes {
                break;
            }
            if let Some(tenant) = tenants.remove(&user) {
                total = total.saturating_sub(tenant.approximate_bytes());
            }
        }
    }

    /// Lets go of one tenant, unless somebody is reading it.
    pub(super) fn forget(&self, user: &UserKey) {
        let mut tenants = self.tenants.lock();
        if tenants.get(user).is_some_and(|tenant| Arc::strong_count(tenant) == 1) {
            tenants.remove(user);
        }
    }

    /// How many tenants are in memory.
    pub(super) fn len(&self) -> usize {
        self.tenants.lock().len()
    }
}

impl CommitListener<TenantChange> for TenantCache {
    fn committed(&self, _commit: u64, payload: TenantChange) {
        let TenantChange { user, changes } = payload;
        if changes.is_empty() {
            return;
        }
        if let Some(tenant) = self.find(&user) {
            tenant.deliver(changes);
        }
    }
}
