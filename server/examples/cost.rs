//! What memory costs: prints what adding, keeping, loading and searching entries takes on this machine.
//!
//! ```text
//! cargo run --release -p memoryd --example cost [ENTRIES]
//! ```
//!
//! Starts a server of its own on a data directory that is thrown away, fills it with made-up entries of
//! 195 bytes in sessions of twenty, and asks over gRPC. Absolute figures mean little on a busy machine.

use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

use memoryd::{Config, EmbedOptions};
use memoryd_proto::v1::memory_service_client::MemoryServiceClient;
use memoryd_proto::v1::part::Kind;
use memoryd_proto::v1::*;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};

type Client = MemoryServiceClient<Channel>;
type AnyError = Box<dyn Error>;

/// Entries of a call, and of a session.
const SESSION: usize = 20;

/// Bytes of an entry's text.
const TEXT_BYTES: usize = 195;

/// Times a tenant is loaded.
const COLD_ROUNDS: usize = 11;

/// Whose entries are counted, and somebody else.
const USER: &str = "user";
const OTHER: &str = "other";

/// Times each question is asked.
const ROUNDS: usize = 300;

const WORDS: [&str; 40] = [
    "garden",
    "window",
    "river",
    "market",
    "doctor",
    "music",
    "letter",
    "kitchen",
    "winter",
    "bridge",
    "teacher",
    "orange",
    "camera",
    "holiday",
    "mountain",
    "bicycle",
    "painter",
    "station",
    "coffee",
    "library",
    "island",
    "sister",
    "battery",
    "concert",
    "ticket",
    "forest",
    "museum",
    "recipe",
    "neighbour",
    "hospital",
    "airport",
    "jacket",
    "puzzle",
    "carpet",
    "engine",
    "pencil",
    "village",
    "harbour",
    "theatre",
    "blanket",
];

struct Running {
    client: Client,
    stop: oneshot::Sender<()>,
    task: JoinHandle<Result<(), memoryd::RunError>>,
}

#[tokio::main]
async fn main() -> Result<(), AnyError> {
    let entries: usize = match std::env::args().nth(1) {
        Some(count) => count.parse()?,
        None => 10_000,
    };
    let folder = tempfile::tempdir()?;
    let config = Config {
        data_dir: folder.path().join("data"),
        embedder: EmbedOptions::default(),
        ..Config::default()
    };
    let mut running = start(&config).await?;
    let info = running.client.get_server_info(GetServerInfoRequest {}).await?.into_inner();
    say(&format!("{entries} entries of {TEXT_BYTES} bytes, embedder {}", info.embedder))?;

    let before = resident_bytes();
    let (begun, cpu) = (Instant::now(), cpu_time());
    for call in 0..entries.div_ceil(SESSION) {
        running.client.add_session(session(call)).await?;
    }
    let per_entry = |time: Duration| time.as_secs_f64() * 1e6 / entries as f64;
    say(&format!(
        "added in calls of {SESSION}, one client: {:.0} µs an entry, {:.0} µs of CPU, client and vectors included",
        per_entry(begun.elapsed()),
        per_entry(cpu_time() - cpu)
    ))?;
    let (begun, cpu) = (Instant::now(), cpu_time());
    let waiting = pending(&mut running.client).await?;
    while pending(&mut running.client).await? > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    if waiting > 0 {
        let each = |time: Duration| time.as_secs_f64() * 1e3 / waiting as f64;
        say(&format!(
            "vectors that were still to come: {waiting}, {:.2} ms each, {:.2} ms of CPU",
            each(begun.elapsed()),
            each(cpu_time() - cpu)
        ))?;
    }
    search(&mut running.client, USER, "harbour ticket").await?;
    say(&format!(
        "memory, store's cache included: {:.0} bytes an entry",
        resident_bytes().saturating_sub(before) as f64 / entries as f64
    ))?;

    // With hardly any memory, a tenant is let go of as soon as another one is asked for.
    let other = AddSessionRequest { user_id: OTHER.into(), ..session(0) };
    running.client.add_session(other).await?;
    drop(running.stop);
    running.task.await??;
    let mut running = start(&Config { memory_budget: 1, ..config.clone() }).await?;
    let mut cold = Vec::new();
    let cpu = cpu_time();
    for _ in 0..COLD_ROUNDS {
        search(&mut running.client, OTHER, "harbour ticket").await?;
        let begun = Instant::now();
        search(&mut running.client, USER, "harbour ticket").await?;
        cold.push(begun.elapsed());
    }
    let cpu = (cpu_time() - cpu).as_secs_f64() * 1e3 / COLD_ROUNDS as f64;
    cold.sort_unstable();
    say(&format!(
        "first search of a cold tenant: {:.1} ms, fastest {:.1} ms, {cpu:.0} ms of CPU",
        cold[COLD_ROUNDS / 2].as_secs_f64() * 1e3,
        cold[0].as_secs_f64() * 1e3,
    ))?;
    drop(running.stop);
    running.task.await??;
    let mut running = start(&config).await?;
    let before = resident_bytes();
    search(&mut running.client, USER, "harbour ticket").await?;
    say(&format!(
        "memory after loading it, store's cache included: {:.0} bytes an entry",
        resident_bytes().saturating_sub(before) as f64 / entries as f64
    ))?;

    let call = median(&mut running.client, async |client| {
        client.get_server_info(GetServerInfoRequest {}).await?;
        Ok(())
    });
    say(&format!("an empty call: {:.3} ms (medians of {ROUNDS})", call.await?))?;
    for question in [
        "harbour ticket number 77",
        "harbour",
        "harbour ticket",
        "Wie kommt man am schnellsten mit dem Fahrrad zum Bahnhof in der Stadt?",
    ] {
        let time = median(&mut running.client, async |client| search(client, USER, question).await);
        say(&format!("{:?}: {:.3} ms", question, time.await?))?;
    }
    drop(running.stop);
    running.task.await??;
    Ok(())
}

