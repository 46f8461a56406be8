//! A server from its configuration to its end.

use std::sync::Arc;
use std::time::Duration;

use memoryd_proto::v1::memory_service_server::MemoryServiceServer;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tonic::service::Routes;
use tonic_health::server::HealthReporter;
use tower::ServiceBuilder;

use crate::config::Config;
use crate::connections::Connections;
use crate::domain::Limits;
use crate::embed;
use crate::engine::{Engine, EngineOptions, StartError};
use crate::grpc::MemoryGrpc;
use crate::grpc::layers::{
    ArrivalLayer, DeadlineLayer, InFlight, InFlightLayer, PanicLayer, VerdictLayer,
};

/// How long watchers of the health service have to see NOT_SERVING before the listener closes.
const NOTICE: Duration = Duration::from_millis(100);

/// How often the store is asked whether it takes writes.
const STORE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Why a server didn't start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The engine didn't start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The embedder can't be used.
    #[error(transparent)]
    Embedder(#[from] embed::OpenError),
    /// The listener's address can't be told.
    #[error("the listener has no address: {0}")]
    Listener(std::io::Error),
    /// The descriptors of the service are damaged.
    #[error("reflection could not be set up: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The store failed while the server ran. What was answered before is on disk.
    #[error("the store failed; the log tells why")]
    StoreFailed,
    /// A thread ended early.
    #[error("a thread of the server ended early: {0}")]
    Thread(#[from] tokio::task::JoinError),
}

/// A server whose store is open, and that doesn't serve yet.
pub struct Server {
    config: Config,
    engine: Engine,
    /// Told when the store fails for good.
    store_failed: Arc<Notify>,
}

/// Opens the store and serves on `listener` until `shutdown` is done and the calls under way have ended.
///
/// # Errors
///
/// [`RunError`] when the server can't start, or its store fails for good.
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    Server::open(config).await?.serve(listener, shutdown).await
}

impl Server {
    /// Opens the store.
    ///
    /// # Errors
    ///
    /// [`RunError::Start`] when it doesn't open.
    pub async fn open(config: Config) -> Result<Self, RunError> {
        let store_failed = Arc::new(Notify::new());
        let engine = open_engine(&config, Arc::clone(&store_failed)).await?;
        Ok(Self { config, engine, store_failed })
    }

    /// Serves on `listener` until `shutdown` is done and the calls under way have ended.
    ///
    /// # Errors
    ///
    /// [`RunError`] when the store fails for good.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), RunError> {
        let Self { config, engine, store_failed } = self;
        serve(config, engine, store_failed, listener, shutdown).await
    }
}

async fn serve(
    config: Config,
    engine: Engine,
    store_failed: Arc<Notify>,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> Result<(), RunError> {
    let address = listener.local_addr().map_err(RunError::Listener)?;
    let in_flight = InFlight::default();
    let (health, health_service) = tonic_health::server::health_reporter();
    set_serving(&health, true).await;

    let mut routes = Routes::new(MemoryGrpc::server(
        engine.clone(),
        config.limits.clone(),
        config.store.as_str(),
    ))
    .add_service(health_service);
    if config.reflection {
        routes =
            routes.add_service(reflection().build_v1()?).add_service(reflection().build_v1alpha()?);
    }
    let Limits { request_bytes } = config.limits;
    let service = ServiceBuilder::new()
        // Outermost, so that it sees the end of every response, whoever made it.
        .layer(InFlightLayer::new(in_flight.clone()))
        // Before anything waits: a write is as old as its first byte.
        .layer(ArrivalLayer::new(engine.clone()))
        // Outside the deadline, whose own code may be at fault as well.
        .layer(PanicLayer)
        .layer(DeadlineLayer)
        // Innermost: only tonic itself is below it.
        .layer(VerdictLayer::new(request_bytes))
        .service(routes.prepare());

    let mut connections = Connections::new(service);
    let sweeper = tokio::spawn({
        let engine = engine.clone();
        let interval = config.sweep_interval;
        async move { engine.sweep_forever(interval).await }
    });
    let watcher = tokio::spawn(watch_store(engine.clone(), health.clone()));
    let embedder = engine.embedder_name().unwrap_or("none");
    tracing::info!(%address, store = config.store.as_str(), embedder, "serving");

    let failed = tokio::select! {
        () = connections.accept_until(&listener, shutdown) => false,
        () = store_failed.notified() => true,
    };
    tracing::info!(in_flight = in_flight.count(), "stopping");
    watcher.abort();
    // Whoever holds the engine keeps the data directory locked.
    drop(watcher.await);
    set_serving(&health, false).await;
    // Clients that watch the health service turn away before connections are refused.
    connections.accept_until(&listener, tokio::time::sleep(NOTICE)).await;
    drop(listener);
    let all_ended = connections.drain(&in_flight, config.drain_timeout).await;
    if !all_ended {
        tracing::warn!(in_flight = in_flight.count(), "calls were cut off by the drain's deadline");
    }
    sweeper.abort();
    drop(sweeper.await);
    tokio::task::spawn_blocking(move || engine.shutdown()).await?;
    tracing::info!("stopped");
    if failed { Err(RunError::StoreFailed) } else { Ok(()) }
}

/// Tells by the health service when the store takes no writes, for example because the disk hangs.
async fn watch_store(engine: Engine, health: HealthReporter) {
    let mut well = true;
    loop {
        tokio::time::sleep(STORE_CHECK_INTERVAL).await;
        let state = engine.health();
        if state.is_ok() == well {
            continue;
        }
        well = state.is_ok();
        match state {
            Ok(()) => tracing::info!("the store takes writes again"),
            Err(error) => tracing::error!(%error, "the store takes no writes"),
        }
        set_serving(&health, well).await;
    }
}

async fn open_engine(config: &Config, failed: Arc<Notify>) -> Result<Engine, RunError> {
    let (embedder, embed) = (config.embedder.clone(), config.embed);
    let store = config.store_options();
    let (memory_budget, least_free_bytes) = (config.memory_budget, config.least_free_bytes);
    let opening = tokio::task::spawn_blocking(move || {
        let embedder = embed::open(&embedder)?;
        let options = EngineOptions { store, memory_budget, least_free_bytes, embedder, embed };
        let opened = Engine::open(
            options,
            Box::new(move |failure| {
                tracing::error!(%failure, "the store failed, the server stops");
                failed.notify_one();
            }),
        );
        opened.map_err(RunError::from)
    });
    opening.await?
}

async fn set_serving(health: &HealthReporter, serving: bool) {
    let status = if serving {
        tonic_health::ServingStatus::Serving
    } else {
        tonic_health::ServingStatus::NotServing
    };
    health.set_service_status("", status).await;
    health
        .set_service_status(
            <MemoryServiceServer<MemoryGrpc> as tonic::server::NamedService>::NAME,
            status,
        )
        .await;
}

/// The descriptors of the service, of health, and of error details, without which grpcurl can't show an
/// error whole.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(memoryd_proto::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}
