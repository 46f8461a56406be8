//! A tenant's memory: its scopes, and the inbox through which commits reach it.
//!
//! The committer only drops changes into the inbox. Whoever reads next applies them first, so a read
//! sees every acknowledged write, and the one writing thread never waits for a search.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use parking_lot::{Mutex, RwLock, RwLockReadGuard};

use super::body::{body_text, decode_body};
use super::change::Change;
use super::doc::Doc;
use super::load::{LoadedPage, LoadedRow};
use super::record::{StoredBody, Tombstone};
use super::scope_memory::{Addition, ScopeMemory};
use crate::domain::Timestamp;
use crate::recall::analysis::EntryTerms;
use crate::store::{EntryDigest, ScopeDigest, UserKey};

/// A tenant that is loaded, or being loaded.
#[derive(Debug)]
pub(crate) struct Tenant {
    pub(super) user: UserKey,
    /// Changes that are committed but not applied yet, in commit order.
    inbox: Mutex<Vec<Change>>,
    /// Who brings the tenant up to date; others wait for it without a thread each.
    pub(super) turn: tokio::sync::Mutex<()>,
    /// Held while changes are taken out of the inbox and applied, or the tenant is loaded: they must be
    /// applied in commit order.
    applying: Mutex<()>,
    /// `None` until loaded.
    memory: RwLock<Option<TenantMemory>>,
    /// Whether somebody will bring it up to date in a moment.
    pub(super) catch_up_is_due: AtomicBool,
    /// About how many bytes it takes.
    bytes: AtomicUsize,
    /// When it was last asked for, by the cache's clock.
    pub(super) used_at: AtomicU64,
}

/// The scopes of a tenant.
#[derive(Debug, Default)]
pub(crate) struct TenantMemory {
    scopes: HashMap<ScopeDigest, ScopeMemory>,
}

impl Tenant {
    pub(super) fn new(user: UserKey) -> Self {
        Self {
            user,
            inbox: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
            applying: Mutex::default(),
            memory: RwLock::default(),
            catch_up_is_due: AtomicBool::new(false),
            bytes: AtomicUsize::new(0),
            used_at: AtomicU64::new(0),
        }
    }

    /// Takes in the changes of a commit. Never waits for a reader.
    pub(super) fn deliver(&self, changes: Vec<Change>) {
        self.inbox.lock().extend(changes);
    }

    /// Takes the tenant for loaded, and empty, if it isn't loaded yet.
    pub(super) fn begin_empty(&self) {
        let _in_order = self.applying.lock();
        self.memory.write().get_or_insert_default();
    }

    /// Forgets what is in memory; the next read loads it again.
    pub(super) fn unload(&self) {
        let _in_order = self.applying.lock();
        if let Some(memory) = self.memory.write().take() {
            memory.mark_all_gone();
        }
        self.inbox.lock().clear();
        self.bytes.store(0, Ordering::Relaxed);
    }

