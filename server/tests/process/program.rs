//! The program, started and ended as a person or a machine would.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tonic::transport::{Channel, Endpoint};

/// How long anything here may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program. Killed when dropped.
pub(crate) struct Program {
    child: Child,
    address: String,
}

impl Program {
    /// Starts the program on a data directory and a free port.
    pub(crate) async fn start(data_dir: &Path) -> Self {
        Self::start_with(data_dir, &[]).await
    }

    /// As [`Program::start`], with further options.
    pub(crate) async fn start_with(data_dir: &Path, options: &[&str]) -> Self {
        let mut child = command()
            .args(["--listen", "127.0.0.1:0", "--log", "warn", "--data-dir"])
            .arg(data_dir)
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.stdout.take().unwrap();
        let mut lines = BufReader::new(output).lines();
        let first = tokio::time::timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap();
        let first = first.expect("the program ended before it listened");
        let address = first.rsplit(' ').next().unwrap().to_owned();
        Self { child, address }
    }

    /// A connection of its own; waits until the program has opened its store.
    pub(crate) async fn client(&self) -> MemoryServiceClient<Channel> {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address)).unwrap();
        let channel = tokio::time::timeout(PATIENCE, endpoint.connect()).await.unwrap().unwrap();
        let client = MemoryServiceClient::new(channel).max_decoding_message_size(usize::MAX);
        client.clone().get_server_info(GetServerInfoRequest {}).await.unwrap();
        client
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Ends it as a power cut of the process would: SIGKILL.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Sends SIGTERM and waits for the end.
    pub(crate) async fn terminate(mut self) -> ExitStatus {
        let id = self.child.id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.unwrap().success());
        tokio::time::timeout(PATIENCE, self.child.wait()).await.unwrap().unwrap()
    }
}

/// The program, without a shell's settings.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_memoryd"));
    command.kill_on_drop(true).stdin(Stdio::null());
    for variable in ["MEMORYD_LISTEN", "MEMORYD_DATA_DIR", "MEMORYD_STORE", "MEMORYD_LOG"] {
        command.env_remove(variable);
    }
    command
}

/// A session of texts, of a user of the app "app".
pub(crate) fn session(user: &str, id: &str, texts: &[String]) -> AddSessionRequest {
    let entries = texts.iter().map(|text| NewEntry {
        content: Some(Content {
            role: "user".into(),
            parts: vec![Part { kind: Some(Kind::Text(text.clone())), extra_json: None }],
        }),
        author: "user".into(),
        ..NewEntry::default()
    });
    AddSessionRequest {
        app_name: "app".into(),
        user_id: user.into(),
        session_id: id.into(),
        entries: entries.collect(),
        ..AddSessionRequest::default()
    }
}

/// Every entry of a user of the app "app", as (session, text).
pub(crate) async fn everything(
    client: &mut MemoryServiceClient<Channel>,
    user: &str,
) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut request = ListEntriesRequest {
        app_name: "app".into(),
        user_id: user.into(),
        page_size: 1_000,
        omit_blobs: true,
        ..ListEntriesRequest::default()
    };
    loop {
        let page = client.list_entries(request.clone()).await.unwrap().into_inner();
        all.extend(page.entries.into_iter().map(|entry| {
            let part = entry.content.unwrap().parts.remove(0);
            let Some(Kind::Text(text)) = part.kind else { panic!("not a text") };
            (entry.session_id.unwrap_or_default(), text)
        }));
        if page.next_page_token.is_empty() {
            return all;
        }
        request.page_token = page.next_page_token;
    }
}
