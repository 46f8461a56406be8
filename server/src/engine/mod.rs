//! A tenant's memory, where store and ranking meet: the write path, the read path, and the cache of
//! tenants between them.

mod backlog;
mod body;
mod cache;
mod change;
mod chunks;
mod clock;
mod commit;
mod delete;
mod disk;
mod doc;
mod erase;
mod erase_session;
mod error;
mod expiry;
mod feed;
mod fence;
mod filter;
mod found;
mod hit;
mod identity;
mod index_entries;
mod index_row;
mod index_rows;
mod indexer;
mod interrupt;
mod list;
mod load;
mod pace;
mod page_token;
mod prepare;
mod question;
mod ranges;
mod read;
mod record;
mod rows;
mod scope_memory;
mod search;
mod sight;
mod tenant;
mod write;

#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

pub use delete::Deleted;
pub use error::{BadRecord, Damage, ReadError, StartError, WriteError};
pub use expiry::SWEEP_INTERVAL;
pub use fence::WriteTicket;
pub use found::Found;
pub use hit::{Hit, SearchAnswer};
pub use interrupt::Interrupt;
pub use list::Page;
pub use read::Read;

use backlog::Backlog;
use cache::TenantCache;
use change::TenantChange;
use clock::Clock;
use disk::DiskGuard;
use feed::Feed;
use fence::Fences;
use indexer::Indexer;
use pace::Pace;

use crate::domain::{Scope, Tenant, Timestamp};
use crate::embed::Embedder;
use crate::store::{Engine as StoreEngine, FatalHook, ScopeDigest, Store, StoreOptions, UserKey};

/// When entries get their vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmbedWhen {
    /// A moment after their addition was answered; until then words find them.
    #[default]
    Background,
    /// Before it is answered: adding waits for the embedder.
    Inline,
}

/// How the engine is to run.
#[derive(Clone)]
pub struct EngineOptions {
    /// Where the entries are kept.
    pub store: StoreOptions,
    /// What the tenants in memory may take together, in bytes.
    pub memory_budget: usize,
    /// What must stay free on the store's disk for entries to be added, in bytes.
    pub least_free_bytes: u64,
    /// Makes vectors; `None`: entries are found by words only.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// When added entries get their vectors.
    pub embed: EmbedWhen,
}

/// A handle of the engine, cheap to clone.
#[derive(Clone)]
pub struct Engine {
    parts: Arc<Parts>,
}

struct Parts {
    /// The log of entries.
    store: Store<TenantChange>,
    /// Tenants in memory. The store tells it of every commit.
    cache: Arc<TenantCache>,
    /// Keeps late writes away from deleted scopes.
    fences: Arc<Fences>,
    /// Gives each addition a time of its own.
    clock: Clock,
    /// Refuses additions before the disk is full.
    disk: DiskGuard,
    /// Makes vectors, if anything does.
    embedder: Option<Arc<dyn Embedder>>,
    /// When added entries get their vectors.
    embed: EmbedWhen,
    /// Entries whose vector is still to come.
    backlog: Arc<Backlog>,
    /// Lets calls go before work in the background.
    pace: Pace,
    /// Gives entries their vectors; `None` without an embedder. Set once, right after the start.
    indexer: OnceLock<Indexer>,
}

impl Engine {
    /// Opens the store and finishes what a crash interrupted. Blocks. `fatal` is called when the store
    /// fails for good.
    ///
    /// # Errors
    ///
    /// When the store doesn't open, or an interrupted erasure can't be finished.
    pub fn open(options: EngineOptions, fatal: FatalHook) -> Result<Self, StartError> {
        let EngineOptions { store, memory_budget, least_free_bytes, embedder, embed } = options;
        let folder = match &store.engine {
            StoreEngine::Sled { directory, .. } => Some(directory.clone()),
            StoreEngine::Memory => None,
        };
        let backlog = Arc::new(Backlog::default());
        let feeds_backlog = embedder.is_some() && embed == EmbedWhen::Background;
        let cache = Arc::new(TenantCache::new(memory_budget));
        let feed = Arc::new(Feed {
            cache: Arc::clone(&cache),
            backlog: feeds_backlog.then(|| Arc::clone(&backlog)),
        });
        let store = Store::open(store, feed, fatal)?;
        let disk = DiskGuard::new(folder, least_free_bytes);
        let engine = Self::of_parts(store, cache, disk, backlog, embedder, embed);
        engine.resume_erasures().map_err(StartError::Resume)?;
        engine.start_indexer()?;
        Ok(engine)
    }

