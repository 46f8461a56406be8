//! Whether a server was ever heard on a connection.
//!
//! A connection that the other side's kernel accepted says nothing about the server: it may hang, or what answers may
//! be a proxy or a firewall that swallows all. A server that is there sends its HTTP/2 settings unasked.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tonic::codegen::{BoxFuture, Service};
use tonic::transport::Uri;

/// Whether the server was heard on the present connection of a channel; cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard(Arc<AtomicBool>);

impl Heard {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, heard: bool) {
        self.0.store(heard, Ordering::Relaxed);
    }
}

/// Opens the connections of one channel, one after another, and keeps its [`Heard`].
#[derive(Debug, Clone)]
pub(crate) struct ListeningConnector {
    http: HttpConnector,
    heard: Heard,
}

impl ListeningConnector {
    /// A connector that gives up after `connect_timeout`, which the addresses of a name share.
    pub(crate) fn new(connect_timeout: Duration, heard: Heard) -> Self {
        let mut http = HttpConnector::new();
        http.set_nodelay(true);
        http.set_connect_timeout(Some(connect_timeout));
        Self { http, heard }
    }
}

impl Service<Uri> for ListeningConnector {
    type Response = TokioIo<Listening<TcpStream>>;
    type Error = <HttpConnector as Service<Uri>>::Error;
    type Future = BoxFuture<Self::Response, Self::Error>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Service::<Uri>::poll_ready(&mut self.http, context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let heard = self.heard.clone();
        heard.set(false);
        let connecting = self.http.call(uri);
        Box::pin(async move {
            let io = connecting.await?.into_inner();
            Ok(TokioIo::new(Listening { io, heard }))
        })
    }
}

/// A connection that notes the first byte from the other side.
#[derive(Debug)]
pub(crate) struct Listening<T> {
    io: T,
    heard: Heard,
}

impl<T: AsyncRead + Unpin> AsyncRead for Listening<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled_before = buffer.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, buffer))?;
        if buffer.filled().len() > filled_before {
            self.heard.set(true);
        }
        Poll::Ready(Ok(()))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Listening<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}
