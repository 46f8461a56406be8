//! The command line: every option's help, default and check in one place, and every mistake reported at
//! once.

mod embedder;

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use memoryd::{Config, Durability, StoreKind};
use tracing_subscriber::EnvFilter;

use self::embedder::EmbedderArguments;

/// Long-term memory for agents, over gRPC.
///
/// Stores what was said, finds what matters later, in any language, and forgets for good when told to.
/// Without options it serves on 127.0.0.1:50051 and keeps its data in ./memoryd-data. Look around with
/// 'grpcurl -plaintext 127.0.0.1:50051 list'.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    /// Address and port to listen on; port 0 takes a free one, which is printed.
    #[arg(
        long,
        env = "MEMORYD_LISTEN",
        value_name = "ADDRESS:PORT",
        default_value = "127.0.0.1:50051"
    )]
    listen: String,
    /// Where the data lies; created when missing. Its 'keys' folder holds the keys that all data is
    /// encrypted with: back it up apart from the rest.
    #[arg(long, env = "MEMORYD_DATA_DIR", value_name = "FOLDER", default_value = "memoryd-data")]
    data_dir: PathBuf,
    /// Where entries are kept: 'sled' in the data directory, 'memory' until the server stops.
    #[arg(long, env = "MEMORYD_STORE", value_name = "STORE", default_value = "sled")]
    store: String,
    #[command(flatten)]
    embedder: EmbedderArguments,
    /// What an answered write survives: 'always' a power cut, 'relaxed' a crash of the server (a power
    /// cut may lose the last half second), which is faster on slow disks.
    #[arg(long, env = "MEMORYD_DURABILITY", value_name = "LEVEL", default_value = "always")]
    durability: String,
    /// What is logged to standard error: error, warn, info, debug or trace, or a filter such as
    /// 'info,memoryd::store=debug'. The text of memories and queries is never logged.
    #[arg(long, env = "MEMORYD_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
    /// Memory for the indexes of users in use, in MiB; those used least recently are let go first.
    #[arg(long, env = "MEMORYD_MEMORY_MIB", value_name = "MIB", default_value = "1024")]
    memory_mib: String,
    /// Memory for the store's page cache, in MiB; sled takes up to 1.7 times as much.
    #[arg(long, env = "MEMORYD_STORE_CACHE_MIB", value_name = "MIB", default_value = "64")]
    store_cache_mib: String,
    /// What must stay free on the data's disk for entries to be added, in MiB; deleting always works.
    #[arg(long, env = "MEMORYD_LEAST_FREE_MIB", value_name = "MIB", default_value = "64")]
    least_free_mib: String,
    /// Largest request taken, in MiB, 1 to 48.
    #[arg(long, env = "MEMORYD_MAX_REQUEST_MIB", value_name = "MIB", default_value = "32")]
    max_request_mib: String,
    /// How long calls under way may take to finish when the server is told to stop, in seconds.
    #[arg(long, env = "MEMORYD_DRAIN_SECONDS", value_name = "SECONDS", default_value = "10")]
    drain_seconds: String,
    /// How often expired entries, which are hidden at once, are removed from the disk, in seconds.
    #[arg(long, env = "MEMORYD_SWEEP_SECONDS", value_name = "SECONDS", default_value = "60")]
    sweep_seconds: String,
    /// Don't serve the descriptors of the service by gRPC reflection.
    #[arg(long, env = "MEMORYD_NO_REFLECTION")]
    no_reflection: bool,
}

/// What the command line asks for.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    pub(crate) log: EnvFilter,
    pub(crate) config: Config,
}

impl Clone for Settings {
    fn clone(&self) -> Self {
        Self { listen: self.listen, log: self.log.clone(), config: self.config.clone() }
    }
}

/// Why there is nothing to serve.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Help or version was asked for, and printed.
    Answered,
    /// All that is wrong.
    Mistakes(Vec<String>),
}

/// Reads arguments and environment.
pub(crate) fn read() -> Result<Settings, Stop> {
    match Arguments::try_parse() {
        Ok(arguments) => check(arguments).map_err(Stop::Mistakes),
        Err(error) if error.use_stderr() => {
            let text = error.render().to_string();
            // Where to find help is told once, at the end.
            let text = text.split("\n\nFor more information").next().unwrap_or_default();
            Err(Stop::Mistakes(vec![text.trim_start_matches("error: ").trim_end().to_owned()]))
        }
        Err(error) => {
            drop(error.print());
            Err(Stop::Answered)
        }
    }
}