    /// An engine over any keyspace: for tests that need to stop it in the middle of a commit.
    #[cfg(test)]
    fn over(keyspace: Arc<dyn crate::store::Keyspace>) -> Result<Self, StartError> {
        let cache = Arc::new(TenantCache::new(usize::MAX));
        let feed = Arc::new(Feed { cache: Arc::clone(&cache), backlog: None });
        let store = Store::over(keyspace, feed, Box::new(|_| {}))?;
        let disk = DiskGuard::new(None, 0);
        let backlog = Arc::default();
        Ok(Self::of_parts(store, cache, disk, backlog, None, EmbedWhen::default()))
    }

    fn of_parts(
        store: Store<TenantChange>,
        cache: Arc<TenantCache>,
        disk: DiskGuard,
        backlog: Arc<Backlog>,
        embedder: Option<Arc<dyn Embedder>>,
        embed: EmbedWhen,
    ) -> Self {
        let parts = Parts {
            store,
            cache,
            fences: Arc::default(),
            clock: Clock::default(),
            disk,
            embedder,
            embed,
            backlog,
            pace: Pace::default(),
            indexer: OnceLock::new(),
        };
        Self { parts: Arc::new(parts) }
    }

    fn start_indexer(&self) -> Result<(), StartError> {
        if self.parts.embedder.is_none() {
            return Ok(());
        }
        let backlog = Arc::clone(&self.parts.backlog);
        let indexer =
            Indexer::start(Arc::downgrade(&self.parts), backlog).map_err(StartError::Thread)?;
        self.parts.indexer.get_or_init(|| indexer);
        Ok(())
    }

    /// How many entries wait for their vector.
    pub fn pending_vectors(&self) -> u64 {
        self.parts.backlog.pending()
    }

    /// Name of the embedder in use.
    pub fn embedder_name(&self) -> Option<&str> {
        self.embedder().map(|embedder| embedder.identity().name())
    }

    /// The ticket of a write whose call arrives now; take it as early as possible.
    pub fn ticket(&self) -> WriteTicket {
        self.parts.fences.ticket()
    }

    /// Whether the store takes writes.
    ///
    /// # Errors
    ///
    /// Why it doesn't.
    pub fn health(&self) -> Result<(), crate::store::ApplyError> {
        self.parts.store.health()
    }

    /// Finishes the writes that wait and refuses new ones. Blocks.
    pub fn shutdown(&self) {
        if let Some(indexer) = self.parts.indexer.get() {
            indexer.stop();
        }
        self.parts.store.shutdown();
    }

    fn store(&self) -> &Store<TenantChange> {
        &self.parts.store
    }

    fn cache(&self) -> &TenantCache {
        &self.parts.cache
    }

    fn embedder(&self) -> Option<&dyn Embedder> {
        self.parts.embedder.as_deref()
    }

    fn fences(&self) -> &Arc<Fences> {
        &self.parts.fences
    }

    fn disk(&self) -> &DiskGuard {
        &self.parts.disk
    }

    /// The time now, different from every time this gave before.
    fn now_unique(&self) -> Timestamp {
        self.parts.clock.now_unique()
    }

    fn user_key(&self, tenant: &Tenant) -> UserKey {
        self.store().digester().user(tenant.app_name.as_str(), tenant.user_id.as_str())
    }

    /// The scopes that a read sees: the global one and, if there is one, the project.
    fn scopes_in_sight(&self, scope: &Scope) -> Vec<ScopeDigest> {
        let global = Scope { tenant: scope.tenant.clone(), project_id: None };
        let mut digests = vec![self.scope_digest(&global)];
        if scope.project_id.is_some() {
            digests.push(self.scope_digest(scope));
        }
        digests
    }

    fn scope_digest(&self, scope: &Scope) -> ScopeDigest {
        let Scope { tenant, project_id } = scope;
        self.store().digester().scope(
            tenant.app_name.as_str(),
            tenant.user_id.as_str(),
            project_id.as_ref().map(crate::domain::ProjectId::as_str),
        )
    }
}

/// Runs work that blocks or takes long on a thread of its own.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ReadError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| ReadError::Internal(format!("a thread ended early: {error}")))
}
