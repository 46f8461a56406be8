//! The endpoint against a real server on this machine.

mod answers;
mod failures;
mod requests;
mod resting;
mod secrecy;
mod server;

use std::sync::Arc;

use self::server::{Server, vector_of};
use crate::embed::{EmbedOptions, Embedder, Purpose, open};

/// Options for this server, with a model.
fn options(server: &Server) -> EmbedOptions {
    EmbedOptions {
        choice: format!("openai:{}", server.url).parse().unwrap(),
        model: Some("m3".to_owned()),
        ..EmbedOptions::default()
    }
}

fn embedder(options: &EmbedOptions) -> Arc<dyn Embedder> {
    open(options).unwrap().unwrap()
}

/// Vectors for entries of the default options.
fn embed(server: &Server, texts: &[&str]) -> Vec<Option<Vec<f32>>> {
    embedder(&options(server)).embed(texts, Purpose::Entry).unwrap()
}

/// Whether these are the vectors that the server has for these texts, of unit length.
fn assert_vectors(found: &[Option<Vec<f32>>], texts: &[&str]) {
    assert_eq!(found.len(), texts.len());
    for (vector, text) in found.iter().zip(texts) {
        let vector = vector.as_deref().unwrap();
        let raw = vector_of(text);
        let length = raw.iter().map(|value| value * value).sum::<f32>().sqrt();
        let close = vector.iter().zip(raw).all(|(is, raw)| (is - raw / length).abs() < 1e-6);
        assert!(vector.len() == 3 && close, "{text}: {vector:?}, not {raw:?} / {length}");
    }
}
