//! Waiting for vectors: they may follow their entries by a moment, and until then only words find them.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use memoryd_client::proto::{NewEntry, part};
use memoryd_client::{Error, MemoryClient, SearchMode};

use crate::batches::Batch;
use crate::error::EvalError;
use crate::ingest::APPLICATION;
use crate::plan::Plan;

/// What GetServerInfo calls a server without an embedder.
const NO_EMBEDDER: &str = "none";
/// How long vectors may be behind.
const PATIENCE: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(50);

/// Waits until every entry has its vector, and tells how long that took. Gives up with a warning: what
/// is measured then says how the server does without some vectors.
pub(crate) async fn settle(client: &MemoryClient, plan: &Plan) -> Result<Duration, EvalError> {
    let begun = Instant::now();
    let mut was_told = false;
    let deadline = begun + PATIENCE;
    loop {
        let (embedder, pending) = awaited(client).await?;
        if embedder == NO_EMBEDDER {
            return Ok(Duration::ZERO);
        }
        if pending == 0 {
            break;
        }
        was_told = true;
        if !pause_until(deadline).await {
            return Ok(begun.elapsed());
        }
    }
    // None from the start on is also what a server says that doesn't count them.
    if !was_told {
        last_entries_found(client, plan, deadline).await?;
    }
    Ok(begun.elapsed())
}

/// The embedder, and how many vectors it still owes.
async fn awaited(client: &MemoryClient) -> Result<(String, u64), EvalError> {
    let info = client.server_info().await.map_err(EvalError::call("asking about vectors"))?;
    Ok((info.embedder, info.pending_vectors))
}

/// Waits until every user's last entries can be found by meaning.
async fn last_entries_found(
    client: &MemoryClient,
    plan: &Plan,
    deadline: Instant,
) -> Result<(), EvalError> {
    let last: HashMap<&str, &Batch> =
        plan.batches.iter().map(|batch| (batch.user.as_str(), batch)).collect();
    for (user, batch) in last {
        // The longest text: short ones, such as thanks, stand in many entries.
        let Some(entry) = batch.entries.iter().max_by_key(|entry| text_of(entry).len()) else {
            continue;
        };
        while !found_by_meaning(client, user, entry).await? {
            if !pause_until(deadline).await {
                return Ok(());
            }
        }
    }
    Ok(())
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
