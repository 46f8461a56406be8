//! Sections 1 and 3: blobs are stored whole or refused with the limit named.

use memoryd::StoreKind;
use memoryd::domain::Limits;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use sha2::{Digest, Sha256};
use tonic::Code;

use crate::harness::parts::{every_kind, inline, of_parts, part, text};
use crate::harness::{Calls, GLOBAL, TestServer, error_of};

const MIB: usize = 1024 * 1024;

/// Bytes that no compression and no repetition makes smaller.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(next).flatten().take(length).collect()
}

/// Adds a blob and asserts that a get gives it back.
async fn assert_stored_whole(calls: &Calls, length: usize) {
    let blob = noise(length);
    let entry = NewEntry {
        entry_id: Some("blob".into()),
        ..of_parts(vec![part(Kind::InlineData(inline(blob.clone())))])
    };
    calls.add_session(GLOBAL.session("s", vec![entry])).await.unwrap();
    let data_of = |entry: Entry| match entry.content.unwrap().parts.remove(0).kind {
        Some(Kind::InlineData(data)) => data,
        other => panic!("{other:?}"),
    };
    let data = data_of(calls.get(GLOBAL.get("blob")).await.unwrap());
    assert!(data.data == blob, "{length} bytes came back otherwise");
    assert_eq!(data.omitted, None);
}

#[tokio::test]
async fn openchamber_3604_blobs_of_every_size_are_stored_whole() {
    // Unoptimised, a MiB takes a tenth of a second: each size on one store.
    for (store, lengths) in [
        (StoreKind::Memory, vec![0, 1]),
        (StoreKind::Sled, vec![1, 4 * MIB - 1, 4 * MIB + 1, 10 * MIB]),
    ] {
        let server = TestServer::start(store).await;
        let calls = server.calls().await;
        for length in lengths {
            assert_stored_whole(&calls, length).await;
        }
    }
}

#[tokio::test]
async fn openchamber_3604_a_blob_over_the_limit_is_refused_with_the_limit_named() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let over = noise(Limits::BLOB_BYTES + 1);
    let mut response = FunctionResponse { response_json: "1".into(), ..Default::default() };
    response.inline_data = vec![inline(vec![1]), inline(over.clone())];
    let contents = Some(embedded_resource::Contents::Blob(over.clone().into()));
    let value = Some(opaque::Value::Data(over.clone().into()));
    for (kind, field) in [
        (Kind::InlineData(inline(over)), "inline_data.data"),
        (Kind::FunctionResponse(response), "function_response.inline_data[1].data"),
        (
            Kind::EmbeddedResource(EmbeddedResource { contents, ..Default::default() }),
            "embedded_resource.blob",
        ),
        (Kind::Opaque(Opaque { kind: "k".into(), value }), "opaque.data"),
    ] {
        let entry = of_parts(vec![text("walrus"), part(kind)]);
        let status = calls.add_session(GLOBAL.session("s", vec![entry])).await.unwrap_err();
        let (code, _, fields) = error_of(&status);
        assert_eq!(code, Code::InvalidArgument);
        assert_eq!(fields, [format!("entries[0].content.parts[1].{field}")]);
        assert!(status.message().contains("10485760"), "{}", status.message());
    }
    assert_eq!(calls.list_all(GLOBAL.listing()).await.unwrap(), []);
    let told = calls.info().await.unwrap().limits.unwrap();
    assert_eq!(told.max_blob_bytes, 10_485_760);
}

#[tokio::test]
async fn s3_omit_blobs_leaves_out_every_blob_and_nothing_else() {
    let server = TestServer::start(StoreKind::Memory).await;
    let calls = server.calls().await;
    let blob = noise(50_000);
    let mut parts = every_kind(Some("set"), "{}", &blob);
    parts.push(text("marsupial"));
    let session =
        GLOBAL.session("s", vec![of_parts(parts.clone()), of_parts(vec![text("beside")])]);
    calls.add_session(session).await.unwrap();

    let omitted = OmittedBlob { size: 50_000, sha256: Sha256::digest(&blob).to_vec().into() };
    let omit = |data: &mut InlineData| {
        data.data.clear();
        data.omitted = Some(omitted.clone());
    };
    for part in &mut parts {
        match part.kind.as_mut().unwrap() {
            Kind::InlineData(data) => omit(data),
            Kind::FunctionResponse(response) => response.inline_data.iter_mut().for_each(omit),
            Kind::EmbeddedResource(resource) => {
                if let Some(embedded_resource::Contents::Blob(_)) = resource.contents {
                    resource.contents = Some(embedded_resource::Contents::Omitted(omitted.clone()));
                }
            }
            Kind::Opaque(opaque) => {
                if let Some(opaque::Value::Data(_)) = opaque.value {
                    opaque.value = Some(opaque::Value::Omitted(omitted.clone()));
                }
            }
            _ => {}
        }
    }
    let list = ListEntriesRequest { omit_blobs: true, ..GLOBAL.listing() };
    let listed = calls.list_all(list).await.unwrap();
    let listed = listed.into_iter().find(|entry| entry.content.as_ref().unwrap().parts.len() > 1);
    let search = SearchRequest { omit_blobs: true, ..GLOBAL.query("marsupial") };
    let found = calls.search(search).await.unwrap().entries().pop();
    let search = SearchRequest { omit_blobs: true, context: 1, ..GLOBAL.query("beside") };
    let hit = calls.search(search).await.unwrap().hits.pop().unwrap();
    let beside = hit.context_before.into_iter().chain(hit.context_after).next();
    for entry in [listed, found, beside] {
        assert_eq!(entry.unwrap().content.unwrap().parts, parts);
    }
}
