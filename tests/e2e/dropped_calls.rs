//! Clients that go away: nothing of their calls stays behind.

use std::time::Duration;

use memoryd::{Config, StoreKind};
use memoryd_proto::v1::*;
use prost::Message;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::{RawConnection, TestServer, framed, query, said, session};

/// A server that would wait for calls for longer than any test takes: that it stops at once shows that
/// it counts none.
async fn patient_server() -> TestServer {
    let drain_timeout = Duration::from_secs(600);
    let config = Config { store: StoreKind::Memory, drain_timeout, ..Config::default() };
    TestServer::start_with(config).await
}

async fn expect_nothing_in_flight(mut server: TestServer) {
    let calls = server.calls().await;
    assert!(calls.info().await.is_ok(), "the server is healthy");
    // A connection that can't end by itself, so that the count alone decides.
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert!(watch.message().await.unwrap().is_some());
    let stopped = tokio::time::timeout(Duration::from_secs(20), server.stop()).await;
    assert!(stopped.is_ok(), "calls are left");
}

/// About a megabyte of hits: more than the buffers between server and client hold.
async fn fill(server: &TestServer) {
    let padding = ".".repeat(3_500);
    let entries = (0..300).map(|number| said(&format!("apple {number} {padding}"))).collect();
    server.calls().await.add_session(session("s", entries)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quickwit_367_a_hundred_streams_dropped_after_one_hit_leave_nothing() {
    let server = patient_server().await;
    fill(&server).await;
    let connection = RawConnection::open(&server).await;
    for _ in 0..100 {
        let (_, first, _dropped) = connection.first_of_search(&query("apple")).await;
        assert!(!first.is_empty());
    }
    expect_nothing_in_flight(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn qdrant_6018_a_hundred_connections_dropped_in_a_stream_leave_nothing() {
    let server = patient_server().await;
    fill(&server).await;
    for _ in 0..100 {
        let connection = RawConnection::open(&server).await;
        let (_, first, _dropped) = connection.first_of_search(&query("apple")).await;
        assert!(!first.is_empty());
    }
    expect_nothing_in_flight(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn qdrant_9663_headers_then_reset_a_thousand_times() {
    let server = patient_server().await;
    let mut connection = RawConnection::open(&server).await;
    let mut opened = 1;
    for number in 0..1_000 {
        let request = || RawConnection::headers("AddSession").body(()).unwrap();
        // h2 sends a client away that resets calls faster than the server can begin them.
        let mut sender = match connection.sender.clone().ready().await {
            Ok(sender) => sender,
            Err(_) => {
                connection = RawConnection::open(&server).await;
                opened += 1;
                connection.sender.clone().ready().await.unwrap()
            }
        };
        let Ok((_, mut stream)) = sender.send_request(request(), false) else { continue };
        if number % 2 == 0 {
            // Some of it is on its way already.
            let _ = stream.send_data(framed(0, b"half")[..3].to_vec().into(), false);
        }
        stream.send_reset(h2::Reason::CANCEL);
        if number % 10 == 0 {
            tokio::task::yield_now().await;
        }
    }
    assert!(opened < 100, "opened {opened} connections");
    let calls = server.calls().await;
    calls.add_session(session("s", vec![said("still here")])).await.unwrap();
    assert_eq!(calls.search(query("here")).await.unwrap().texts(), ["still here"]);
    expect_nothing_in_flight(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn qdrant_1907_two_thousand_cancelled_calls_do_not_disturb_another_connection() {
    let server = patient_server().await;
    fill(&server).await;
    let address = server.calls().await;
    let noisy = RawConnection::open(&server).await;
    let search = framed(0, &query("apple").encode_to_vec());
    let cancelling = tokio::spawn(async move {
        let mut answered = 0;
        for number in 0..2_000 {
            let headers = RawConnection::headers("Search");
            let response = noisy.begin(headers, search.clone()).await.unwrap();
            if number % 4 == 0 {
                // These are dropped once they have begun to answer, the others at once.
                let response = response.await.unwrap();
                answered += usize::from(response.status() == 200);
            } else {
                drop(response);
                tokio::task::yield_now().await;
            }
        }
        let last = noisy.send("GetServerInfo", b"").await.status().code();
        (answered, last)
    });
    let mut undisturbed = 0;
    while !cancelling.is_finished() || undisturbed < 20 {
        let request = SearchRequest { limit: Some(1), ..query("apple") };
        assert_eq!(address.search(request).await.unwrap().hits.len(), 1);
        undisturbed += 1;
    }
    assert_eq!(cancelling.await.unwrap(), (500, Code::Ok), "the noisy one itself goes on");
    expect_nothing_in_flight(server).await;
}
