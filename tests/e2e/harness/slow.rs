//! Calls that take their time, and lines that are cut: headers first, the message when the test says so.

use bytes::Bytes;
use h2::SendStream;
use h2::client::ResponseFuture;
use tokio::net::TcpStream;
use tokio::task::AbortHandle;

use super::{RawAnswer, RawConnection, TestServer, framed};

/// A call whose headers the server has, and for whose message it waits.
pub(crate) struct SlowCall {
    body: SendStream<Bytes>,
    response: ResponseFuture,
}

impl SlowCall {
    /// Begins a call of the service and returns once the server has taken it up.
    pub(crate) async fn begin(connection: &RawConnection, method: &str) -> Self {
        let request = RawConnection::headers(method).body(()).unwrap();
        let mut sender = connection.sender.clone().ready().await.unwrap();
        let (response, body) = sender.send_request(request, false).unwrap();
        // Calls of one connection are taken up in order: when a later one is answered, this one was.
        connection.send("GetServerInfo", &[]).await;
        Self { body, response }
    }

    /// Sends bytes of the body as they are.
    pub(crate) fn send(&mut self, bytes: Bytes, end: bool) {
        self.body.send_data(bytes, end).unwrap();
    }

    /// Sends the message and waits for the whole answer.
    pub(crate) async fn finish(mut self, message: &[u8]) -> RawAnswer {
        self.send(framed(0, message), true);
        RawAnswer::of(self.response).await
    }

    /// Waits for the headers of the answer.
    pub(crate) async fn headers(self) {
        drop(self.response.await.unwrap());
    }
}

/// A connection that ends when the handle aborts it, as when the client's machine dies.
pub(crate) async fn open_to_cut(server: &TestServer) -> (RawConnection, AbortHandle) {
    let socket = TcpStream::connect(server.address()).await.unwrap();
    socket.set_nodelay(true).unwrap();
    let (sender, connection) = h2::client::handshake(socket).await.unwrap();
    let driver = tokio::spawn(async move { drop(connection.await) });
    (RawConnection { sender }, driver.abort_handle())
}
