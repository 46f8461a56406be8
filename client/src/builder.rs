//! How a client is made.

use std::time::Duration;

use crate::client::MemoryClient;
use crate::connection::Pool;
use crate::error::Error;
use crate::retry::RetryPolicy;
use crate::settings::{Match, Settings};

/// Settings of a [`MemoryClient`] to be; made by [`MemoryClient::builder`].
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until it connects"]
pub struct MemoryClientBuilder {
    url: String,
    settings: Settings,
}

impl MemoryClientBuilder {
    pub(crate) fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), settings: Settings::default() }
    }

    /// How long establishing one connection may take. Default: 5 seconds.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.settings.connect_timeout = timeout;
        self
    }

    /// How long one call may take, its retries included. Default: 30 seconds. The server is told and
    /// stops working when the time is over.
    pub fn call_timeout(mut self, timeout: Duration) -> Self {
        self.settings.call_timeout = timeout;
        self
    }

    /// How many connections there may be, at least 1. Default: 4. A connection is opened when a call
    /// finds all earlier ones busy.
    pub fn channels(mut self, channels: usize) -> Self {
        self.settings.channels = channels;
        self
    }

    /// How large a message may be that is received, in bytes. Default: 64 MiB. What may be sent is
    /// the server's to limit.
    pub fn max_message_bytes(mut self, bytes: usize) -> Self {
        self.settings.max_message_bytes = bytes;
        self
    }

    /// When and how often a failed call is tried again. Default: [`RetryPolicy::default`].
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.retry = policy;
        self
    }

    /// What `MemoryService::add_session` does with what a session holds already. Default:
    /// [`IngestMode::Upsert`](crate::IngestMode::Upsert).
    #[cfg(feature = "adk")]
    pub fn ingest_mode(mut self, mode: crate::settings::IngestMode) -> Self {
        self.settings.ingest_mode = mode;
        self
    }

    /// How many of a query's words an entry must hold to be deleted by it, in
    /// `MemoryService::delete_entries` and wherever a delete doesn't say. Default: [`Match::All`].
    pub fn delete_match(mut self, words: Match) -> Self {
        self.settings.delete_match = words;
        self
    }

    /// Makes the searches of adk's traits answer with no memories while the server can't be reached,
    /// instead of failing the agent that asks. Each such answer is logged as a warning and counted
    /// (`MemoryClient::searches_answered_empty`). Default: off. Every other error is still an
    /// error, the passed deadline of a server that is there included, and so is every failed write.
    #[cfg(feature = "adk")]
    pub fn empty_when_unreachable(mut self, empty: bool) -> Self {
        self.settings.empty_when_unreachable = empty;
        self
    }

    /// Connects, and fails when the server can't be reached.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] for a URL that can't be used, [`Error::Unreachable`] when no
    /// connection could be had in time.
    pub async fn connect(self) -> Result<MemoryClient, Error> {
        let pool = Pool::connected(&self.url, &self.settings).await?;
        Ok(MemoryClient::new(pool, self.settings))
    }

    /// Makes the client without connecting: the first call does. To be called within a Tokio
    /// runtime.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`] for a URL that can't be used, or outside a runtime.
    pub fn connect_lazy(self) -> Result<MemoryClient, Error> {
        let pool = Pool::lazy(&self.url, &self.settings)?;
        Ok(MemoryClient::new(pool, self.settings))
    }
}
