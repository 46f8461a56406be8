//! Damage on disk: reported, and everything else served.

use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::{DeleteSessionRequest, GetEntryRequest, InlineData, Part, SearchRequest};
use tonic::Code;
use tonic_types::StatusExt;

use crate::program::{Program, everything, session};

/// Length of an entry's key: user 24, kind 1, scope 16, entry 16.
const ENTRY_KEY_BYTES: usize = 57;
/// Length of the key of a part of a large entry: as above, revision 8, index 4.
const CHUNK_KEY_BYTES: usize = 69;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_1481_one_damaged_record_is_reported_and_the_rest_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let program = Program::start(&data_dir).await;
    let texts: Vec<String> = (0..20).map(|number| format!("fact {number}")).collect();
    let mut client = program.client().await;
    let added = client.add_session(session("user", "s", &texts)).await.unwrap().into_inner();
    assert!(program.terminate().await.success());

    damage_one(&data_dir.join("sled"), ENTRY_KEY_BYTES);

    let program = Program::start(&data_dir).await;
    let mut client = program.client().await;
    assert_eq!(everything(&mut client, "user").await.len(), texts.len() - 1);
    let mut lost = Vec::new();
    for result in &added.results {
        let request = GetEntryRequest {
            app_name: "app".into(),
            user_id: "user".into(),
            entry_id: result.entry_id.clone(),
            ..GetEntryRequest::default()
        };
        if let Err(status) = client.get_entry(request).await {
            assert_eq!(status.code(), Code::DataLoss, "{status}");
            assert!(status.message().contains(&result.entry_id), "{status}");
            let info = status.get_details_error_info().unwrap();
            assert_eq!(info.reason, "ENTRY_DAMAGED");
            lost.push(result.entry_id.clone());
        }
    }
    assert_eq!(lost.len(), 1);
    // Said again, it is whole again.
    let again = client.add_session(session("user", "s", &texts)).await.unwrap();
    assert_eq!(again.into_inner().results.len(), texts.len());
    assert_eq!(everything(&mut client, "user").await.len(), texts.len());
    assert!(program.terminate().await.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_1481_a_damaged_part_of_a_large_entry_leaves_lists_and_searches_whole() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let program = Program::start(&data_dir).await;
    let mut client = program.client().await;
    let texts: Vec<String> = (0..5).map(|number| format!("fact {number}")).collect();
    let mut request = session("user", "s", &texts);
    let blob = InlineData { data: vec![7; 50_000].into(), ..InlineData::default() };
    let part = Part { kind: Some(Kind::InlineData(blob)), extra_json: None };
    request.entries[2].content.as_mut().unwrap().parts.push(part);
    client.add_session(request).await.unwrap();
    assert!(program.terminate().await.success());

    damage_one(&data_dir.join("sled"), CHUNK_KEY_BYTES);

    let program = Program::start(&data_dir).await;
    let mut client = program.client().await;
    assert_eq!(everything(&mut client, "user").await.len(), texts.len() - 1);
    let search = SearchRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        query: "fact".into(),
        ..SearchRequest::default()
    };
    let mut hits = client.search(search).await.unwrap().into_inner();
    let mut found = 0;
    while hits.message().await.unwrap().is_some() {
        found += 1;
    }
    assert_eq!(found, texts.len() - 1);
    // It can still be deleted.
    let delete = DeleteSessionRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        session_id: "s".into(),
        ..DeleteSessionRequest::default()
    };
    let deleted = client.delete_session(delete).await.unwrap().into_inner().deleted_count;
    assert_eq!(deleted, texts.len() as u64);
    assert!(program.terminate().await.success());
}

/// Flips a bit in the middle of one stored value, past sled and its checksums.
fn damage_one(folder: &std::path::Path, key_bytes: usize) {
    let database = sled::open(folder).unwrap();
    let row = database.iter().map(Result::unwrap).find(|(key, _)| key.len() == key_bytes);
    let (key, value) = row.expect("there is an entry");
    let mut damaged = value.to_vec();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    database.insert(key, damaged).unwrap();
    database.flush().unwrap();
}