async fn start(config: &Config) -> Result<Running, AnyError> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let (stop, stopped) = oneshot::channel::<()>();
    let run = memoryd::run(config.clone(), listener, async move { drop(stopped.await) });
    let task = tokio::spawn(run);
    let endpoint = Endpoint::from_shared(format!("http://{address}"))?;
    for _ in 0..500 {
        if let Ok(channel) = endpoint.connect().await {
            return Ok(Running { client: MemoryServiceClient::new(channel), stop, task });
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Err("the server doesn't answer".into())
}

fn session(call: usize) -> AddSessionRequest {
    let entries = (0..SESSION).map(|at| entry(call * SESSION + at)).collect();
    AddSessionRequest {
        app_name: "cost".into(),
        user_id: USER.into(),
        session_id: format!("session-{call}"),
        entries,
        ..AddSessionRequest::default()
    }
}

/// The same texts every time.
fn entry(number: usize) -> NewEntry {
    let mut text = format!("Note {number}:");
    let mut state = number as u64;
    while text.len() < TEXT_BYTES - 10 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        text.push(' ');
        text.push_str(WORDS[(state >> 33) as usize % WORDS.len()]);
        if state.is_multiple_of(3) {
            text.push_str(&format!("{}", (state >> 40) % 5_000));
        }
    }
    let part = Part { kind: Some(Kind::Text(text)), extra_json: None };
    NewEntry {
        content: Some(Content { role: "user".into(), parts: vec![part] }),
        author: "user".into(),
        timestamp: Some(prost_types::Timestamp {
            seconds: 1_700_000_000 + number as i64,
            nanos: 0,
        }),
        ..NewEntry::default()
    }
}

/// Asks for a user's entries and takes every hit.
async fn search(client: &mut Client, user: &str, question: &str) -> Result<(), AnyError> {
    let request = SearchRequest {
        app_name: "cost".into(),
        user_id: user.into(),
        query: question.into(),
        ..SearchRequest::default()
    };
    let mut hits = client.search(request).await?.into_inner();
    while hits.message().await?.is_some() {}
    Ok(())
}

async fn pending(client: &mut Client) -> Result<u64, AnyError> {
    let info = client.get_server_info(GetServerInfoRequest {}).await?.into_inner();
    Ok(info.pending_vectors)
}

/// The median time of a call, in milliseconds.
async fn median(
    client: &mut Client,
    call: impl AsyncFn(&mut Client) -> Result<(), AnyError>,
) -> Result<f64, AnyError> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        call(client).await?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    Ok(times[ROUNDS / 2].as_secs_f64() * 1e3)
}

/// What the process takes of memory; 0 where the system doesn't tell.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// What the process has taken of the processors, in steps of 10 ms; 0 where the system doesn't tell.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

fn say(line: &str) -> Result<(), AnyError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(())
}