/// Collects mistakes while values are read.
#[derive(Default)]
struct Mistakes(Vec<String>);

impl Mistakes {
    fn choose<T: Copy>(&mut self, option: &str, value: &str, choices: &[(&str, T)]) -> Option<T> {
        let chosen = choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice);
        if chosen.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
            self.0.push(format!("--{option} must be {}, is '{value}'", names.join(" or ")));
        }
        chosen
    }

    fn number(&mut self, option: &str, value: &str, least: u64, most: u64) -> Option<u64> {
        match value.parse() {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                self.0.push(format!(
                    "--{option} must be a whole number from {least} to {most}, is '{value}'"
                ));
                None
            }
        }
    }
}

/// A bare level is about memoryd: the frames of HTTP/2 are told to those who name their source.
fn quiet_transport(filter: EnvFilter, log: &str) -> EnvFilter {
    if log.contains([',', '=']) {
        return filter;
    }
    let quiet = ["h2=info", "hyper=info", "hyper_util=info", "sled=info", "tower=info"];
    quiet
        .iter()
        .filter_map(|directive| directive.parse().ok())
        .fold(filter, EnvFilter::add_directive)
}

fn check(arguments: Arguments) -> Result<Settings, Vec<String>> {
    const MIB: u64 = 1024 * 1024;
    let Arguments {
        listen,
        data_dir,
        store,
        embedder,
        durability,
        log,
        memory_mib,
        store_cache_mib,
        least_free_mib,
        max_request_mib,
        drain_seconds,
        sweep_seconds,
        no_reflection,
    } = arguments;
    let mut mistakes = Mistakes::default();
    let listen_at = listen.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    if listen_at.is_none() {
        mistakes.0.push(format!(
            "--listen must be an address and a port, such as 127.0.0.1:50051, localhost:50051 or [::]:0, \
             is '{listen}'"
        ));
    }
    let filter = EnvFilter::try_new(&log).map(|filter| quiet_transport(filter, &log));
    if let Err(error) = &filter {
        mistakes.0.push(format!(
            "--log must be a level such as 'info', or a filter such as 'info,memoryd::store=debug', is \
             '{log}': {error}"
        ));
    }
    if data_dir.as_os_str().is_empty() {
        mistakes.0.push("--data-dir must not be empty".to_owned());
    }
    let store = mistakes.choose(
        "store",
        &store,
        &[("sled", StoreKind::Sled), ("memory", StoreKind::Memory)],
    );
    let embedder = embedder::check(embedder, &mut mistakes);
    let durability = mistakes.choose(
        "durability",
        &durability,
        &[("always", Durability::Always), ("relaxed", Durability::Relaxed)],
    );
    let memory = mistakes.number("memory-mib", &memory_mib, 1, 1 << 24);
    let cache = mistakes.number("store-cache-mib", &store_cache_mib, 1, 1 << 24);
    let least_free = mistakes.number("least-free-mib", &least_free_mib, 0, 1 << 30);
    let request = mistakes.number("max-request-mib", &max_request_mib, 1, 48);
    let drain = mistakes.number("drain-seconds", &drain_seconds, 0, 86_400);
    let sweep = mistakes.number("sweep-seconds", &sweep_seconds, 1, 86_400);
    let whole = (|| {
        let (embedder, embed) = embedder?;
        let mut config = Config {
            data_dir,
            store: store?,
            embedder,
            embed,
            durability: durability?,
            store_cache_bytes: cache? * MIB,
            memory_budget: usize::try_from(memory? * MIB).ok()?,
            least_free_bytes: least_free? * MIB,
            drain_timeout: Duration::from_secs(drain?),
            sweep_interval: Duration::from_secs(sweep?),
            reflection: !no_reflection,
            ..Config::default()
        };
        config.limits.request_bytes = usize::try_from(request? * MIB).ok()?;
        Some(Settings { listen: listen_at?, log: filter.ok()?, config })
    })();
    whole.filter(|_| mistakes.0.is_empty()).ok_or(mistakes.0)
}
