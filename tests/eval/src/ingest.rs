//! Putting a corpus into the server.

use std::time::{Duration, Instant};

use memoryd_client::MemoryClient;
use memoryd_client::proto::Outcome;

use crate::batches::Batch;
use crate::error::EvalError;
use crate::plan::Plan;
use crate::progress::Progress;

/// The application that everything is stored under.
pub(crate) const APPLICATION: &str = "memoryd-eval";

/// Sends every batch, one after the other, and tells how long the server took.
pub(crate) async fn ingest(
    client: &MemoryClient,
    plan: &Plan,
    progress: &mut Progress,
) -> Result<Duration, EvalError> {
    let total = plan.entry_count();
    let (mut took, mut sent) = (Duration::ZERO, 0);
    for Batch { user, session, entries } in &plan.batches {
        let scope = client.scope(APPLICATION, user);
        let (count, entries_to_send) = (entries.len(), entries.clone());
        let begun = Instant::now();
        let results = match session {
            Some(session) => {
                scope.add_session(session, entries_to_send).send().await.map(|all| all.results)
            }
            None => scope.add_entries(entries_to_send).send().await,
        };
        took += begun.elapsed();
        let results = results.map_err(EvalError::call("adding"))?;
        if results.len() != count {
            return Err(EvalError::AnswerCount { sent: count, answered: results.len() });
        }
        for (entry, result) in entries.iter().zip(&results) {
            let same_id = entry.entry_id.as_deref() == Some(result.entry_id.as_str());
            if result.outcome() != Outcome::Created || !same_id {
                let entry_id = entry.entry_id.clone().unwrap_or_default();
                let outcome = result.outcome().as_str_name();
                return Err(EvalError::NotCreated { entry_id, outcome });
            }
        }
        sent += count;
        progress.step("entries", sent, total);
    }
    Ok(took)
}

/// Erases the users of a plan: what an earlier run left behind would be found too.
pub(crate) async fn erase(client: &MemoryClient, plan: &Plan) -> Result<(), EvalError> {
    let mut users: Vec<&str> = plan.batches.iter().map(|batch| batch.user.as_str()).collect();
    users.sort_unstable();
    users.dedup();
    for user in users {
        let call = client.scope(APPLICATION, user).delete_user();
        call.send().await.map_err(EvalError::call("erasing a user"))?;
    }
    Ok(())
}
