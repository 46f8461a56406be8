//! Stopping: watchers of the health service are told first, calls under way come to their end.

use std::time::{Duration, Instant};

use memoryd::{Config, StoreKind};
use memoryd_proto::v1::*;
use tokio::net::TcpStream;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::{TestServer, query, said, session};

const LONG: Duration = Duration::from_secs(600);
const SOON: Duration = Duration::from_secs(20);

async fn server() -> TestServer {
    let config = Config { store: StoreKind::Memory, drain_timeout: LONG, ..Config::default() };
    let server = TestServer::start_with(config).await;
    let padding = ".".repeat(3_500);
    let entries = (0..300).map(|number| said(&format!("apple {number} {padding}"))).collect();
    server.calls().await.add_session(session("s", entries)).await.unwrap();
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spicedb_3295_watchers_see_not_serving_before_the_listener_closes() {
    for service in ["", "memoryd.v1.MemoryService"] {
        let mut server = server().await;
        let address = server.address();
        let mut health = HealthClient::new(server.channel().await);
        let request = HealthCheckRequest { service: service.into() };
        let mut watch = health.watch(request).await.unwrap().into_inner();
        let first = watch.message().await.unwrap().unwrap();
        assert_eq!(first.status(), ServingStatus::Serving);

        let stopped = server.begin_to_stop();
        let told = loop {
            tokio::select! {
                biased;
                told = watch.message() => break told.unwrap().unwrap(),
                connected = TcpStream::connect(address) => {
                    assert!(connected.is_ok(), "refused before {service:?} was told");
                }
            }
        };
        assert_eq!(told.status(), ServingStatus::NotServing);
        // The open watch holds nothing up.
        tokio::time::timeout(SOON, stopped).await.unwrap().unwrap().unwrap();
        assert!(TcpStream::connect(address).await.is_err(), "the listener is closed");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spicedb_3295_calls_under_way_come_to_their_end() {
    let mut server = server().await;
    let calls = server.calls().await;
    let mut stream = calls.raw.clone().search(query("apple")).await.unwrap().into_inner();
    assert!(stream.message().await.unwrap().is_some());

    let address = server.address();
    let stopped = server.begin_to_stop();
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!stopped.is_finished(), "the server waits for the call");
    let mut hits = 1;
    while stream.message().await.unwrap().is_some() {
        hits += 1;
    }
    assert_eq!(hits, 300, "every hit came");
    assert!(stream.trailers().await.unwrap().is_some(), "and the trailers");
    drop((stream, calls));
    tokio::time::timeout(SOON, stopped).await.unwrap().unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hyper_4170_clients_that_never_spoke_hold_nothing_up() {
    let mut server = server().await;
    let silent = TcpStream::connect(server.address()).await.unwrap();
    let idle = server.calls().await;
    idle.info().await.unwrap();
    tokio::time::timeout(SOON, server.stop()).await.unwrap();
    drop((silent, idle));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_a_drain_ends_calls_that_outlast_its_limit() {
    let drain_timeout = Duration::from_millis(200);
    let config = Config { store: StoreKind::Memory, drain_timeout, ..Config::default() };
    let mut server = TestServer::start_with(config).await;
    let padding = ".".repeat(3_500);
    let entries = (0..300).map(|number| said(&format!("apple {number} {padding}"))).collect();
    server.calls().await.add_session(session("s", entries)).await.unwrap();
    let calls = server.calls().await;
    let request: SearchRequest = query("apple");
    let mut stream = calls.raw.clone().search(request).await.unwrap().into_inner();
    assert!(stream.message().await.unwrap().is_some());
    let began = Instant::now();
    tokio::time::timeout(SOON, server.stop()).await.unwrap();
    assert!(began.elapsed() >= drain_timeout);
    // What is missing is an error, not an end.
    let rest = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(status) => break Some(status),
        }
    };
    assert!(rest.is_some(), "a stream that was cut off must not look whole");
}
