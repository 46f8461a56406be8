//! The README says what happens.

use std::path::Path;

use crate::program::Program;

const README: &str = include_str!("../../../README.md");
/// Where the README's server listens.
const README_ADDRESS: &str = "127.0.0.1:50051";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_tour_runs_to_its_end() {
    crate::tour::tour(true).await.unwrap();
}

/// Runs the README's transcript and compares every answer. Where grpcurl isn't installed it can't; CI
/// installs it and sets MEMORYD_TEST_REQUIRES_GRPCURL.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_transcript_is_what_grpcurl_shows() {
    let required = std::env::var_os("MEMORYD_TEST_REQUIRES_GRPCURL").is_some();
    let installed = std::process::Command::new("grpcurl").arg("-version").output().is_ok();
    assert!(installed || !required, "grpcurl is required here but not on the PATH");
    if !installed {
        eprintln!("grpcurl isn't on the PATH: the README's transcript was not run");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // A person is slower than the indexer, bash isn't.
    let program = Program::start_with(&folder.path().join("data"), &["--embed", "inline"]).await;
    drop(program.client().await);
    let steps = transcript();
    assert!(steps.len() >= 5, "the README has lost its transcript");
    for (command, expected) in steps {
        let command = command.replace(README_ADDRESS, program.address());
        let output = std::process::Command::new("bash")
            .args(["-c", &format!("{command} 2>&1")])
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
            .output()
            .unwrap();
        let answer = String::from_utf8(output.stdout).unwrap();
        assert_eq!(steady(&answer), steady(&expected), "{command}");
    }
    assert!(program.terminate().await.success());
}

/// Commands of the README's console blocks with what they answer.
fn transcript() -> Vec<(String, String)> {
    let blocks = README.split("```console\n").skip(1);
    let blocks = blocks.map(|rest| rest.split("\n```").next().unwrap());
    blocks
        .map(|block| {
            let (command, answer) = block.split_once('\n').unwrap();
            (command.strip_prefix("$ ").unwrap().to_owned(), answer.to_owned())
        })
        .collect()
}

/// An answer without what differs from run to run.
fn steady(answer: &str) -> Vec<String> {
    let lines = answer.trim_end().lines().map(|line| match line.split_once("\"createTime\": ") {
        Some((indent, _)) => format!("{indent}\"createTime\": …"),
        None => line.to_owned(),
    });
    lines.collect()
}

#[test]
fn every_option_that_the_readme_names_exists() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_memoryd")).arg("--help").output();
    let help = String::from_utf8(help.unwrap().stdout).unwrap();
    // Those of the evaluation are that program's, and checked there.
    let of_the_server = README.split("## Measuring recall").next().unwrap();
    let options = of_the_server.split('`').filter(|code| code.starts_with("--"));
    let mut named = 0;
    for option in options {
        let option = option.split(' ').next().unwrap();
        assert!(help.contains(option), "the README names {option}, --help doesn't");
        named += 1;
    }
    assert!(named >= 4);
}
