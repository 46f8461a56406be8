//! Compressed messages (contract, section 8; the answer names what is accepted).

use std::time::Duration;

use tonic::Code;

use crate::harness::{RawConnection, TestServer, error_of, framed};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grpcurl_124_identity_works_and_other_encodings_are_refused_with_what_is_accepted() {
    let server = TestServer::start(memoryd::StoreKind::Memory).await;
    let connection = RawConnection::open(&server).await;
    let headers =
        |encoding: &str| RawConnection::headers("GetServerInfo").header("grpc-encoding", encoding);
    // A gzip of 10 MB of zeros would be no more than this; it is refused before it is looked at.
    let bomb = framed(1, &[0x1f; 10_240]);
    for encoding in ["gzip", "zstd", "deflate", "br", "snappy", "GZIP", ""] {
        for body in [framed(0, b""), framed(1, b"\x1f\x8b"), bomb.clone()] {
            let answer = connection.call(headers(encoding), body).await;
            let status = answer.status();
            assert_eq!(error_of(&status).0, Code::Unimplemented, "{encoding:?}: {status:?}");
            assert_eq!(error_of(&status).1, "UNIMPLEMENTED", "{encoding:?}");
            let accepted = answer.headers.get("grpc-accept-encoding").unwrap();
            assert_eq!(accepted, "identity", "{encoding:?}");
        }
        // The connection is as good as before.
        let answer = connection.call(headers("identity"), framed(0, b"")).await;
        assert_eq!((answer.status().code(), answer.messages.len()), (Code::Ok, 1));
    }
    // A client that would take compressed answers gets plain ones.
    let request = RawConnection::headers("GetServerInfo")
        .header("grpc-accept-encoding", "gzip,zstd,identity,unknown");
    let answer = connection.call(request, framed(0, b"")).await;
    assert_eq!((answer.status().code(), answer.messages.len()), (Code::Ok, 1));
    assert!(answer.headers.get("grpc-encoding").is_none_or(|encoding| encoding == "identity"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tikv_pd_8119_a_client_that_asks_every_moment_is_never_sent_away() {
    let server = TestServer::start(memoryd::StoreKind::Memory).await;
    let stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
    let (sender, mut connection) = h2::client::handshake(stream).await.unwrap();
    let mut pings = connection.ping_pong().unwrap();
    let driver = tokio::spawn(connection);
    // As a client does that sends a keepalive a second, idle or not, for five minutes.
    for ping in 0..300 {
        let answer = tokio::time::timeout(Duration::from_secs(10), pings.ping(h2::Ping::opaque()));
        assert!(answer.await.unwrap().is_ok(), "ping {ping}");
    }
    let connection = RawConnection { sender };
    assert_eq!(connection.send("GetServerInfo", b"").await.status().code(), Code::Ok);
    assert!(!driver.is_finished(), "the connection is still open");
}
