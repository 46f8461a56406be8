//! The command line.

use crate::program::{Program, command};

#[tokio::test]
async fn every_mistake_is_reported_at_once_with_exit_code_64() {
    let output = command()
        .args(["--listen", "nowhere", "--store", "cloud", "--memory-mib", "0"])
        .args(["--durability", "never", "--log", "a=b=c"])
        .args(["--embedder", "openai:http://localhost", "--embed", "never"])
        .output()
        .await
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(64), "{told}");
    for option in [
        "--listen",
        "--store",
        "--memory-mib",
        "--durability",
        "--log",
        "--embed ",
        "--embedder-model",
    ] {
        assert!(told.contains(option), "{option} is not in: {told}");
    }
}

#[tokio::test]
async fn an_unknown_option_is_a_mistake_as_well() {
    let output = command().arg("--lisen").output().await.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(64), "{told}");
    assert!(told.contains("--listen"), "the likely option is named: {told}");
}

#[tokio::test]
async fn help_teaches_and_names_every_option() {
    let output = command().arg("--help").output().await.unwrap();
    assert!(output.status.success());
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("Long-term memory for agents"), "{told}");
    for word in [
        "--listen",
        "--data-dir",
        "--store",
        "--embedder",
        "--log",
        "127.0.0.1:50051",
        "MEMORYD_LISTEN",
    ] {
        assert!(told.contains(word), "{word} is not in: {told}");
    }
}

#[tokio::test]
async fn servers_4797_a_second_process_on_the_directory_is_refused_with_a_clear_message() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let first = Program::start(&data_dir).await;
    drop(first.client().await);
    let second = command()
        .args(["--listen", "127.0.0.1:0", "--data-dir"])
        .arg(&data_dir)
        .output()
        .await
        .unwrap();
    let told = String::from_utf8(second.stderr).unwrap();
    assert_eq!(second.status.code(), Some(1), "{told}");
    assert!(told.contains("in use"), "{told}");
    assert!(told.contains(data_dir.to_str().unwrap()), "{told}");
    assert!(first.terminate().await.success());
}

#[tokio::test]
async fn a_directory_of_an_unknown_format_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let first = Program::start(&data_dir).await;
    drop(first.client().await);
    assert!(first.terminate().await.success());
    let format_file = data_dir.join("format");
    let known = std::fs::read_to_string(&format_file).unwrap();
    let unknown = known.replace('1', "9999");
    assert_ne!(known, unknown);
    std::fs::write(&format_file, &unknown).unwrap();
    let output = command()
        .args(["--listen", "127.0.0.1:0", "--data-dir"])
        .arg(&data_dir)
        .output()
        .await
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("9999"), "{told}");
    assert_eq!(std::fs::read_to_string(&format_file).unwrap(), unknown);
}

#[tokio::test]
async fn a_port_that_is_taken_is_told_before_anything_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let data_dir = folder.path().join("data");
    let output = command().args(["--listen", &address, "--data-dir"]).arg(&data_dir).output().await;
    let output = output.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(&address), "{told}");
    assert!(!data_dir.exists());
}

#[tokio::test]
async fn a_data_directory_without_a_parent_is_refused_and_tells_which() {
    let folder = tempfile::tempdir().unwrap();
    let parent = folder.path().join("missing");
    let output = command()
        .args(["--listen", "localhost:0", "--data-dir"])
        .arg(parent.join("data"))
        .output()
        .await
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(parent.to_str().unwrap()) && told.contains("doesn't exist"), "{told}");
    assert!(!parent.exists());
}
