//! A real server, started and stopped as often as a test wants.

use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;

use memoryd::{Config, StoreKind};
use memoryd_client::{MemoryClient, MemoryClientBuilder};
use tempfile::TempDir;
use tokio::sync::oneshot;

pub(crate) struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Removed last.
    _folder: Option<TempDir>,
}

impl Server {
    /// A server on a folder of its own.
    pub(crate) fn fresh() -> Self {
        let folder = TempDir::new().unwrap();
        let mut server = Self::at(folder.path());
        server._folder = Some(folder);
        server
    }

    /// A server on this folder, on threads of its own.
    pub(crate) fn at(data_dir: &Path) -> Self {
        let config =
            Config { data_dir: data_dir.to_owned(), store: StoreKind::Sled, ..Config::default() };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            let runtime = builder.worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let shutdown = async { stopped.await.unwrap_or_default() };
                memoryd::run(config, listener, shutdown).await.unwrap();
            });
        });
        Self { address, stop: Some(stop), thread: Some(thread), _folder: None }
    }

    pub(crate) fn builder(&self) -> MemoryClientBuilder {
        MemoryClient::builder(self.url())
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops it as SIGTERM does, and waits until it is gone.
    pub(crate) fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking(), "the server panicked");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}
