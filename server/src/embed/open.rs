//! From a choice to an embedder.

use std::sync::Arc;

use super::endpoint::Endpoint;
use super::file::{FileTable, load};
use super::local::Local;
use super::{EmbedOptions, Embedder, EmbedderChoice, EmbedderIdentity, OpenError};
use crate::domain::Calibration;

/// The embedder that the options ask for; `None` if they ask for none.
///
/// Reads models, which takes a moment, and connects to nothing: an endpoint may come up later.
///
/// # Errors
/// Options that don't fit together, and models that can't be read or used.
pub fn open(options: &EmbedOptions) -> Result<Option<Arc<dyn Embedder>>, OpenError> {
    let mistakes = options.mistakes();
    if !mistakes.is_empty() {
        return Err(OpenError::Options(mistakes));
    }
    Ok(match &options.choice {
        EmbedderChoice::None => None,
        EmbedderChoice::Encoder => Some(encoder(options)?),
        EmbedderChoice::Static => Some(table(options)?),
        EmbedderChoice::File(path) => {
            let FileTable { table, digest } = load(path)?;
            if table.dimensions() > EmbedOptions::MOST_DIMENSIONS {
                let cause = format!(
                    "its vectors have {} numbers, at most {} can be kept",
                    table.dimensions(),
                    EmbedOptions::MOST_DIMENSIONS
                );
                return Err(OpenError::Model { name: path.display().to_string(), cause });
            }
            let identity =
                EmbedderIdentity::new(format!("file:{digest}"), Some(table.dimensions()));
            let encode = move |text: &str| table.encode(text);
            // What was measured for the built-in table: one on disk is nearer to it than to anything else.
            Some(Arc::new(Local::new(
                identity,
                calibration(Calibration::STATIC_TABLE, options),
                encode,
            )))
        }
        EmbedderChoice::Endpoint(address) => Some(Arc::new(Endpoint::open(address, options)?)),
    })
}

/// `measured`, with the floor that was asked for.
fn calibration(measured: Calibration, options: &EmbedOptions) -> Calibration {
    Calibration { floor: options.floor.unwrap_or(measured.floor), ..measured }
}

#[cfg(feature = "encoder")]
fn encoder(options: &EmbedOptions) -> Result<Arc<dyn Embedder>, OpenError> {
    use memoryd_encoder::{DIMENSIONS, ENCODER_ID, Encoder, Scratch};
    let encoder = Encoder::builtin().map_err(|error| built_in(ENCODER_ID, error))?;
    let identity = EmbedderIdentity::new(ENCODER_ID.to_owned(), Some(DIMENSIONS));
    // As many as there have been calls at once: taking fresh memory costs a tenth of a short text.
    let scratches = parking_lot::Mutex::new(Vec::<Scratch>::new());
    let encode = move |text: &str| {
        let mut scratch = scratches.lock().pop().unwrap_or_default();
        let vector = encoder.encode_with(&mut scratch, text);
        scratches.lock().push(scratch);
        vector
    };
    Ok(Arc::new(Local::new(identity, calibration(Calibration::ENCODER, options), encode)))
}

#[cfg(feature = "static")]
fn table(options: &EmbedOptions) -> Result<Arc<dyn Embedder>, OpenError> {
    use memoryd_encoder::{StaticTable, TABLE_ID};
    let table = StaticTable::builtin().map_err(|error| built_in(TABLE_ID, error))?;
    let identity = EmbedderIdentity::new(TABLE_ID.to_owned(), Some(table.dimensions()));
    let encode = move |text: &str| table.encode(text);
    Ok(Arc::new(Local::new(identity, calibration(Calibration::STATIC_TABLE, options), encode)))
}

#[cfg(any(feature = "encoder", feature = "static"))]
fn built_in(name: &str, cause: memoryd_encoder::ModelError) -> OpenError {
    OpenError::Model { name: name.to_owned(), cause: cause.to_string() }
}

#[cfg(not(feature = "encoder"))]
fn encoder(_options: &EmbedOptions) -> Result<Arc<dyn Embedder>, OpenError> {
    Err(left_out("encoder"))
}

#[cfg(not(feature = "static"))]
fn table(_options: &EmbedOptions) -> Result<Arc<dyn Embedder>, OpenError> {
    Err(left_out("static"))
}

/// For a choice that was made by code; text that names it is refused already.
#[cfg(not(all(feature = "encoder", feature = "static")))]
fn left_out(feature: &'static str) -> OpenError {
    OpenError::Options(vec![EmbedderChoice::left_out(feature, feature).to_string()])
}
