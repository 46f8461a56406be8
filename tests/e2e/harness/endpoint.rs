//! An embedding endpoint of the test's own: it speaks the protocol of `/v1/embeddings` and knows a few
//! words in two languages.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// Words that mean the same, each line one meaning.
const MEANINGS: [&[&str]; 6] = [
    &["dog", "hund", "puppy"],
    &["cat", "katze"],
    &["car", "auto", "vehicle"],
    &["allergic", "allergisch", "allergy"],
    &["nuts", "nüsse", "peanuts"],
    &["flight", "flug", "plane"],
];

/// Numbers in a vector: one for each meaning, the rest for other words.
const DIMENSIONS: usize = 64;

/// A running endpoint, which ends with the test.
#[derive(Clone)]
pub(crate) struct Endpoint {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Whether it answers at all.
    down: AtomicBool,
    /// Fails when a text holds this.
    poison: Mutex<Option<&'static str>>,
    /// Texts it has embedded, of entries and queries.
    texts: AtomicUsize,
}

impl Endpoint {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State::default());
        let of_task = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                let state = Arc::clone(&of_task);
                tokio::spawn(async move { drop(serve(connection, &state).await) });
            }
        });
        Self { address, state }
    }

    /// As `--embedder` takes it.
    pub(crate) fn option(&self) -> String {
        format!("openai:http://{}", self.address)
    }

    pub(crate) fn set_down(&self, down: bool) {
        self.state.down.store(down, Ordering::SeqCst);
    }

    /// Makes it fail whenever a text holds this.
    pub(crate) fn set_poison(&self, poison: Option<&'static str>) {
        *self.state.poison.lock().unwrap() = poison;
    }

    /// How many texts it has embedded.
    pub(crate) fn texts(&self) -> usize {
        self.state.texts.load(Ordering::SeqCst)
    }
}

async fn serve(connection: TcpStream, state: &State) -> std::io::Result<()> {
    let mut connection = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if connection.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let line = line.trim().to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    let poison = *state.poison.lock().unwrap();
    let poisoned = poison.is_some_and(|poison| String::from_utf8_lossy(&body).contains(poison));
    let (status, answer) = if poisoned || state.down.load(Ordering::SeqCst) {
        ("503 Service Unavailable", json!({ "error": { "message": "down" } }))
    } else {
        let request: Value = serde_json::from_slice(&body).unwrap();
        let texts = request["input"].as_array().unwrap();
        state.texts.fetch_add(texts.len(), Ordering::SeqCst);
        let model = request["model"].as_str().unwrap();
        let data: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let embedding = vector(text.as_str().unwrap(), model);
                json!({ "object": "embedding", "index": index, "embedding": embedding })
            })
            .collect();
        ("200 OK", json!({ "object": "list", "data": data, "model": model }))
    };
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n",
        answer.len()
    );
    connection.write_all(head.as_bytes()).await?;
    connection.write_all(answer.as_bytes()).await?;
    connection.flush().await
}

/// How often each meaning, or other word, occurs. Models differ in where they put what.
fn vector(text: &str, model: &str) -> Vec<f32> {
    let meanings: HashMap<&str, usize> = MEANINGS
        .iter()
        .enumerate()
        .flat_map(|(at, words)| words.iter().map(move |w| (*w, at)))
        .collect();
    let turn = model.len();
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty())
    {
        let other = || {
            let sum = word.bytes().fold(7_usize, |sum, byte| sum * 31 % 65_521 + usize::from(byte));
            MEANINGS.len() + sum % (DIMENSIONS - MEANINGS.len())
        };
        let (at, weight) = meanings.get(word).map_or_else(|| (other(), 0.2), |at| (*at, 1.0));
        vector[(at + turn) % DIMENSIONS] += weight;
    }
    vector
}
