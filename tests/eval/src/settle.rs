//! Waiting for vectors: they may follow their entries by a moment, and until then only words find them.

use std::time::{Duration, Instant};

use memoryd_client::MemoryClient;

use crate::error::EvalError;

/// What GetServerInfo calls a server without an embedder.
const NO_EMBEDDER: &str = "none";
/// How long vectors may be behind.
const PATIENCE: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(50);

/// Waits until every entry has its vector, and tells how long that took. Gives up with a warning: what
/// is measured then says how the server does without some vectors.
pub(crate) async fn settle(client: &MemoryClient) -> Result<Duration, EvalError> {
    let begun = Instant::now();
    loop {
        let (embedder, pending) = awaited(client).await?;
        if embedder == NO_EMBEDDER {
            return Ok(Duration::ZERO);
        }
        if pending == 0 || !pause_until(begun + PATIENCE).await {
            return Ok(begun.elapsed());
        }
    }
}

/// The embedder, and how many vectors it still owes.
async fn awaited(client: &MemoryClient) -> Result<(String, u64), EvalError> {
    let info = client.server_info().await.map_err(EvalError::call("asking about vectors"))?;
    Ok((info.embedder, info.pending_vectors))
}

/// Waits a little; false, with a warning, when it has taken too long already.
async fn pause_until(deadline: Instant) -> bool {
    if Instant::now() > deadline {
        tracing::warn!("vectors are still missing, measuring without them");
        return false;
    }
    tokio::time::sleep(PAUSE).await;
    true
}
