//! Waiting for vectors: they may follow their entries by a moment, and until then only words find them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use memoryd_client::proto::{NewEntry, part};
use memoryd_client::{Error, MemoryClient, SearchMode};

use crate::error::EvalError;
use crate::ingest::APPLICATION;
use crate::plan::{Batch, Plan};

/// What GetServerInfo calls a server without an embedder.
const NO_EMBEDDER: &str = "none";
/// How long vectors may be behind.
const PATIENCE: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(50);

/// Waits until every user's last entries can be found by meaning, and tells how long that took. Gives
/// up with a warning: what is measured then says how the server does without some vectors.
pub(crate) async fn settle(
    client: &MemoryClient,
    plan: &Plan,
    embedder: &str,
) -> Result<Duration, EvalError> {
    let begun = Instant::now();
    if embedder == NO_EMBEDDER {
        return Ok(Duration::ZERO);
    }
    let last: HashMap<&str, &Batch> =
        plan.batches.iter().map(|batch| (batch.user.as_str(), batch)).collect();
    for (user, batch) in last {
        // The longest text: short ones, such as thanks, stand in many entries.
        let Some(entry) = batch.entries.iter().max_by_key(|entry| text_of(entry).len()) else {
            continue;
        };
        while !found_by_meaning(client, user, entry).await? {
            if begun.elapsed() > PATIENCE {
                tracing::warn!("vectors are still missing, measuring without them");
                return Ok(begun.elapsed());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
    Ok(begun.elapsed())
}

async fn found_by_meaning(
    client: &MemoryClient,
    user: &str,
    entry: &NewEntry,
) -> Result<bool, EvalError> {
    let search = client.scope(APPLICATION, user).search(text_of(entry));
    let answer = async { search.mode(SearchMode::Semantic).send().await?.collect().await };
    let (hits, _) = answer
        .await
        .map_err(|error: Error| EvalError::Call { doing: "searching by meaning", error })?;
    let ids = hits.iter().filter_map(|hit| Some(&hit.entry.as_ref()?.entry_id));
    Ok(ids.into_iter().any(|id| Some(id) == entry.entry_id.as_ref()))
}

fn text_of(entry: &NewEntry) -> &str {
    let parts = entry.content.iter().flat_map(|content| &content.parts);
    let texts = parts.filter_map(|part| match &part.kind {
        Some(part::Kind::Text(text)) => Some(text.as_str()),
        _ => None,
    });
    texts.max_by_key(|text| text.len()).unwrap_or_default()
}
