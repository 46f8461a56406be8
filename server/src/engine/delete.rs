//! Deleting entries by id or by words; what is deleted stays deleted when its session is sent again
//! (contract, section 7).

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::change::{Change, TenantChange};
use super::error::{ReadError, WriteError};
use super::record::Tombstone;
use super::rows::{Standing, UserRows, is_full_page};
use super::scope_memory::listing_order;
use super::{Engine, blocking};
use crate::domain::{DeleteEntries, DeleteTarget, EntryId, Match, Timestamp};
use crate::recall::analysis::{DeletionQuery, WordMatch};
use crate::recall::rank::{Question, rank};
use crate::store::{
    CommitError, Condition, EntryDigest, Proposal, ScopeDigest, StorageKey, UserKey,
};

/// Entries deleted by one commit: few enough that other tenants' writes get in between.
const PAGE_ENTRIES: usize = 1_000;
/// How often a page is prepared anew because another write came first.
const ATTEMPTS: usize = 16;

/// What a deletion did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Deleted {
    /// How many entries.
    pub count: u64,
    /// Which, of a dry run; in the order of listing.
    pub ids: Vec<EntryId>,
}

/// A page of a deletion made ready for the committer.
struct Burial {
    proposal: Proposal<TenantChange>,
    /// Entries it deletes.
    count: u64,
    /// Ids it looked at.
    taken: usize,
}

impl Engine {
    /// Deletes entries, or tells which it would. Once begun it runs to its end.
    ///
    /// # Errors
    ///
    /// [`WriteError`]; some of the entries may be deleted then. Repeating it deletes the rest.
    pub async fn delete_entries(&self, request: DeleteEntries) -> Result<Deleted, WriteError> {
        let engine = self.clone();
        let running = tokio::spawn(async move { engine.delete_to_the_end(request).await });
        running.await.unwrap_or_else(|error| {
            Err(ReadError::Internal(format!("a deletion ended early: {error}")).into())
        })
    }

    async fn delete_to_the_end(&self, request: DeleteEntries) -> Result<Deleted, WriteError> {
        let user = self.user_key(&request.scope.tenant);
        let scope = self.scope_digest(&request.scope);
        let gate = self.fences().gate(&user);
        // Between looking for words and deleting what holds them, nothing may be written.
        let by_words = matches!(request.target, DeleteTarget::Words { .. });
        let _alone = if by_words { Some(gate.write().await) } else { None };
        let _in_order = if by_words { None } else { Some(gate.read().await) };
        // Behind the gate: an erasure that ends in between changes the user's key.
        let Some(rows) = self.rows(user)? else { return Ok(Deleted::default()) };
        let engine = self.clone();
        let DeleteEntries { scope: _, target, dry_run } = request;
        let of_rows = rows.clone();
        let ids = blocking(move || engine.aimed_at(&of_rows, scope, target)).await??;
        if dry_run {
            let engine = self.clone();
            return blocking(move || engine.those_there(&rows, scope, ids)).await?;
        }
        let (ids, mut count, mut done) = (Arc::new(ids), 0, 0);
        while done < ids.len() {
            let (page_count, page_entries) = self.bury_page(&rows, scope, &ids, done).await?;
            count += page_count;
            done += page_entries;
        }
        self.hide_now(user).await?;
        Ok(Deleted { count, ids: Vec::new() })
    }

    /// The ids that a deletion is aimed at; those given may not be there.
    fn aimed_at(
        &self,
        rows: &UserRows,
        scope: ScopeDigest,
        target: DeleteTarget,
    ) -> Result<Vec<EntryId>, ReadError> {
        match target {
            DeleteTarget::Ids(mut ids) => {
                let mut seen = std::collections::HashSet::new();
                ids.retain(|id| seen.insert(id.clone()));
                Ok(ids)
            }
            DeleteTarget::Words { text, matching } => self.holders(rows, scope, &text, matching),
        }
    }

