//! Embedders opened as a server opens them.

#[cfg(any(feature = "encoder", feature = "static"))]
mod built_in;
#[cfg(feature = "static")]
mod on_disk;

use super::{EmbedOptions, EmbedderChoice, OpenError, Secret, open};

#[test]
fn none_is_no_embedder() {
    let options = EmbedOptions { choice: EmbedderChoice::None, ..EmbedOptions::default() };
    assert!(open(&options).unwrap().is_none());
}

#[test]
fn options_that_do_not_fit_are_refused_here_as_well() {
    let key = Secret::new("sk-1");
    let options = EmbedOptions { choice: EmbedderChoice::None, key, ..EmbedOptions::default() };
    assert!(matches!(open(&options), Err(OpenError::Options(mistakes)) if mistakes.len() == 1));
}
