//! What the server tells about itself, and health (contract, section 11).

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use prost::Message;
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::harness::{RawConnection, TestServer, query, said, session};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_server_info_gives_version_limits_features_embedder_and_analyzer() {
    for (store, name) in [(StoreKind::Sled, "sled"), (StoreKind::Memory, "memory")] {
        let server = TestServer::start(store).await;
        let info = server.calls().await.info().await.unwrap();
        let GetServerInfoResponse {
            version,
            limits,
            features,
            store,
            analyzer,
            embedder,
            pending_vectors,
        } = info;
        assert_eq!(pending_vectors, 0);
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
        assert_eq!(store, name);
        let expected = Limits {
            max_request_bytes: 32 * 1024 * 1024,
            max_blob_bytes: 10 * 1024 * 1024,
            max_id_bytes: 512,
            max_project_id_chars: 256,
            max_author_bytes: 256,
            max_metadata_bytes: 64 * 1024,
            max_page_size: 1_000,
            max_context: 5,
            max_query_bytes: 1 << 20,
            max_deletion_query_bytes: 16 << 10,
            max_entries: 10_000,
            max_parts: 1_000,
            max_entry_ids: 100_000,
            max_filter_values: 1_000,
        };
        assert_eq!(limits, Some(expected));
        for feature in ["search.lexical", "search.context", "search.explain", "delete.dry_run"] {
            assert!(features.iter().any(|known| known == feature), "{feature} in {features:?}");
        }
        let semantic = features.iter().any(|known| known == "search.semantic");
        assert_eq!(semantic, embedder != "none", "{features:?} with {embedder}");
        assert!(!embedder.is_empty() && !analyzer.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_the_limits_told_are_the_limits_in_force() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let limits = calls.info().await.unwrap().limits.unwrap();
    let of = |length: u32| "é".repeat(length as usize);
    let ascii = |length: u32| "i".repeat(length as usize);
    for (over, code) in [(0, Code::Ok), (1, Code::InvalidArgument)] {
        let request = SearchRequest { user_id: ascii(limits.max_id_bytes + over), ..query("x") };
        assert_eq!(code_of(calls.search(request).await), code, "max_id_bytes");
        let project_id = Some(of(limits.max_project_id_chars + over));
        let request = SearchRequest { project_id, ..query("x") };
        assert_eq!(code_of(calls.search(request).await), code, "max_project_id_chars");
        let request = SearchRequest { context: limits.max_context + over, ..query("x") };
        assert_eq!(code_of(calls.search(request).await), code, "max_context");
        let page_size = limits.max_page_size + over;
        let request = ListEntriesRequest { page_size, ..crate::harness::listing() };
        assert_eq!(code_of(calls.list(request).await), code, "max_page_size");
        let author = ascii(limits.max_author_bytes + over);
        let request = session("s", vec![NewEntry { author, ..said("x") }]);
        assert_eq!(code_of(calls.add_session(request).await), code, "max_author_bytes");
        let padding = ascii(limits.max_metadata_bytes + over - 8);
        let metadata_json = Some(format!("{{\"k\":\"{padding}\"}}"));
        let request = session("s", vec![NewEntry { metadata_json, ..said("x") }]);
        assert_eq!(code_of(calls.add_session(request).await), code, "max_metadata_bytes");
    }
}

fn code_of<T>(answer: Result<T, tonic::Status>) -> Code {
    answer.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_health_is_served_for_the_whole_and_for_the_service() {
    let server = TestServer::start(StoreKind::Memory).await;
    let mut health = HealthClient::new(server.channel().await);
    let request = |service: &str| HealthCheckRequest { service: service.into() };
    for service in ["", "memoryd.v1.MemoryService"] {
        let answer = health.check(request(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service:?}");
        let mut watch = health.watch(request(service)).await.unwrap().into_inner();
        let first = watch.message().await.unwrap().unwrap();
        assert_eq!(first.status(), ServingStatus::Serving, "{service:?}");
    }
    let unknown = health.check(request("memoryd.v1")).await.unwrap_err();
    assert_eq!(unknown.code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s11_server_info_needs_no_more_than_an_empty_message() {
    let server = TestServer::start(StoreKind::Memory).await;
    let connection = RawConnection::open(&server).await;
    // A later client's fields are no mistake.
    for message in [&b""[..], b"\x0a\x03abc\x10\x01", b"\xfa\x7f\x00"] {
        let answer = connection.send("GetServerInfo", message).await;
        assert_eq!(answer.status().code(), Code::Ok, "{message:?}");
        let info = GetServerInfoResponse::decode(answer.messages[0].clone()).unwrap();
        assert_eq!(info.store, "memory");
    }
}
