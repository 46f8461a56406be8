//! Messages near and over the limits (contract, sections 1 and 8).

use bytes::Bytes;
use memoryd::domain::Limits;
use memoryd::{Config, StoreKind};
use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use prost::Message;
use sha2::{Digest, Sha256};
use tonic::Code;
use tonic_types::StatusExt;

use crate::harness::{METHODS, RawConnection, TestServer, error_of, framed, query, said, session};

async fn limited_server(request_bytes: usize) -> TestServer {
    let limits = Limits { request_bytes };
    TestServer::start_with(Config { limits, store: StoreKind::Memory, ..Config::default() }).await
}

fn expect_too_large(status: &tonic::Status, limit: usize) {
    let (code, reason, fields) = error_of(status);
    assert_eq!((code, reason.as_str()), (Code::ResourceExhausted, "MESSAGE_TOO_LARGE"));
    assert_eq!(fields, Vec::<String>::new());
    let details = status.get_error_details();
    let told = details.error_info().unwrap().metadata.get("limit_bytes").cloned();
    assert_eq!(told, Some(limit.to_string()));
    assert!(status.message().contains(&limit.to_string()), "{status:?}");
    assert!(details.retry_info().is_none(), "the same again would be refused again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buck2_583_a_request_over_the_limit_is_refused_with_the_limit() {
    const LIMIT: usize = 64 * 1024;
    let server = limited_server(LIMIT).await;
    let connection = RawConnection::open(&server).await;
    let padded = |size: usize| {
        let request =
            |padding: usize| session("s", vec![said(&format!("apple {}", "x".repeat(padding)))]);
        let rest = request(size).encoded_len() - size;
        let message = request(size - rest).encode_to_vec();
        assert_eq!(message.len(), size);
        message
    };
    for size in [LIMIT - 1, LIMIT] {
        let status = connection.send("AddSession", &padded(size)).await.status();
        assert_eq!(status.code(), Code::Ok, "{size}: {status:?}");
    }
    for size in [LIMIT + 1, LIMIT * 2, LIMIT * 40] {
        expect_too_large(&connection.send("AddSession", &padded(size)).await.status(), LIMIT);
    }
    // Every method, and on the length alone: the message itself need not come.
    for method in METHODS {
        expect_too_large(&connection.send(method, &vec![0; LIMIT + 1]).await.status(), LIMIT);
        let head = Bytes::from_static(b"\x00\xff\xff\xff\xff");
        let answer = connection.call(RawConnection::headers(method), head).await;
        expect_too_large(&answer.status(), LIMIT);
    }
    let found = server.calls().await.search(query("apple")).await.unwrap();
    assert_eq!(found.hits.len(), 2, "what was refused left nothing");
    let told = server.calls().await.info().await.unwrap().limits.unwrap();
    assert_eq!(told.max_request_bytes, LIMIT as u64);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buck2_583_the_default_limit_is_32_mib() {
    const LIMIT: usize = 32 * 1024 * 1024;
    let server = TestServer::start(StoreKind::Memory).await;
    let connection = RawConnection::open(&server).await;
    let head = |length: usize| {
        let mut head = framed(0, b"").to_vec();
        head[1..].copy_from_slice(&u32::try_from(length).unwrap().to_be_bytes());
        Bytes::from(head)
    };
    let over = connection.call(RawConnection::headers("AddSession"), head(LIMIT + 1)).await;
    expect_too_large(&over.status(), LIMIT);
    // Within the limit, so it is the missing rest that is wrong.
    let within = connection.call(RawConnection::headers("AddSession"), head(LIMIT)).await;
    assert_eq!(error_of(&within.status()).1, "UNDECODABLE_MESSAGE");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rust_client_171_omit_blobs_keeps_a_search_within_a_clients_limit() {
    let server = TestServer::start(StoreKind::Memory).await;
    let blob = Bytes::from(vec![7_u8; 5 * 1024 * 1024]);
    let picture =
        InlineData { mime_type: "image/png".into(), data: blob.clone(), ..InlineData::default() };
    let mut entry = said("my cat on the sofa");
    let parts = &mut entry.content.as_mut().unwrap().parts;
    parts.push(Part { kind: Some(Kind::InlineData(picture)), extra_json: None });
    server.calls().await.add_session(session("s", vec![entry])).await.unwrap();

    // A client with the usual limit of 4 MiB.
    let mut client = MemoryServiceClient::new(server.channel().await);
    let mut whole = client.search(query("cat")).await.unwrap().into_inner();
    assert_eq!(whole.message().await.unwrap_err().code(), Code::OutOfRange);
    let request = SearchRequest { omit_blobs: true, ..query("cat") };
    let mut lean = client.search(request).await.unwrap().into_inner();
    let hit = lean.message().await.unwrap().unwrap().hit.unwrap();
    let parts = hit.entry.unwrap().content.unwrap().parts;
    let Some(Kind::InlineData(InlineData { data, omitted: Some(omitted), .. })) = &parts[1].kind
    else {
        panic!("the picture is left out: {:?}", parts[1]);
    };
    assert_eq!((data.len(), omitted.size), (0, blob.len() as u64));
    assert_eq!(omitted.sha256[..], Sha256::digest(&blob)[..]);
    assert!(lean.message().await.unwrap().is_none());
    // And one without it gets all.
    let all = server.calls().await.search(query("cat")).await.unwrap();
    let parts = all.entries()[0].content.clone().unwrap().parts;
    assert!(matches!(&parts[1].kind, Some(Kind::InlineData(data)) if data.data == blob));
}
