//! A disk without room.

use memoryd_proto::v1::{DeleteUserRequest, SearchRequest};
use tonic::Code;
use tonic_types::StatusExt;

use crate::program::{Program, session};

/// More than any disk has free, in MiB.
const ALL_OF_IT: &str = "1073741824";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s8_a_full_disk_refuses_additions_as_a_quota_and_still_deletes() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let texts = ["before the disk was full".to_owned()];
    let program = Program::start(&data_dir).await;
    program.client().await.add_session(session("user", "s", &texts)).await.unwrap();
    assert!(program.terminate().await.success());

    let program = Program::start_with(&data_dir, &["--least-free-mib", ALL_OF_IT]).await;
    let mut client = program.client().await;
    let refused = client.add_session(session("user", "s2", &texts)).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    let details = refused.get_error_details();
    assert_eq!(details.error_info().unwrap().reason, "DISK_FULL");
    assert_eq!(details.quota_failure().unwrap().violations.len(), 1);
    assert!(details.retry_info().is_none());

    let search = SearchRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        query: "disk".into(),
        ..SearchRequest::default()
    };
    let mut hits = client.search(search).await.unwrap().into_inner();
    assert!(hits.message().await.unwrap().is_some());
    let erase = DeleteUserRequest { app_name: "app".into(), user_id: "user".into() };
    assert_eq!(client.delete_user(erase).await.unwrap().into_inner().deleted_count, 1);
    assert!(program.terminate().await.success());
}
