//! Starts a server on a data directory that is thrown away, shows it at work over gRPC, and leaves it
//! running for a look around.
//!
//! ```text
//! cargo run --release -p memoryd --example tour
//! ```
//!
//! With `--once` it stops after the show.

use std::error::Error;
use std::io::Write;

use memoryd::Config;
use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::transport::{Channel, Endpoint};

const APP: &str = "tour";
const USER: &str = "alice";

/// From this score on a hit is worth showing an agent.
const SURE: f32 = 0.5;

// A test takes this file as a module and calls the tour by itself.
#[cfg(not(test))]
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tour(std::env::args().any(|argument| argument == "--once")).await
}

/// The whole tour; `once` means: on a free port, and don't stay.
pub(crate) async fn tour(once: bool) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let port = if once { 0 } else { 50_051 };
    let listener = match TcpListener::bind(("127.0.0.1", port)).await {
        Ok(listener) => listener,
        // Somebody else has the usual port.
        Err(_) => TcpListener::bind(("127.0.0.1", 0)).await?,
    };
    let address = listener.local_addr()?;
    let config = Config { data_dir: folder.path().join("data"), ..Config::default() };
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(memoryd::run(config, listener, async move {
        drop(stopped.await);
    }));
    tell(&format!(
        "memoryd serves on {address}; its data is encrypted on disk and gone afterwards"
    ))?;

    let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
    show(&mut MemoryServiceClient::new(endpoint.connect().await?)).await?;

    if !once {
        tell("\nIt keeps running, with something of bob's in it. With grpcurl, look around:")?;
        tell(&format!("  grpcurl -plaintext {address} describe memoryd.v1.MemoryService"))?;
        let search = r#"{"app_name": "tour", "user_id": "bob", "query": "tea"}"#;
        let method = "memoryd.v1.MemoryService/Search";
        tell(&format!("  grpcurl -plaintext -d '{search}' {address} {method}"))?;
        tell("Ctrl-C stops it.")?;
        tokio::signal::ctrl_c().await?;
        tell("stopped, its data is removed")?;
    }
    drop(stop);
    server.await??;
    Ok(())
}

async fn show(client: &mut MemoryServiceClient<Channel>) -> Result<(), Box<dyn Error>> {
    tell("\nAlice tells her agent things, in two languages:")?;
    let said = [
        "My sister Ingrid is allergic to hazelnuts.",
        "I moved to Lisbon last spring.",
        "我的妹妹喜欢在周末爬山。",
    ];
    for line in said {
        tell(&format!("  alice: {line}"))?;
    }
    let facts = AddEntriesRequest {
        app_name: APP.into(),
        user_id: USER.into(),
        entries: said.map(entry).to_vec(),
        ..AddEntriesRequest::default()
    };
    let added = client.add_entries(facts.clone()).await?.into_inner();
    let outcomes: Vec<_> =
        added.results.iter().map(|result| result.outcome().as_str_name()).collect();
    tell(&format!("  stored: {}", outcomes.join(", ")))?;
    let again = client.add_entries(facts).await?.into_inner();
    let outcomes: Vec<_> =
        again.results.iter().map(|result| result.outcome().as_str_name()).collect();
    tell(&format!("  sent again by a retry: {}", outcomes.join(", ")))?;

    tell(
        "\nDays later the agent looks for what matters, by words and by meaning, in any language.",
    )?;
    tell("A score of .5 or more is worth showing; what scores less is unsure:")?;
    all_vectors(client).await?;
    for question in [
        "Which cake could I bake for Ingrid?",
        "Was macht meine Schwester am Wochenende?",
        "¿Quién es alérgico?",
        "quantum chromodynamics",
    ] {
        search(client, question).await?;
    }

    tell("\nAnd forgets when told to:")?;
    let request = DeleteEntriesRequest {
        app_name: APP.into(),
        user_id: USER.into(),
        query: Some("lisbon".into()),
        ..DeleteEntriesRequest::default()
    };
    let deleted = client.delete_entries(request).await?.into_inner().deleted_count;
    tell(&format!("  entries that say \"lisbon\": {deleted} deleted"))?;
    search(client, "Where do I live? Lisbon?").await?;
    let erase = DeleteUserRequest { app_name: APP.into(), user_id: USER.into() };
    let erased = client.delete_user(erase).await?.into_inner().deleted_count;
    tell(&format!("  all of alice: {erased} erased, her key destroyed"))?;
    let entries = vec![entry("The tea bush likes shade.")];
    let request = AddEntriesRequest {
        app_name: APP.into(),
        user_id: "bob".into(),
        entries,
        ..AddEntriesRequest::default()
    };
    client.add_entries(request).await?;
    Ok(())
}

/// Waits until meaning can be looked for; words can be at once.
async fn all_vectors(client: &mut MemoryServiceClient<Channel>) -> Result<(), Box<dyn Error>> {
    loop {
        let info = client.get_server_info(GetServerInfoRequest {}).await?.into_inner();
        if info.pending_vectors == 0 {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

async fn search(
    client: &mut MemoryServiceClient<Channel>,
    question: &str,
) -> Result<(), Box<dyn Error>> {
    tell(&format!("  ? {question}"))?;
    let request = SearchRequest {
        app_name: APP.into(),
        user_id: USER.into(),
        query: question.into(),
        ..SearchRequest::default()
    };
    let mut hits = client.search(request).await?.into_inner();
    let mut found = false;
    while let Some(message) = hits.message().await? {
        let hit = message.hit.unwrap_or_default();
        let text = hit.entry.as_ref().map(text_of).unwrap_or_default();
        let unsure = if hit.score < SURE { "   (unsure)" } else { "" };
        // Cut, not rounded: .499 is not .5.
        tell(&format!("    {:.2}  {text}{unsure}", (hit.score * 100.0).floor() / 100.0))?;
        found = true;
    }
    if !found {
        tell("    nothing found")?;
    }
    Ok(())
}

fn entry(text: &str) -> NewEntry {
    let part = Part { kind: Some(Kind::Text(text.into())), extra_json: None };
    NewEntry {
        content: Some(Content { role: "user".into(), parts: vec![part] }),
        author: USER.into(),
        ..NewEntry::default()
    }
}

fn text_of(entry: &Entry) -> String {
    let parts = entry.content.iter().flat_map(|content| &content.parts);
    let texts = parts.filter_map(|part| match &part.kind {
        Some(Kind::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}

fn tell(line: &str) -> std::io::Result<()> {
    writeln!(std::io::stdout(), "{line}")
}
