//! The handle that everything is asked of.

use std::fmt;
use std::sync::Arc;

use crate::builder::MemoryClientBuilder;
use crate::connection::Pool;
use crate::error::Error;
use crate::scope::Scope;
use crate::settings::Settings;

/// A client of one memoryd server. Cloning it is cheap, and all clones share its connections.
///
/// With the feature `adk` (on by default) it is an `adk_memory::MemoryService`. What that trait
/// can't say (scores, outcomes, filters, dry runs, ids) is asked of a [`Scope`].
#[derive(Clone)]
pub struct MemoryClient {
    inner: Arc<Inner>,
}

struct Inner {
    pool: Pool,
    settings: Settings,
    #[cfg(feature = "adk")]
    answered_empty: std::sync::atomic::AtomicU64,
}

impl MemoryClient {
    /// Connects to the server at `url`, such as `http://127.0.0.1:50051`, with default settings.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] for a URL that can't be used, [`Error::Unreachable`] when no
    /// connection could be had within 5 seconds.
    pub async fn connect(url: impl Into<String>) -> Result<Self, Error> {
        Self::builder(url).connect().await
    }

    /// A client with default settings that connects with its first call. To be called within a Tokio
    /// runtime.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] for a URL that can't be used, or outside a runtime.
    pub fn connect_lazy(url: impl Into<String>) -> Result<Self, Error> {
        Self::builder(url).connect_lazy()
    }

    /// A builder, for other settings than the default ones.
    pub fn builder(url: impl Into<String>) -> MemoryClientBuilder {
        MemoryClientBuilder::new(url)
    }

    /// The memory of one user of one application: its global scope. For a project of that user, see
    /// [`Scope::in_project`].
    #[must_use]
    pub fn scope(&self, app_name: impl Into<String>, user_id: impl Into<String>) -> Scope {
        Scope::new(self.clone(), app_name.into(), user_id.into())
    }

    pub(crate) fn new(pool: Pool, settings: Settings) -> Self {
        Self {
            inner: Arc::new(Inner {
                pool,
                settings,
                #[cfg(feature = "adk")]
                answered_empty: Default::default(),
            }),
        }
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.inner.pool
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    #[cfg(feature = "adk")]
    pub(crate) fn answered_empty(&self) -> &std::sync::atomic::AtomicU64 {
        &self.inner.answered_empty
    }
}

impl fmt::Debug for MemoryClient {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MemoryClient")
            .field("settings", self.settings())
            .finish_non_exhaustive()
    }
}
