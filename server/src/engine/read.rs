//! The read path: tenants brought up to date, and single entries.

use std::sync::Arc;

use super::error::ReadError;
use super::found::Found;
use super::load::load;
use super::record::Record;
use super::rows::{Standing, UserRows};
use super::tenant::Tenant;
use super::{Engine, blocking};
use crate::domain::{Entry, EntryBody, EntryId, Scope, SessionId, Timestamp};
use crate::embed::Embedder;
use crate::store::{EntryDigest, ScopeDigest, UserKey};

/// What became of reading an entry that was found.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Read {
    /// Here it is.
    Entry(Entry),
    /// It was deleted, or its time was over, before it could be read.
    Gone,
    /// It can't be read; GetEntry tells why.
    Damaged,
}

impl Engine {
    /// One entry of exactly this scope, as it is on disk.
    ///
    /// # Errors
    ///
    /// [`ReadError::NotFound`], [`ReadError::Damaged`], or that the store doesn't answer.
    pub async fn get(&self, scope: Scope, id: EntryId) -> Result<Entry, ReadError> {
        let engine = self.clone();
        blocking(move || engine.get_blocking(&scope, id)).await?
    }

    fn get_blocking(&self, scope: &Scope, id: EntryId) -> Result<Entry, ReadError> {
        let user = self.user_key(&scope.tenant);
        let Some(rows) = self.rows(user)? else { return Err(ReadError::NotFound(id)) };
        let scope = self.scope_digest(scope);
        let digest = rows.entry_digest(&scope, &id);
        loop {
            let mut found = rows.read(&scope, &digest)?;
            if rows.is_unsynced(&scope, &digest, found.as_ref()) {
                // A power cut could still take it back.
                self.settle(user)?;
                found = rows.read(&scope, &digest)?;
            }
            let record = match found {
                Some((Standing::Entry(record), _)) if !record.is_expired(Timestamp::now()) => {
                    record
                }
                Some((Standing::Damaged(damage), _)) => {
                    return Err(ReadError::Damaged { name: id.to_string(), damage });
                }
                Some((Standing::Entry(_) | Standing::Buried(_), _)) | None => {
                    return Err(ReadError::NotFound(id));
                }
            };
            let body = rows.body(&scope, &digest, &record);
            if let Ok(Some(body)) = body {
                return Ok(record.with_body(body));
            }
            // The chunks of the version before go with an update: then there is another version.
            if !is_replaced(&rows, &scope, &digest, &record)? {
                return Err(body.err().unwrap_or(ReadError::NotFound(id)));
            }
        }
    }

    /// An entry that a search or a listing found, whole. `None`: it was deleted, or its time was over,
    /// before it could be read.
    ///
    /// # Errors
    ///
    /// [`ReadError::Damaged`], or that the store doesn't answer.
    pub async fn entry(&self, found: &Found) -> Result<Option<Entry>, ReadError> {
        if found.is_gone(Timestamp::now()) {
            return Ok(None);
        }
        if let Some(body) = found.inline_body() {
            let body = body.map_err(|error| ReadError::Damaged {
                name: found.doc.record.id.to_string(),
                damage: error.into(),
            })?;
            return Ok(Some(found.doc.record.with_body(body)));
        }
        let engine = self.clone();
        let of_found = found.clone();
        blocking(move || engine.chunked_entry(&of_found)).await?
    }

    /// As [`Engine::entry`], but a damaged entry is reported to the log and left out: the others stay
    /// readable.
    ///
    /// # Errors
    ///
    /// That the store doesn't answer.
    pub async fn readable_entry(&self, found: &Found) -> Result<Read, ReadError> {
        match self.entry(found).await {
            Ok(Some(entry)) => Ok(Read::Entry(entry)),
            Ok(None) => Ok(Read::Gone),
            Err(error @ ReadError::Damaged { .. }) => {
                tracing::error!(%error, "entry left out of an answer");
                Ok(Read::Damaged)
            }
            Err(error) => Err(error),
        }
    }

