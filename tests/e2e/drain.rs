//! Stopping: watchers of the health service are told first, calls under way come to their end.

use std::time::{Duration, Instant};

use memoryd::{Config, StoreKind};
use tokio::net::TcpStream;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::{RawAnswer, RawConnection, TestServer, query, said, session};

const LONG: Duration = Duration::from_secs(600);
const SOON: Duration = Duration::from_secs(20);

async fn server() -> TestServer {
    server_with(LONG).await
}

async fn server_with(drain_timeout: Duration) -> TestServer {
    let config = Config { store: StoreKind::Memory, drain_timeout, ..Config::default() };
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
    let connection = RawConnection::open(&server).await;
    let (headers, first, mut body) = connection.first_of_search(&query("apple")).await;

    let address = server.address();
    let stopped = server.begin_to_stop();
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Longer than a drain takes that waits for nothing.
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!stopped.is_finished(), "the server waits for the call");
    body.flow_control().release_capacity(first.len()).unwrap();
    let answer = RawAnswer::rest(headers, body).await;
    assert_eq!(answer.status().code(), Code::Ok);
    assert!(answer.bytes + first.len() > 300 * 3_500, "every hit came");
    assert!(answer.status_header(memoryd_proto::trailers::MATCHED).is_some(), "and the trailers");
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
async fn s8_a_drain_cuts_off_calls_that_outlast_its_limit() {
    let drain_timeout = Duration::from_millis(400);
    let mut server = server_with(drain_timeout).await;
    let connection = RawConnection::open(&server).await;
    let (_, first, mut body) = connection.first_of_search(&query("apple")).await;
    let began = Instant::now();
    tokio::time::timeout(SOON, server.stop()).await.unwrap();
    assert!(began.elapsed() >= drain_timeout);
    // What is missing is an error, not an end.
    body.flow_control().release_capacity(first.len()).unwrap();
    let rest = loop {
        match body.data().await {
            Some(Ok(data)) => body.flow_control().release_capacity(data.len()).unwrap(),
            Some(Err(error)) => break Err(error),
            None => break body.trailers().await,
        }
    };
    assert!(!matches!(rest, Ok(Some(_))), "a stream that was cut off must not look whole");
}
