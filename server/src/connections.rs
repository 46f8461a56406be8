//! Accepting connections and serving HTTP/2 on them.
//!
//! tonic's own loop retries a failed accept without a pause, ignores the no-delay setting of a given
//! listener, and can't end a drain that an open stream holds up; so this one is ours.

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tonic::body::Body;
use tower::{Service, ServiceExt};

use crate::grpc::layers::{HttpRequest, HttpResponse, InFlight};

/// First and longest pause after an accept that failed, for example because no descriptors are left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);
const MAX_ACCEPT_PAUSE: Duration = Duration::from_secs(1);
/// How much of one stream, and of a connection, a client may send ahead: a large message shouldn't wait
/// for a round trip every 64 KiB.
const STREAM_WINDOW_BYTES: u32 = 1024 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 4 * 1024 * 1024;
/// Calls of one connection at a time.
const MAX_STREAMS: u32 = 1_024;
/// A connection that is silent for this long is asked whether it is there.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(60);
/// And dropped when it doesn't answer for this long.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// What a connection may hold of a response that its client doesn't take.
const SEND_BUFFER_BYTES: usize = 256 * 1024;

/// The connections of a server.
pub(crate) struct Connections<S> {
    /// What answers the calls.
    service: S,
    /// Lets every connection end after the calls it has.
    graceful: GracefulShutdown,
    /// The connections' tasks; dropping them closes the connections.
    tasks: JoinSet<()>,
}

impl<S> Connections<S>
where
    S: Service<HttpRequest, Response = HttpResponse, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send + 'static,
{
    pub(crate) fn new(service: S) -> Self {
        Self { service, graceful: GracefulShutdown::new(), tasks: JoinSet::new() }
    }

    /// Accepts connections until `stop` is done.
    pub(crate) async fn accept_until(&mut self, listener: &TcpListener, stop: impl Future) {
        let mut stop = std::pin::pin!(stop);
        let mut pause = ACCEPT_PAUSE;
        loop {
            tokio::select! {
                biased;
                _ = &mut stop => return,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        pause = ACCEPT_PAUSE;
                        self.serve(stream);
                    }
                    Err(error) => {
                        tracing::warn!(%error, "a connection could not be accepted");
                        tokio::time::sleep(pause).await;
                        pause = (pause * 2).min(MAX_ACCEPT_PAUSE);
                    }
                },
                // Ended connections are collected as they end.
                Some(_) = self.tasks.join_next(), if !self.tasks.is_empty() => {}
            }
        }
    }

    /// Lets the connections end: no new calls, those under way until none is in flight, and no longer than
    /// `limit`. Answers whether every call came to its end.
    pub(crate) async fn drain(mut self, in_flight: &InFlight, limit: Duration) -> bool {
        let closing = async {
            tokio::join!(self.graceful.shutdown(), async {
                while self.tasks.join_next().await.is_some() {}
            });
        };
        let calls_done = async {
            loop {
                in_flight.idle().await;
                // The last bytes of the last answers are still to be written.
                tokio::time::sleep(LAST_BYTES).await;
                if in_flight.count() == 0 {
                    break;
                }
            }
        };
        let all_ended = tokio::select! {
            () = closing => true,
            // Connections that stay open without a call, and open-ended streams, aren't waited for.
            () = calls_done => true,
            () = tokio::time::sleep(limit) => false,
        };
        // When this returns, no connection is left that holds on to what answers the calls.
        self.tasks.shutdown().await;
        all_ended
    }

    fn serve(&mut self, stream: TcpStream) {
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection can't be set to no-delay");
        }
        let service = self.service.clone();
        let service = tower::service_fn(move |request: http::Request<Incoming>| {
            service.clone().oneshot(request.map(Body::new))
        });
        let connection = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .initial_stream_window_size(STREAM_WINDOW_BYTES)
            .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
            .max_concurrent_streams(MAX_STREAMS)
            .max_send_buf_size(SEND_BUFFER_BYTES)
            .keep_alive_interval(KEEPALIVE_INTERVAL)
            .keep_alive_timeout(KEEPALIVE_TIMEOUT)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
        let connection = self.graceful.watch(connection);
        self.tasks.spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended early");
            }
        });
    }
}

/// What the last answers get for leaving the machine once no call is under way.
const LAST_BYTES: Duration = Duration::from_millis(50);