    fn chunked_entry(&self, found: &Found) -> Result<Option<Entry>, ReadError> {
        let Some(rows) = self.rows(found.user)? else { return Ok(None) };
        let record = &found.doc.record;
        let body = match rows.body(&found.scope, &found.doc.digest, record) {
            // Half of its parts may be gone because it is being deleted at this moment.
            Err(ReadError::Damaged { .. })
                if is_replaced(&rows, &found.scope, &found.doc.digest, record)? =>
            {
                None
            }
            body => body?,
        };
        let whole: Option<EntryBody> = body.filter(|_| !found.is_gone(Timestamp::now()));
        Ok(whole.map(|body| record.with_body(body)))
    }

    /// The user's rows; `None` for a user without any.
    pub(super) fn rows(&self, user: UserKey) -> Result<Option<UserRows>, ReadError> {
        let data_key = self.store().key_ring().data_key(&user)?;
        Ok(data_key.map(|data_key| UserRows { store: self.store().clone(), user, data_key }))
    }

    /// The user's tenant, if it is in memory and holds every commit so far.
    pub(super) fn current_tenant(&self, user: UserKey) -> Option<Arc<Tenant>> {
        self.cache().find(&user)?;
        let tenant = self.cache().enter(user);
        tenant.is_current(Timestamp::now()).then_some(tenant)
    }

    /// Brings the user's tenant up to date. Of those that need the same tenant one does the work, the
    /// others wait for it without holding a thread.
    pub(super) async fn make_ready(&self, user: UserKey) -> Result<(), ReadError> {
        if self.store().key_ring().data_key(&user)?.is_none() {
            return Ok(());
        }
        let tenant = self.cache().enter(user);
        let _turn = tenant.turn.lock().await;
        if tenant.is_current(Timestamp::now()) {
            return Ok(());
        }
        let (engine, of_tenant) = (self.clone(), Arc::clone(&tenant));
        blocking(move || engine.catch_up(&of_tenant)).await?
    }

    /// The user's tenant, holding every commit so far; `None` for a user without entries. Blocks.
    pub(super) fn tenant(&self, user: UserKey) -> Result<Option<Arc<Tenant>>, ReadError> {
        if self.store().key_ring().data_key(&user)?.is_none() {
            return Ok(None);
        }
        let mut tenant = self.cache().enter(user);
        self.catch_up(&tenant)?;
        if tenant.is_worn_out() {
            drop(tenant);
            self.cache().forget(&user);
            tenant = self.cache().enter(user);
            self.catch_up(&tenant)?;
        }
        Ok(Some(tenant))
    }

    /// Brings a tenant up to date. Blocks.
    pub(super) fn catch_up(&self, tenant: &Tenant) -> Result<(), ReadError> {
        let before = tenant.approximate_bytes();
        tenant.catch_up(Timestamp::now(), |take| {
            let Some(rows) = self.rows(tenant.user)? else { return Ok(()) };
            let met_writes = load(&rows, self.embedder().map(Embedder::identity), take)?;
            if met_writes {
                self.settle(tenant.user).map_err(ReadError::from)?;
            }
            Ok::<_, ReadError>(())
        })?;
        self.cache().resized(before, tenant.approximate_bytes());
        Ok(())
    }

    /// The entries of a session and the marks of those deleted from it. Blocks.
    pub(super) fn session_entries(
        &self,
        rows: &UserRows,
        scope: &ScopeDigest,
        session: &SessionId,
    ) -> Result<Vec<EntryDigest>, ReadError> {
        let Some(tenant) = self.tenant(rows.user)? else { return Ok(Vec::new()) };
        let guard = tenant.read();
        let memory = guard.as_ref().and_then(|memory| memory.scope(scope));
        let mut digests = memory.map_or_else(Vec::new, |memory| memory.session_digests(session));
        // In the order of the store's keys, neighbours are read and removed together.
        digests.sort_unstable();
        Ok(digests)
    }
}

/// Whether something else than this record stands at an entry's key by now.
pub(super) fn is_replaced(
    rows: &UserRows,
    scope: &ScopeDigest,
    digest: &EntryDigest,
    record: &Record,
) -> Result<bool, ReadError> {
    Ok(match rows.read(scope, digest)? {
        Some((Standing::Entry(current), _)) => *current != *record,
        Some((Standing::Buried(_) | Standing::Damaged(_), _)) | None => true,
    })
}
