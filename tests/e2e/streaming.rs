//! Hits are read as they are taken (contract, section 5).

use memoryd::StoreKind;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use tonic::Code;

use crate::harness::{RawAnswer, RawConnection, TestServer, query, said, session};

const ENTRIES: usize = 16;
const BLOB_BYTES: usize = 256 * 1024;

/// The first hit arrives while the later ones are still to be read: what is deleted by then never comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grpc_rust_378_the_first_hit_arrives_before_later_ones_are_read() {
    for store in [StoreKind::Sled, StoreKind::Memory] {
        let server = TestServer::start(store).await;
        let calls = server.calls().await;
        for number in 0..ENTRIES {
            let blob = InlineData { data: vec![1; BLOB_BYTES].into(), ..InlineData::default() };
            let mut entry = said(&format!("apple {number:02}"));
            let parts = &mut entry.content.as_mut().unwrap().parts;
            parts.push(Part { kind: Some(Kind::InlineData(blob)), extra_json: None });
            calls.add_session(session("s", vec![entry])).await.unwrap();
        }

        let connection = RawConnection::open(&server).await;
        let (headers, first, mut body) = connection.first_of_search(&query("apple")).await;
        assert!(!first.is_empty());
        assert_eq!(calls.delete_session("app", "user", None, "s").await.unwrap(), ENTRIES as u64);
        body.flow_control().release_capacity(first.len()).unwrap();

        // Only what had been read for this stream before the delete, which buffers bound, still comes.
        let answer = RawAnswer::rest(headers, body).await;
        assert_eq!(answer.status().code(), Code::Ok);
        let received = first.len() + answer.bytes;
        assert!(received < 2 * 1024 * 1024, "{received} bytes came of {}", ENTRIES * BLOB_BYTES);
        assert!(received > BLOB_BYTES, "the first hit came whole");
    }
}
