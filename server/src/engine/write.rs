//! Adding entries: an upsert by identity, atomic, durable before it answers (contract, section 4).

use std::sync::Arc;

use super::backlog::EntryPlace;
use super::change::TenantChange;
use super::error::{ReadError, WriteError};
use super::fence::WriteTicket;
use super::identity::Identities;
use super::index_entries::added_places;
use super::prepare::Prepared;
use super::{EmbedWhen, Engine, blocking};
use crate::domain::{AddEntries, AddReceipt, EntryResult, Outcome, WriteMode};
use crate::store::{CommitError, Proposal};

/// How often a write is prepared anew because another one came first. From the second time on it
/// waits for the others, so that only other servers on the same store can get ahead of it.
const ATTEMPTS: usize = 16;

impl Engine {
    /// Adds entries. Once begun it runs to its end, whether or not the caller waits.
    ///
    /// # Errors
    ///
    /// [`WriteError`]; nothing is added then, unless the store became unavailable in the middle.
    pub async fn add(
        &self,
        ticket: Arc<WriteTicket>,
        request: AddEntries,
    ) -> Result<AddReceipt, WriteError> {
        let engine = self.clone();
        let running = tokio::spawn(async move { engine.add_to_the_end(ticket, request).await });
        running.await.unwrap_or_else(|error| {
            Err(ReadError::Internal(format!("an addition ended early: {error}")).into())
        })
    }

    async fn add_to_the_end(
        &self,
        ticket: Arc<WriteTicket>,
        request: AddEntries,
    ) -> Result<AddReceipt, WriteError> {
        self.parts.pace.note_call();
        let user = self.user_key(&request.scope.tenant);
        let scope = self.scope_digest(&request.scope);
        let gate = self.fences().gate(&user);
        let mut alone = None;
        let mut shared = None;
        if request.mode == WriteMode::Replace {
            // Nothing may be added to the session between looking at it and replacing it.
            alone = Some(gate.write().await);
        } else {
            shared = Some(gate.read().await);
        }
        if self.fences().suppresses(&ticket, user, scope, request.session_id.as_ref()) {
            return Ok(suppressed(&request));
        }
        if request.entries.is_empty() {
            return Ok(AddReceipt::default());
        }
        let request = Arc::new(request);
        for _ in 0..ATTEMPTS {
            let engine = self.clone();
            let of_request = Arc::clone(&request);
            let prepared = blocking(move || engine.prepare(user, scope, &of_request)).await??;
            let Prepared { conditions, operations, changes, receipt, relies_on_unsynced } =
                prepared;
            if operations.is_empty() && !relies_on_unsynced {
                return Ok(receipt);
            }
            let places = added_places(user, &changes);
            let payload = TenantChange { user, changes };
            let proposal = Proposal { conditions, operations, payload };
            match self.commit(proposal).await {
                Ok(()) => {
                    drop((shared, alone));
                    self.catch_up_soon(user);
                    self.index_inline(places).await;
                    return Ok(receipt);
                }
                Err(WriteError::Commit(CommitError::Conflict { .. })) if alone.is_none() => {
                    // Let the others finish, then go alone.
                    shared = None;
                    alone = Some(gate.write().await);
                }
                Err(WriteError::Commit(CommitError::Conflict { .. })) => {}
                Err(error) => return Err(error),
            }
        }
        drop((shared, alone));
        Err(WriteError::Contended)
    }

    /// Gives entries that were added their vectors before the addition is answered, if so configured. What
    /// fails is left to the indexer: the entries are added, whatever becomes of their vectors.
    async fn index_inline(&self, places: Vec<EntryPlace>) {
        if self.embedder().is_none() || self.parts.embed != EmbedWhen::Inline || places.is_empty() {
            return;
        }
        let engine = self.clone();
        let of_task = places.clone();
        let indexing = tokio::task::spawn_blocking(move || engine.index_now(&of_task));
        let left = match indexing.await {
            Ok(Ok(refused)) => refused,
            Ok(Err(error)) => {
                tracing::warn!(%error, "entries could not be given vectors, the indexer tries again");
                places
            }
            Err(error) => {
                tracing::error!(%error, "indexing ended early, the indexer tries again");
                places
            }
        };
        self.parts.backlog.add(left);
    }
}

/// The answer to a write whose scope was deleted while it was under way: as if it had come before.
fn suppressed(request: &AddEntries) -> AddReceipt {
    let mut identities = Identities::default();
    let results = request
        .entries
        .iter()
        .map(|entry| EntryResult {
            id: identities.next(request.session_id.as_ref(), entry),
            outcome: Outcome::Suppressed,
        })
        .collect();
    AddReceipt { results, removed: 0 }
}