    /// The entries that hold the words of a text, in the order of listing.
    fn holders(
        &self,
        rows: &UserRows,
        scope: ScopeDigest,
        text: &str,
        matching: Match,
    ) -> Result<Vec<EntryId>, ReadError> {
        let words = DeletionQuery::parse(text);
        let word_match = match matching {
            Match::All => WordMatch::All,
            Match::Any => WordMatch::Any,
        };
        let Some(tenant) = self.tenant(rows.user)?.filter(|_| !words.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut candidates = Vec::new();
        {
            let guard = tenant.read();
            let memory = guard.as_ref().and_then(|memory| memory.scope(&scope));
            let Some(memory) = memory else { return Ok(Vec::new()) };
            let question = Question::of_words(words.candidates().clone());
            let ranking = rank(&question, &[memory.index()], None, &|| false)
                .map_err(|_| ReadError::Interrupted)?;
            let found = ranking.matches.iter();
            candidates.extend(found.filter_map(|found| memory.doc(found.doc).cloned()));
        }
        // The index holds stems; whether the very words are there only the text tells.
        let mut holders = Vec::new();
        for doc in candidates {
            let Some(front) = rows.front(&scope, &doc.digest, &doc.record)? else { continue };
            if words.is_held_by(front.text.lines(), word_match) {
                holders.push(doc);
            }
        }
        holders.sort_unstable_by(|left, right| listing_order(left, right));
        Ok(holders.into_iter().map(|doc| doc.record.id.clone()).collect())
    }

    /// Of these ids, those that are there.
    fn those_there(
        &self,
        rows: &UserRows,
        scope: ScopeDigest,
        mut ids: Vec<EntryId>,
    ) -> Result<Deleted, WriteError> {
        let now = Timestamp::now();
        let mut failure = None;
        ids.retain(|id| {
            let digest = rows.entry_digest(&scope, id);
            match rows.read(&scope, &digest) {
                Ok(Some((Standing::Entry(record), _))) => !record.is_expired(now),
                Ok(Some((Standing::Damaged(_), _))) => true,
                Ok(Some((Standing::Buried(_), _)) | None) => false,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(Deleted { count: ids.len() as u64, ids }),
        }
    }

    /// Deletes a page of entries from the one at `start` on; answers how many were there, and how many
    /// ids the page took.
    async fn bury_page(
        &self,
        rows: &UserRows,
        scope: ScopeDigest,
        ids: &Arc<Vec<EntryId>>,
        start: usize,
    ) -> Result<(u64, usize), WriteError> {
        for _ in 0..ATTEMPTS {
            let engine = self.clone();
            let (of_rows, of_ids) = (rows.clone(), Arc::clone(ids));
            let prepared = move || engine.prepare_burial(&of_rows, scope, &of_ids[start..]);
            let Burial { proposal, count, taken } = blocking(prepared).await??;
            if count == 0 {
                return Ok((0, taken));
            }
            match self.commit(proposal).await {
                Ok(()) => return Ok((count, taken)),
                Err(WriteError::Commit(CommitError::Conflict { .. })) => {}
                Err(error) => return Err(error),
            }
        }
        Err(WriteError::Contended)
    }

    fn prepare_burial(
        &self,
        rows: &UserRows,
        scope: ScopeDigest,
        ids: &[EntryId],
    ) -> Result<Burial, WriteError> {
        let now = Timestamp::now();
        let (mut conditions, mut operations, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let mut taken = 0;
        for id in ids.iter().take(PAGE_ENTRIES) {
            if is_full_page(&operations) {
                break;
            }
            taken += 1;
            let digest: EntryDigest = rows.entry_digest(&scope, id);
            let Some((standing, stored)) = rows.read(&scope, &digest)? else { continue };
            let session_id = match &standing {
                Standing::Entry(record) if record.is_expired(now) => continue,
                Standing::Entry(record) => record.session_id.clone(),
                Standing::Buried(_) => continue,
                // What can't be read can still be deleted.
                Standing::Damaged(_) => None,
            };
            let key = StorageKey::entry(&rows.user, &scope, &digest);
            conditions.push(Condition::ValueIs(key, Sha256::digest(&stored).into()));
            let tombstone = Tombstone { id: id.clone(), session_id };
            rows.bury(&scope, &digest, &tombstone, &mut operations)?;
            rows.drop_attachments(&scope, &digest, &standing, &mut operations)?;
            changes.push(Change::Bury { scope, digest, tombstone });
        }
        let count = changes.len() as u64;
        let payload = TenantChange { user: rows.user, changes };
        Ok(Burial { proposal: Proposal { conditions, operations, payload }, count, taken })
    }

    /// Makes answers under way leave out what was deleted: the deletion answers after that.
    pub(super) async fn hide_now(&self, user: UserKey) -> Result<(), ReadError> {
        let Some(tenant) = self.cache().find(&user) else { return Ok(()) };
        let engine = self.clone();
        blocking(move || engine.catch_up(&tenant)).await?
    }
}
