//! A server that speaks OpenAI's embeddings protocol: OpenAI itself, or Ollama, vLLM, llama.cpp, TEI.

mod address;
mod answer;
mod batch;
mod breaker;
mod message;
mod patience;
#[cfg(test)]
mod tests;
mod too_much;
mod transport;

use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

pub use self::address::{Address, AddressError};
use self::batch::{BATCH_TEXTS, batches};
use self::breaker::Breaker;
use self::patience::Patience;
use self::transport::Transport;
use super::cut::cut;
use super::{EmbedError, EmbedOptions, Embedder, EmbedderIdentity, OpenError, Purpose, Work};
use crate::domain::Calibration;

/// What is sent of a text, in bytes: the 8,192 tokens that most models take, of three bytes each.
const TEXT_BYTES: usize = 24 * 1024;

/// Weight of the likeness beside the words; not measured, near that of the built-in encoder.
const WEIGHT: f64 = 0.2;

/// From likeness to score. Cosines of endpoints' models are unmeasured here, so they count as they are.
const GAIN: f64 = 1.0;

/// A model behind a server.
pub(super) struct Endpoint {
    identity: EmbedderIdentity,
    calibration: Calibration,
    transport: Transport,
    model: String,
    /// Asked of the server if set.
    dimensions: Option<usize>,
    entry_timeout: Duration,
    query_timeout: Duration,
    breaker: Breaker,
}

/// The body of a request.
#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [&'a str],
    encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

impl Endpoint {
    /// No connection is made: the server need not be up yet.
    pub(super) fn open(address: &Address, options: &EmbedOptions) -> Result<Self, OpenError> {
        let model = options.model.clone().unwrap_or_default();
        if options.key.is_some() && address.is_plain() && !address.is_loopback() {
            let host = address.host();
            tracing::warn!(host, "the key of the embedder is sent unencrypted, use https");
        }
        let mut name = format!("openai:{model}@{}", address.host());
        if let Some(dimensions) = options.dimensions {
            name.push_str(&format!("/{dimensions}"));
        }
        let floor = options.floor.unwrap_or(EmbedOptions::ENDPOINT_FLOOR);
        Ok(Self {
            identity: EmbedderIdentity::new(name, options.dimensions),
            calibration: Calibration { weight: WEIGHT, floor, gain: GAIN },
            transport: Transport::new(address.clone(), options.key.as_ref())?,
            model,
            dimensions: options.dimensions,
            entry_timeout: options.entry_timeout,
            query_timeout: options.query_timeout,
            breaker: Breaker::default(),
        })
    }

    /// Vectors of texts that fit into one request by our measure; in parts if not by the server's.
    fn batch(&self, texts: &[&str], patience: &Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let error = match self.request(texts, patience) {
            Ok(vectors) => return Ok(vectors),
            Err(error) => error,
        };
        let parts = too_much::parts(texts, &error).ok_or(error)?;
        let vectors: Result<Vec<_>, _> =
            parts.iter().map(|part| self.batch(part, patience)).collect();
        Ok(vectors?.concat())
    }

    /// One request, made again as patience allows.
    fn request(&self, texts: &[&str], patience: &Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = self.body(texts);
        let mut made = 0;
        loop {
            let timeout = patience.request_time(Instant::now());
            if timeout.is_zero() {
                let (host, waited) = (self.transport.host().to_owned(), self.query_timeout);
                return Err(EmbedError::TimedOut { host, waited });
            }
            let error = match self.transport.post(&body, texts, timeout) {
                Ok(answer) => return self.vectors(&answer, texts.len()),
                Err(error) => error,
            };
            made += 1;
            let asked_for = match &error {
                EmbedError::Busy { retry_after, .. } => *retry_after,
                _ => None,
            };
            if !error.is_transient() || too_much::parts(texts, &error).is_some() {
                return Err(error);
            }
            let chance = getrandom::u32().unwrap_or(u32::MAX);
            match patience.wait(made, asked_for, chance, Instant::now()) {
                Some(wait) => thread::sleep(wait),
                None => return Err(error),
            }
        }
    }

    fn body(&self, texts: &[&str]) -> Vec<u8> {
        let Self { model, dimensions, .. } = self;
        let dimensions = *dimensions;
        let request = Request { model, input: texts, encoding_format: "float", dimensions };
        // Strings and numbers, into memory: nothing here can fail.
        serde_json::to_vec(&request).unwrap_or_default()
    }

    fn vectors(&self, answer: &[u8], sent: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
        answer::vectors(answer, sent, &self.identity)
            .map_err(|fault| EmbedError::Answer { host: self.transport.host().to_owned(), fault })
    }

    /// All texts, in as many requests as they take.
    fn embed_all(&self, texts: &[&str], patience: &Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for run in batches(texts.iter().map(|text| text.len())) {
            vectors.extend(self.batch(texts.get(run).unwrap_or_default(), patience)?);
        }
        Ok(vectors)
    }

    fn patience(&self, purpose: Purpose) -> Result<Patience, EmbedError> {
        let now = Instant::now();
        match purpose {
            Purpose::Entry => Ok(Patience::for_entries(self.entry_timeout)),
            Purpose::Query => match self.breaker.enter(now) {
                Ok(()) => Ok(Patience::for_query(self.query_timeout, now)),
                Err(rest) => {
                    Err(EmbedError::Resting { host: self.transport.host().to_owned(), rest })
                }
            },
        }
    }

    /// Lets the breaker learn from what became of a call. A refusal or a bad answer is quick and may be
    /// the fault of one text: searches aren't kept waiting by it.
    fn learn<T>(&self, outcome: &Result<T, EmbedError>) {
        match outcome {
            Err(EmbedError::Busy { retry_after, .. }) => {
                self.breaker.failed(Instant::now(), *retry_after);
            }
            Err(error) if error.is_transient() => self.breaker.failed(Instant::now(), None),
            Ok(_) | Err(_) => self.breaker.succeeded(),
        }
    }
}

impl Embedder for Endpoint {
    fn identity(&self) -> &EmbedderIdentity {
        &self.identity
    }

    fn calibration(&self) -> Calibration {
        self.calibration
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        let texts: Vec<&str> = texts.iter().map(|text| cut(text.trim(), TEXT_BYTES)).collect();
        let sent: Vec<&str> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
        if sent.is_empty() {
            return Ok(vec![None; texts.len()]);
        }
        let patience = self.patience(purpose)?;
        let outcome = self.embed_all(&sent, &patience);
        self.learn(&outcome);
        let mut vectors = outcome?.into_iter();
        Ok(texts.iter().map(|text| if text.is_empty() { None } else { vectors.next() }).collect())
    }

    fn work(&self) -> Work {
        Work::Network
    }

    fn batch_size(&self) -> usize {
        BATCH_TEXTS
    }
}
