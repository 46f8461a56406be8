//! A server of this program's own, on a folder that is gone afterwards.

use std::net::SocketAddr;
use std::path::Path;
use std::thread::JoinHandle;

use memoryd::{Config, RunError, StoreKind};
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::error::EvalError;

/// A server on threads of its own. It stops when this is dropped.
pub(crate) struct Server {
    /// Taken when it is stopped.
    running: Option<Running>,
    address: SocketAddr,
    /// Outlives restarts; dropped last.
    folder: TempDir,
}

struct Running {
    /// Dropping it tells the server to stop.
    stop: oneshot::Sender<()>,
    thread: JoinHandle<Result<(), RunFailure>>,
}

enum RunFailure {
    Threads(std::io::Error),
    Run(RunError),
}

impl Server {
    /// A server with an empty store.
    pub(crate) fn start() -> Result<Self, EvalError> {
        let folder = TempDir::with_prefix("memoryd-eval-").map_err(EvalError::Prepare)?;
        let (address, running) = run_on(folder.path()).map_err(EvalError::Prepare)?;
        Ok(Self { running: Some(running), address, folder })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops it as SIGTERM does, and starts it on the same folder and a new port.
    pub(crate) fn restart(&mut self) -> Result<(), EvalError> {
        self.end()?;
        let (address, running) = run_on(self.folder.path()).map_err(EvalError::Prepare)?;
        self.address = address;
        self.running = Some(running);
        Ok(())
    }

    /// Stops it, and tells whether it ran well to its end.
    pub(crate) fn stop(mut self) -> Result<(), EvalError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), EvalError> {
        let Some(Running { stop, thread }) = self.running.take() else { return Ok(()) };
        drop(stop);
        match thread.join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(RunFailure::Threads(error))) => Err(EvalError::Prepare(error)),
            Ok(Err(RunFailure::Run(error))) => Err(EvalError::Server(error)),
            Err(_) => Err(EvalError::ServerPanicked),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::warn!(%error, "the server ended badly");
        }
    }
}

fn run_on(data_dir: &Path) -> std::io::Result<(SocketAddr, Running)> {
    let config =
        Config { data_dir: data_dir.to_owned(), store: StoreKind::Sled, ..Config::default() };
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("server".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        runtime.map_err(RunFailure::Threads)?.block_on(async {
            let listener =
                tokio::net::TcpListener::from_std(listener).map_err(RunFailure::Threads)?;
            // Its sender sends nothing: being dropped is the signal.
            let shutdown = async { drop(stopped.await) };
            memoryd::run(config, listener, shutdown).await.map_err(RunFailure::Run)
        })
    })?;
    Ok((address, Running { stop, thread }))
}
