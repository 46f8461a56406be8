//! Forgetting, as somebody sees it who gets hold of the disk.

use std::path::Path;

use memoryd_proto::v1::DeleteUserRequest;

use crate::program::{Program, everything, session};

/// Words that stand nowhere else.
const SECRETS: [&str; 5] =
    ["zanzibarite", "quokkaphone", "xylobarn", "user-oleander", "session-mimosa"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_vault_109_no_file_holds_text_ids_or_names_before_or_after_an_erasure() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let program = Program::start(&data_dir).await;
    let mut client = program.client().await;
    let texts = secret_texts();
    client.add_session(session("user-oleander", "session-mimosa", &texts)).await.unwrap();
    client.add_session(session("somebody else", "s", &["stays".to_owned()])).await.unwrap();
    assert_nowhere(&data_dir);
    let erase = DeleteUserRequest { app_name: "app".into(), user_id: "user-oleander".into() };
    let erased = client.delete_user(erase).await.unwrap().into_inner();
    assert_eq!(erased.deleted_count, texts.len() as u64);
    assert_nowhere(&data_dir);
    // Killed right after the answer, and started again.
    program.kill().await;
    let program = Program::start(&data_dir).await;
    let mut client = program.client().await;
    assert_eq!(everything(&mut client, "user-oleander").await, []);
    assert_eq!(everything(&mut client, "somebody else").await.len(), 1);
    assert_nowhere(&data_dir);
    assert!(program.terminate().await.success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_vault_109_an_erasure_that_was_killed_is_finished_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    for round in 0..6 {
        let program = Program::start(&data_dir).await;
        let mut client = program.client().await;
        let texts: Vec<String> = (0..3_000).map(|number| format!("fact {number}")).collect();
        for part in texts.chunks(1_000) {
            client.add_session(session("user-oleander", &format!("{round}"), part)).await.unwrap();
        }
        let erase = DeleteUserRequest { app_name: "app".into(), user_id: "user-oleander".into() };
        let erasing = tokio::spawn(async move { client.delete_user(erase).await.is_ok() });
        tokio::time::sleep(std::time::Duration::from_millis(4 * round)).await;
        program.kill().await;
        let answered = erasing.await.unwrap();
        let program = Program::start(&data_dir).await;
        let mut client = program.client().await;
        let left = everything(&mut client, "user-oleander").await.len();
        // Once the key is gone all is gone; before that nothing is.
        assert!(left == 0 || (!answered && left == texts.len()), "{left} left of an erasure");
        let erase = DeleteUserRequest { app_name: "app".into(), user_id: "user-oleander".into() };
        client.delete_user(erase).await.unwrap();
        assert_eq!(everything(&mut client, "user-oleander").await, []);
        assert!(program.terminate().await.success());
    }
}

fn secret_texts() -> Vec<String> {
    (0..200)
        .map(|number| format!("{} {} {} {number}", SECRETS[0], SECRETS[1], SECRETS[2]))
        .collect()
}

fn assert_nowhere(folder: &Path) {
    let mut files = 0;
    for file in files_below(folder) {
        let bytes = std::fs::read(&file).unwrap();
        files += 1;
        for secret in SECRETS {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret:?} is in {}", file.display());
        }
    }
    assert!(files >= 4, "looked at {files} files only");
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for item in std::fs::read_dir(folder).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
