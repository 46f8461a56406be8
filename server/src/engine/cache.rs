//! Tenants in memory, within a budget: loaded at first use, the least recently used let go first.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::tenant::Tenant;
use crate::store::UserKey;

/// What eviction goes down to, in percent of the budget, so that not every load evicts.
const EVICT_TO_PERCENT: usize = 90;

/// The tenants that are in memory.
pub(super) struct TenantCache {
    tenants: Mutex<HashMap<UserKey, Arc<Tenant>>>,
    /// Counts uses.
    clock: AtomicU64,
    /// What the tenants may take together, in bytes.
    budget_bytes: usize,
    /// What they take, about; made right whenever it seems to be too much.
    total_bytes: AtomicUsize,
}

impl TenantCache {
    pub(super) fn new(budget_bytes: usize) -> Self {
        Self {
            tenants: Mutex::default(),
            clock: AtomicU64::new(0),
            budget_bytes,
            total_bytes: AtomicUsize::new(0),
        }
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

    /// Notes that a tenant takes more, or less, than before, and lets go of others if it is too much.
    pub(super) fn resized(&self, before: usize, after: usize) {
        let grown = after.saturating_sub(before);
        let shrunk = before.saturating_sub(after);
        let total = self.total_bytes.fetch_add(grown, Ordering::Relaxed).saturating_add(grown);
        if shrunk > 0 {
            let less = |total: usize| Some(total.saturating_sub(shrunk));
            let _known = self.total_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
        if total > self.budget_bytes {
            self.trim();
        }
    }

    /// Lets go of tenants, least recently used first, until the rest is within the budget. Those that
    /// somebody is reading stay: they must hear of what is deleted.
    fn trim(&self) {
        // Dropped at the end, without the lock: the committer waits for it at every commit.
        let mut evicted = Vec::new();
        let mut tenants = self.tenants.lock();
        let mut total: usize = tenants.values().map(|tenant| tenant.approximate_bytes()).sum();
        if total <= self.budget_bytes {
            self.total_bytes.store(total, Ordering::Relaxed);
            return;
        }
        let goal = self.budget_bytes / 100 * EVICT_TO_PERCENT;
        let mut idle: Vec<_> = tenants
            .values()
            .filter(|tenant| Arc::strong_count(tenant) == 1)
            .map(|tenant| (tenant.used_at.load(Ordering::Relaxed), tenant.user))
            .collect();
        idle.sort_unstable();
        for (_, user) in idle {
            if total <= goal {
                break;
            }
            if let Some(tenant) = tenants.remove(&user) {
                total = total.saturating_sub(tenant.approximate_bytes());
                evicted.push(tenant);
            }
        }
        self.total_bytes.store(total, Ordering::Relaxed);
        drop(tenants);
        drop(evicted);
    }

    /// Lets go of every tenant that nobody is reading.
    pub(super) fn forget_idle(&self) {
        let mut tenants = self.tenants.lock();
        let idle: Vec<_> = tenants.extract_if(|_, tenant| Arc::strong_count(tenant) == 1).collect();
        drop(tenants);
        drop(idle);
    }

    /// Lets go of one tenant, unless somebody is reading it.
    pub(super) fn forget(&self, user: &UserKey) {
        let mut tenants = self.tenants.lock();
        let idle = tenants.get(user).is_some_and(|tenant| Arc::strong_count(tenant) == 1);
        let forgotten = if idle { tenants.remove(user) } else { None };
        drop(tenants);
        drop(forgotten);
    }
}
