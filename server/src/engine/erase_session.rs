//! Removing one session, page by page.

use super::change::{Change, TenantChange};
use super::error::WriteError;
use super::rows::{PAGE_ROWS, Standing, UserRows, is_full_page};
use super::{Engine, blocking};
use crate::domain::{SessionId, Timestamp};
use crate::store::{EntryDigest, Operation, Proposal, ScopeDigest, StorageKey, UserKey};

impl Engine {
    /// Removes a session's entries and marks, and answers how many entries there were. The caller holds
    /// the user's gate alone.
    pub(super) async fn erase_session(
        &self,
        user: UserKey,
        scope: ScopeDigest,
        session_id: SessionId,
    ) -> Result<u64, WriteError> {
        let Some(rows) = self.rows(user)? else { return Ok(0) };
        let engine = self.clone();
        let of_rows = rows.clone();
        let digests =
            blocking(move || engine.session_entries(&of_rows, &scope, &session_id)).await??;
        let (mut count, mut rest) = (0, digests);
        while !rest.is_empty() {
            let of_rows = rows.clone();
            let prepared = blocking(move || session_removal(&of_rows, scope, rest)).await??;
            self.commit_patiently(prepared.proposal).await?;
            count += prepared.count;
            rest = prepared.rest;
        }
        self.hide_now(user).await?;
        Ok(count)
    }
}

/// A page of a session's removal made ready for the committer.
struct SessionPage {
    proposal: Proposal<TenantChange>,
    /// Entries it removes.
    count: u64,
    /// What is left for the next page.
    rest: Vec<EntryDigest>,
}

fn session_removal(
    rows: &UserRows,
    scope: ScopeDigest,
    mut digests: Vec<EntryDigest>,
) -> Result<SessionPage, WriteError> {
    let now = Timestamp::now();
    let mut operations = Vec::new();
    let mut count = 0;
    let mut taken = 0;
    for digest in digests.iter().take(PAGE_ROWS) {
        if is_full_page(&operations) {
            break;
        }
        taken += 1;
        let Some((standing, _)) = rows.read(&scope, digest)? else { continue };
        count += match &standing {
            Standing::Entry(record) => u64::from(!record.is_expired(now)),
            Standing::Buried(_) | Standing::Damaged(_) => 0,
        };
        operations.push(Operation::Delete { key: StorageKey::entry(&rows.user, &scope, digest) });
        rows.drop_attachments(&scope, digest, &standing, &mut operations)?;
    }
    let rest = digests.split_off(taken);
    let payload =
        TenantChange { user: rows.user, changes: vec![Change::Remove { scope, digests }] };
    Ok(SessionPage {
        proposal: Proposal { conditions: Vec::new(), operations, payload },
        count,
        rest,
    })
}
