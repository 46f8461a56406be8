//! A server of the test's own.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use memoryd::{Config, EmbedOptions, EmbedderChoice, RunError, StoreKind};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};

use super::Calls;

/// A server that is stopped and forgotten when it is dropped.
pub(crate) struct TestServer {
    /// Removed with the server.
    _folder: TempDir,
    config: Config,
    running: Option<Running>,
}

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), RunError>>,
}

impl TestServer {
    /// A server with an empty store that goes by words: vectors come when they come, and tests of words
    /// and order want the same answer at once. Tests of meaning start servers of their own.
    pub(crate) async fn start(store: StoreKind) -> Self {
        let embedder = EmbedOptions { choice: EmbedderChoice::None, ..EmbedOptions::default() };
        Self::start_with(Config { store, embedder, ..Config::default() }).await
    }

    /// A server with a configuration of the test's own; its data directory is a temporary one.
    pub(crate) async fn start_with(config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data_dir: folder.path().join("data"), ..config };
        let mut server = Self { _folder: folder, config, running: None };
        server.resume().await;
        server
    }

    /// Where the data lies.
    pub(crate) fn data_dir(&self) -> &Path {
        &self.config.data_dir
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.running.as_ref().unwrap().address
    }

    /// A connection of its own with typed calls.
    pub(crate) async fn calls(&self) -> Calls {
        Calls::over(self.channel().await)
    }

    /// A connection of its own.
    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address())).unwrap();
        endpoint.connect_timeout(Duration::from_secs(10)).connect().await.unwrap()
    }

    /// Stops the server, as SIGTERM does, and waits until it has ended.
    pub(crate) async fn stop(&mut self) {
        if let Some(Running { stop, task, .. }) = self.running.take() {
            drop(stop);
            task.await.unwrap().unwrap();
        }
    }

    /// Begins to stop the server; answers the task that ends with it.
    pub(crate) fn begin_to_stop(&mut self) -> JoinHandle<Result<(), RunError>> {
        let Running { stop, task, .. } = self.running.take().unwrap();
        drop(stop);
        task
    }

    /// Stops the server and starts it on the same data, on another port.
    pub(crate) async fn restart(&mut self) {
        self.stop().await;
        self.resume().await;
    }

    /// Stops the server and starts it on the same data with another configuration.
    pub(crate) async fn restart_with(&mut self, config: Config) {
        self.stop().await;
        self.config = Config { data_dir: self.config.data_dir.clone(), ..config };
        self.resume().await;
    }

    /// Waits until every entry has its vector.
    pub(crate) async fn all_vectors(&self) {
        let calls = self.calls().await;
        self.until(async |_| calls.info().await.unwrap().pending_vectors == 0).await;
    }

    /// Waits until something holds; fails after a minute.
    pub(crate) async fn until(&self, holds: impl AsyncFn(&Self) -> bool) {
        for _ in 0..6_000 {
            if holds(self).await {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it does not come to pass");
    }

    async fn resume(&mut self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let config = self.config.clone();
        let run = memoryd::run(config, listener, async move { drop(stopped.await) });
        let task = tokio::spawn(async move {
            let ended = run.await;
            // A test whose server dies fails elsewhere, and would not tell why.
            if let Err(error) = &ended {
                eprintln!("the server ended: {error}");
            }
            ended
        });
        self.running = Some(Running { address, stop, task });
    }
}
