//! The command line of memoryd: arguments, listener, signals.

mod cli;

use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use memoryd::Server;
use tokio::net::TcpListener;

/// Exit code of a mistake in the configuration (`EX_USAGE` of sysexits).
const EX_USAGE: u8 = 64;
/// Exit code of a second signal during the drain.
const EX_INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    let settings = match cli::read() {
        Ok(settings) => settings,
        Err(cli::Stop::Answered) => return ExitCode::SUCCESS,
        Err(cli::Stop::Mistakes(mistakes)) => {
            for mistake in mistakes {
                eprintln!("error: {mistake}");
            }
            eprintln!("\nFor what there is to set, try 'memoryd --help'.");
            return ExitCode::from(EX_USAGE);
        }
    };
    tracing_subscriber::fmt()
        .with_env_filter(settings.log.clone())
        .with_writer(std::io::stderr)
        .with_ansi(std::io::IsTerminal::is_terminal(&std::io::stderr()))
        .init();
    match serve(settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Signals within this time of the first count as one.
const SAME_SIGNAL: Duration = Duration::from_millis(500);

/// How long threads that are still at work hold up the end of the process.
const SHUTDOWN_PATIENCE: Duration = Duration::from_secs(1);

fn serve(settings: cli::Settings) -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let shutdown = signals()?;
        // A port that is taken is found before anything is created; but until the store is open,
        // connections are refused, which clients take for what it is.
        drop(bind(settings.listen).await?);
        let server = Server::open(settings.config.clone()).await?;
        let listener = bind(settings.listen).await?;
        announce(&settings, listener.local_addr()?);
        server.serve(listener, shutdown).await?;
        Ok(())
    });
    // What still waits, for an endpoint that hangs for example, has had its time.
    runtime.shutdown_timeout(SHUTDOWN_PATIENCE);
    ended
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| format!("can't listen on {address}: {error}"))
}

/// Tells people, and programs that chose port 0, where the server is. Nobody has to listen.
fn announce(settings: &cli::Settings, address: SocketAddr) {
    let mut told = format!("memoryd {} listens on {address}\n", env!("CARGO_PKG_VERSION"));
    match settings.config.store {
        memoryd::StoreKind::Sled => {
            told.push_str(&format!("data: {}\n", settings.config.data_dir.display()));
        }
        memoryd::StoreKind::Memory => told.push_str("data: in memory, gone when it stops\n"),
    }
    if settings.config.durability == memoryd::Durability::Relaxed {
        told.push_str("durability: relaxed, a power cut may lose the last half second\n");
    }
    let mut output = std::io::stdout().lock();
    // A closed pipe is no reason not to serve.
    drop(output.write_all(told.as_bytes()).and_then(|()| output.flush()));
}

/// Done at the first SIGINT or SIGTERM; the second one ends the process at once.
fn signals() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?
    };
    let mut next = async move || {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        drop(tokio::signal::ctrl_c().await);
    };
    Ok(async move {
        next().await;
        let first = Instant::now();
        tokio::spawn(async move {
            next().await;
            // One that comes at once is the same: timeout(1), for one, tells the process and its group.
            while first.elapsed() < SAME_SIGNAL {
                next().await;
            }
            tracing::warn!("stopped at once by a second signal, calls under way are cut off");
            std::process::exit(EX_INTERRUPTED);
        });
    })
}
