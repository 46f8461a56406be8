//! A server that speaks the embeddings protocol, and can be told to fail.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::{Value, json};

/// What one request is answered with.
pub(super) type Reply = Box<dyn FnOnce(&Asked, &mut TcpStream) + Send>;

/// A request that came in.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    /// Request line and headers.
    pub(super) head: String,
    pub(super) body: Value,
}

impl Asked {
    pub(super) fn texts(&self) -> Vec<String> {
        let input = self.body["input"].as_array().unwrap();
        input.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    }
}

pub(super) struct Server {
    pub(super) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    connections: Arc<AtomicUsize>,
    stopped: Arc<AtomicBool>,
}

impl Server {
    /// Answers by the script, then rightly.
    pub(super) fn start(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, stopped) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let script = Arc::new(Mutex::new(VecDeque::from(script)));
        let connections = Arc::new(AtomicUsize::new(0));
        let server = Self {
            url,
            asked: asked.clone(),
            connections: connections.clone(),
            stopped: stopped.clone(),
        };
        thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                connections.fetch_add(1, Ordering::Relaxed);
                let (asked, script) = (asked.clone(), script.clone());
                thread::spawn(move || answer(stream.unwrap(), &asked, &script));
            }
        });
        server
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().clone()
    }

    /// How many connections came in.
    pub(super) fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.url.trim_start_matches("http://")));
    }
}

fn answer(stream: TcpStream, asked: &Mutex<Vec<Asked>>, script: &Mutex<VecDeque<Reply>>) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        asked.lock().push(request.clone());
        let reply = script.lock().pop_front().unwrap_or_else(vectors);
        reply(&request, reader.get_mut());
    }
}

/// The next request; `None` when the client has gone away.
fn read(reader: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .map_or(0, |(_, value)| value.trim().parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Some(Asked { head, body: serde_json::from_slice(&body).unwrap() })
}

fn send(stream: &mut TcpStream, status: u16, headers: &str, body: &str) {
    let length = body.len();
    let head = format!("HTTP/1.1 {status} Whatever\r\ncontent-length: {length}\r\n{headers}\r\n");
    // The client may have gone away in the meantime, as tests of timeouts want it to.
    drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())));
}

/// The vector that a text gets here, before its length is made one.
pub(super) fn vector_of(text: &str) -> [f32; 3] {
    [text.len() as f32, text.chars().map(|letter| letter as u32 as f32).sum(), 1.0]
}

/// The right answer, last text first.
pub(super) fn vectors() -> Reply {
    Box::new(|asked, stream| {
        let items = asked.texts().into_iter().enumerate().rev().map(|(index, text)| {
            json!({"object": "embedding", "index": index, "embedding": vector_of(&text)})
        });
        let body = json!({"object": "list", "model": "m", "data": items.collect::<Vec<_>>()});
        send(stream, 200, "", &body.to_string());
    })
}

/// A success with this body.
pub(super) fn body(body: impl Into<String>) -> Reply {
    let body = body.into();
    Box::new(move |_, stream| send(stream, 200, "", &body))
}

/// A failure with these headers, each ended by a line end, and a message.
pub(super) fn status(status: u16, headers: &'static str, message: &str) -> Reply {
    let body = json!({"error": {"message": message, "type": "some_error"}}).to_string();
    Box::new(move |_, stream| send(stream, status, headers, &body))
}

/// Nothing for so long, then the right answer.
pub(super) fn late(time: Duration) -> Reply {
    Box::new(move |asked, stream| {
        thread::sleep(time);
        vectors()(asked, stream);
    })
}

/// The connection breaks instead of an answer.
pub(super) fn broken() -> Reply {
    Box::new(|_, stream| drop(stream.shutdown(std::net::Shutdown::Both)))
}

/// A model that takes texts of at most so many bytes.
pub(super) fn takes_at_most(bytes: usize) -> Reply {
    Box::new(move |asked, stream| {
        if asked.texts().iter().any(|text| text.len() > bytes) {
            status(400, "", "This model's maximum context length is 99 tokens")(asked, stream);
        } else {
            vectors()(asked, stream);
        }
    })
}

/// The start of an answer, and nothing more for so long.
pub(super) fn stuck(time: Duration) -> Reply {
    Box::new(move |_, stream| {
        let start = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"data\":[";
        drop(stream.write_all(start.as_bytes()));
        thread::sleep(time);
        drop(stream.shutdown(std::net::Shutdown::Both));
    })
}

/// Head of an answer, then spaces without end.
pub(super) fn endless() -> Reply {
    Box::new(|_, stream| {
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
        let spaces = vec![b' '; 1024 * 1024];
        let mut sent = stream.write_all(head.as_bytes());
        while sent.is_ok() {
            sent = stream.write_all(&spaces);
        }
    })
}
