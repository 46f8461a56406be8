//! How a server is to run, as values.

use std::path::PathBuf;
use std::time::Duration;

use crate::domain::Limits;
use crate::embed::EmbedOptions;
use crate::engine::{EmbedWhen, SWEEP_INTERVAL};
use crate::store::{Durability, Engine as StoreEngine, StoreOptions};

/// Where entries are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StoreKind {
    /// In the data directory.
    #[default]
    Sled,
    /// In memory: gone when the server stops.
    Memory,
}

/// How a server is to run.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the data lies. Created when missing; its parent must be there.
    pub data_dir: PathBuf,
    /// Where entries are kept.
    pub store: StoreKind,
    /// What finds entries by their meaning.
    pub embedder: EmbedOptions,
    /// When entries are embedded.
    pub embed: EmbedWhen,
    /// What an answered write survives.
    pub durability: Durability,
    /// What the store aims at for its page cache, in bytes; sled takes 1.4 to 1.7 times as much.
    pub store_cache_bytes: u64,
    /// What the tenants in memory may take together, in bytes.
    pub memory_budget: usize,
    /// What must stay free on the data's disk for entries to be added, in bytes.
    pub least_free_bytes: u64,
    /// The limits on requests.
    pub limits: Limits,
    /// How long calls under way may take to finish once the server is told to stop.
    pub drain_timeout: Duration,
    /// How often expired entries are removed from the store; they are hidden at once.
    pub sweep_interval: Duration,
    /// Whether the descriptors of the service are served by gRPC reflection.
    pub reflection: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data_dir: PathBuf::from("memoryd-data"),
            store: StoreKind::default(),
            embedder: EmbedOptions::default(),
            embed: EmbedWhen::default(),
            durability: Durability::default(),
            store_cache_bytes: 64 * 1024 * 1024,
            memory_budget: 1024 * 1024 * 1024,
            least_free_bytes: 64 * 1024 * 1024,
            limits: Limits::default(),
            drain_timeout: Duration::from_secs(10),
            sweep_interval: SWEEP_INTERVAL,
            reflection: true,
        }
    }
}

impl StoreKind {
    /// Its name on the command line and in GetServerInfo.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sled => "sled",
            Self::Memory => "memory",
        }
    }
}

impl Config {
    pub(crate) fn store_options(&self) -> StoreOptions {
        let engine = match self.store {
            StoreKind::Memory => StoreEngine::Memory,
            StoreKind::Sled => StoreEngine::Sled {
                directory: self.data_dir.clone(),
                cache_bytes: self.store_cache_bytes,
            },
        };
        StoreOptions { engine, durability: self.durability }
    }
}