    /// Makes the memory hold every commit so far, loading it with `load` first if it never was.
    pub(super) fn catch_up<E>(
        &self,
        now: Timestamp,
        load: impl FnOnce(&mut dyn FnMut(LoadedPage)) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.is_current(now) {
            return Ok(());
        }
        let _in_order = self.applying.lock();
        if self.memory.read().is_none() {
            // What is committed from here on waits in the inbox and is applied below, so the rows may
            // be read while others write.
            let mut memory = TenantMemory::default();
            load(&mut |page| memory.take_in(page))?;
            memory.finish_loading();
            *self.memory.write() = Some(memory);
        }
        let changes = std::mem::take(&mut *self.inbox.lock());
        let prepared = Prepared::of(changes);
        let mut guard = self.memory.write();
        if let Some(memory) = guard.as_mut() {
            memory.apply_prepared(prepared);
            memory.expire(now);
            self.bytes.store(memory.approximate_bytes(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Whether there is nothing to load, apply or expire.
    pub(super) fn is_current(&self, now: Timestamp) -> bool {
        // Taken in this order, a change that is out of the inbox but not applied yet is not missed:
        // it is applied under the lock that is waited for here.
        if !self.inbox.lock().is_empty() || self.applying.is_locked() {
            return false;
        }
        self.memory.read().as_ref().is_some_and(|memory| !memory.has_expired(now))
    }

    /// The memory to read from; `None` if it was never loaded.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Option<TenantMemory>> {
        self.memory.read()
    }

    /// As [`Tenant::read`], without waiting.
    pub(super) fn try_read(&self) -> Option<RwLockReadGuard<'_, Option<TenantMemory>>> {
        self.memory.try_read()
    }

    /// Whether it had better be loaded anew.
    pub(super) fn is_worn_out(&self) -> bool {
        let guard = self.memory.read();
        guard.as_ref().is_some_and(|memory| memory.scopes.values().any(ScopeMemory::is_worn_out))
    }

    /// About how many bytes the tenant takes, without what waits for it.
    pub(super) fn approximate_bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl TenantMemory {
    pub(super) fn scope(&self, scope: &ScopeDigest) -> Option<&ScopeMemory> {
        self.scopes.get(scope)
    }

    /// Takes in a page of what is being loaded.
    fn take_in(&mut self, page: LoadedPage) {
        for (scope, row) in page {
            let memory = self.scopes.entry(scope).or_default();
            match row {
                LoadedRow::Entry(addition) => memory.load(*addition),
                LoadedRow::Mark(digest, Tombstone { id: _, session_id }) => {
                    memory.bury(digest, session_id);
                }
            }
        }
    }

    fn finish_loading(&mut self) {
        for memory in self.scopes.values_mut() {
            memory.finish_loading();
        }
    }

    fn apply_prepared(&mut self, prepared: Vec<Prepared>) {
        for change in prepared {
            match change {
                Prepared::Upsert { scope, entries } => {
                    self.scopes.entry(scope).or_default().upsert(entries, &terms_of);
                }
                Prepared::Bury { scope, marks } => {
                    let memory = self.scopes.entry(scope).or_default();
                    let digests: Vec<_> = marks.iter().map(|(digest, _)| *digest).collect();
                    memory.remove(&digests, &terms_of);
                    for (digest, Tombstone { id: _, session_id }) in marks {
                        memory.bury(digest, session_id);
                    }
                }
                Prepared::Other(Change::Remove { scope, digests }) => {
                    if let Some(memory) = self.scopes.get_mut(&scope) {
                        memory.remove(&digests, &terms_of);
                    }
                }
                Prepared::Other(Change::DropScope { scope }) => {
                    if let Some(memory) = self.scopes.remove(&scope) {
                        memory.mark_all_gone();
                    }
                }
                Prepared::Other(Change::DropAll) => {
                    self.mark_all_gone();
                    self.scopes.clear();
                }
                Prepared::Other(Change::Vector { scope, digest, fingerprint, vector }) => {
                    if let Some(memory) = self.scopes.get_mut(&scope) {
                        memory.set_vector(&digest, &fingerprint, vector.as_ref());
                    }
                }
                Prepared::Other(Change::Upsert { .. } | Change::Bury { .. }) => {}
            }
        }
    }

    fn mark_all_gone(&self) {
        for memory in self.scopes.values() {
            memory.mark_all_gone();
        }
    }

    fn expire(&mut self, now: Timestamp) {
        for memory in self.scopes.values_mut() {
            memory.expire(now, &terms_of);
        }
    }

    fn has_expired(&self, now: Timestamp) -> bool {
        self.scopes.values().any(|memory| memory.has_expired(now))
    }

    fn approximate_bytes(&self) -> usize {
        self.scopes.values().map(ScopeMemory::approximate_bytes).sum()
    }
}

/// A change with the costly part, the analysis of texts, done: it is applied under a lock.
enum Prepared {
    Upsert { scope: ScopeDigest, entries: Vec<Addition> },
    Bury { scope: ScopeDigest, marks: Vec<(EntryDigest, Tombstone)> },
    Other(Change),
}

impl Prepared {
    fn of(changes: Vec<Change>) -> Vec<Self> {
        let mut prepared: Vec<Self> = Vec::new();
        for change in changes {
            let (scope, digest, record, text) = match change {
                Change::Upsert { scope, digest, record, text } => (scope, digest, record, text),
                Change::Remove { scope, mut digests } => {
                    // Removing many at once is cheaper than removing them page by page.
                    if let Some(Self::Other(Change::Remove { scope: same, digests: before })) =
                        prepared.last_mut()
                        && *same == scope
                    {
                        before.append(&mut digests);
                    } else {
                        prepared.push(Self::Other(Change::Remove { scope, digests }));
                    }
                    continue;
                }
                Change::Bury { scope, digest, tombstone } => {
                    match prepared.last_mut() {
                        Some(Self::Bury { scope: same, marks }) if *same == scope => {
                            marks.push((digest, tombstone));
                        }
                        _ => prepared.push(Self::Bury { scope, marks: vec![(digest, tombstone)] }),
                    }
                    continue;
                }
                other @ (Change::Vector { .. } | Change::DropScope { .. } | Change::DropAll) => {
                    prepared.push(Self::Other(other));
                    continue;
                }
            };
            let addition = Addition::new(*record, digest, EntryTerms::of(&text), None);
            match prepared.last_mut() {
                Some(Self::Upsert { scope: same, entries }) if *same == scope => {
                    entries.push(addition);
                }
                _ => prepared.push(Self::Upsert { scope, entries: vec![addition] }),
            }
        }
        prepared
    }
}

/// The terms that an entry was indexed by: kept, or made again from its text.
fn terms_of(doc: &Doc) -> EntryTerms {
    match (&doc.kept_terms, &doc.record.body) {
        (Some(terms), _) => (**terms).clone(),
        (None, StoredBody::Inline(bytes)) => {
            let text = decode_body(bytes.clone()).and_then(|body| body_text(&body));
            EntryTerms::of(&text.unwrap_or_default())
        }
        (None, StoredBody::Chunked { text, .. }) => {
            EntryTerms::of(text.as_deref().unwrap_or_default())
        }
    }
}
