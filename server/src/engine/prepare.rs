//! Making an addition ready for the committer: identities, outcomes, conditions, sealed rows.

use std::collections::HashMap;

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::Engine;
use super::change::Change;
use super::error::WriteError;
use super::identity::{Identities, fingerprint};
use super::record::{Record, StoredBody};
use super::rows::{Standing, UserRows};
use crate::domain::{
    AddEntries, AddReceipt, EntryId, EntryResult, NewEntry, Outcome, Timestamp, WriteMode,
};
use crate::store::{
    Condition, EntryDigest, Operation, ScopeDigest, StorageKey, UserKey, read_header,
};

/// An addition made ready for the committer.
pub(super) struct Prepared {
    pub(super) conditions: Vec<Condition>,
    pub(super) operations: Vec<Operation>,
    pub(super) changes: Vec<Change>,
    pub(super) receipt: AddReceipt,
    /// Whether it relies on something that isn't known to be on disk yet.
    pub(super) relies_on_unsynced: bool,
}

impl Engine {
    /// Makes an addition ready: looks at what stands at each entry's place. Blocks.
    pub(super) fn prepare(
        &self,
        user: UserKey,
        scope: ScopeDigest,
        request: &AddEntries,
    ) -> Result<Prepared, WriteError> {
        if !self.disk().has_room() {
            return Err(WriteError::DiskFull);
        }
        self.welcome(user);
        let data_key = self.store().key_ring().ensure(&user)?;
        let rows = UserRows { store: self.store().clone(), user, data_key };
        let mut preparation = Preparation {
            engine: self,
            rows,
            scope,
            request,
            now: Timestamp::now(),
            watermark: self.store().watermark(),
            seen: HashMap::new(),
            prepared: Prepared {
                conditions: Vec::new(),
                operations: Vec::new(),
                changes: Vec::new(),
                receipt: AddReceipt::default(),
                relies_on_unsynced: false,
            },
        };
        let mut identities = Identities::default();
        for (ordinal, entry) in request.entries.iter().enumerate() {
            let id = identities.next(request.session_id.as_ref(), entry);
            preparation.add(id, ordinal, entry)?;
        }
        if request.mode == WriteMode::Replace {
            preparation.remove_the_rest()?;
        }
        Ok(preparation.prepared)
    }

    /// Keeps a new user in memory from the first entry on: there is nothing to load.
    fn welcome(&self, user: UserKey) {
        let key_ring = self.store().key_ring();
        if key_ring.knows(&user) {
            return;
        }
        // Before the user gets a key, without which nothing is written: every commit finds the tenant.
        let tenant = self.cache().enter(user);
        tenant.begin_empty();
        if key_ring.knows(&user) {
            // Another addition came first, and its tenant may have been let go of already.
            tenant.unload();
        }
    }
}

/// An addition while it is being made ready.
struct Preparation<'a> {
    engine: &'a Engine,
    rows: UserRows,
    scope: ScopeDigest,
    request: &'a AddEntries,
    /// When the call was made ready, for what has expired by then.
    now: Timestamp,
    /// Commits above it may not be on disk yet.
    watermark: u64,
    /// What the call has put at a key so far; `None`: nothing, the mark of a deleted entry stays.
    seen: HashMap<EntryDigest, Option<Record>>,
    prepared: Prepared,
}

impl Preparation<'_> {
    fn add(&mut self, id: EntryId, ordinal: usize, entry: &NewEntry) -> Result<(), WriteError> {
        let digest = self.rows.entry_digest(&self.scope, &id);
        let mark = fingerprint(self.request.session_id.as_ref(), entry);
        let outcome = match self.seen.get(&digest) {
            // An id given twice in one call: the later one updates the earlier.
            Some(Some(earlier)) if earlier.fingerprint == mark => Outcome::Unchanged,
            Some(Some(earlier)) => {
                let earlier = earlier.clone();
                self.put(id.clone(), digest, ordinal, entry, mark, Some(&earlier))?;
                Outcome::Updated
            }
            Some(None) => Outcome::Suppressed,
            None => self.add_first(id.clone(), digest, ordinal, entry, mark)?,
        };
        self.prepared.receipt.results.push(EntryResult { id, outcome });
        Ok(())
    }

    /// Adds an entry that the call hasn't touched yet.
    fn add_first(
        &mut self,
        id: EntryId,
        digest: EntryDigest,
        ordinal: usize,
        entry: &NewEntry,
        mark: [u8; 32],
    ) -> Result<Outcome, WriteError> {
        let key = StorageKey::entry(&self.rows.user, &self.scope, &digest);
        let Some((standing, stored)) = self.rows.read(&self.scope, &digest)? else {
            self.prepared.conditions.push(Condition::Absent(key));
            self.put(id, digest, ordinal, entry, mark, None)?;
            return Ok(Outcome::Created);
        };
        let unsynced =
            read_header(key.as_bytes(), &stored).is_ok_and(|header| header.commit > self.watermark);
        self.prepared.relies_on_unsynced |= unsynced;
        // Also where nothing is to be changed: a later entry of the call may have the same id.
        let as_read = Condition::ValueIs(key, Sha256::digest(&stored).into());
        self.prepared.conditions.push(as_read);
        let outcome = match &standing {
            // Swept or not: what has expired isn't there.
            Standing::Entry(record) if record.is_expired(self.now) => Outcome::Created,
            Standing::Entry(record) if record.fingerprint == mark => {
                self.seen.insert(digest, Some((**record).clone()));
                return Ok(Outcome::Unchanged);
            }
            Standing::Entry(_) | Standing::Damaged(_) => Outcome::Updated,
            Standing::Buried(_) if self.request.restore_deleted => Outcome::Created,
            Standing::Buried(_) => {
                self.seen.insert(digest, None);
                return Ok(Outcome::Suppressed);
            }
        };
        self.rows.drop_attachments(
            &self.scope,
            &digest,
            &standing,
            &mut self.prepared.operations,
        )?;
        let before = match &standing {
            Standing::Entry(record) if outcome == Outcome::Updated => Some(&**record),
            _ => None,
        };
        self.put(id, digest, ordinal, entry, mark, before)?;
        Ok(outcome)
    }

    fn put(
        &mut self,
        id: EntryId,
        digest: EntryDigest,
        ordinal: usize,
        entry: &NewEntry,
        mark: [u8; 32],
        before: Option<&Record>,
    ) -> Result<(), WriteError> {
        let NewEntry { id: given, content, author, timestamp, expire_time, metadata_json } = entry;
        // A time of its own for each entry, so that those said at no given time keep their order.
        let added_at = self.engine.now_unique();
        // The same thing said again, with other metadata, was still said when it was first said.
        let said_before = before.filter(|_| given.is_none()).map(|record| record.timestamp);
        let mut record = Record {
            id,
            project_id: self.request.scope.project_id.clone(),
            session_id: self.request.session_id.clone(),
            author: author.clone(),
            timestamp: timestamp.or(said_before).unwrap_or(added_at),
            create_time: before.map_or(added_at, |record| record.create_time),
            expire_time: *expire_time,
            ordinal: before.map_or_else(
                || u32::try_from(ordinal).unwrap_or(u32::MAX),
                |record| record.ordinal,
            ),
            fingerprint: mark,
            timestamp_given: timestamp.is_some(),
            body: StoredBody::Inline(Bytes::new()),
        };
        let text = content.text().to_owned();
        if let Some(earlier) = self.seen.get(&digest).and_then(Option::as_ref) {
            let standing = Standing::Entry(Box::new(earlier.clone()));
            let operations = &mut self.prepared.operations;
            self.rows.drop_attachments(&self.scope, &digest, &standing, operations)?;
        }
        let operations = &mut self.prepared.operations;
        let metadata = metadata_json.as_deref();
        self.rows.put(&self.scope, &digest, &mut record, content, metadata, operations)?;
        self.seen.insert(digest, Some(record.clone()));
        let record = Box::new(record);
        let scope = self.scope;
        self.prepared.changes.push(Change::Upsert { scope, digest, record, text });
        Ok(())
    }

    /// Removes what the session holds beyond the call's entries; marks of deleted entries stay.
    fn remove_the_rest(&mut self) -> Result<(), WriteError> {
        let Some(session) = &self.request.session_id else { return Ok(()) };
        let mut rest = Vec::new();
        let held = self.engine.session_entries(&self.rows, &self.scope, session)?;
        for digest in held {
            if self.seen.contains_key(&digest) {
                continue;
            }
            let Some((standing, stored)) = self.rows.read(&self.scope, &digest)? else { continue };
            let Standing::Entry(record) = &standing else { continue };
            let key = StorageKey::entry(&self.rows.user, &self.scope, &digest);
            self.prepared
                .conditions
                .push(Condition::ValueIs(key.clone(), Sha256::digest(&stored).into()));
            self.prepared.operations.push(Operation::Delete { key });
            let operations = &mut self.prepared.operations;
            self.rows.drop_attachments(&self.scope, &digest, &standing, operations)?;
            self.prepared.receipt.removed += u64::from(!record.is_expired(self.now));
            rest.push(digest);
        }
        if !rest.is_empty() {
            self.prepared.changes.push(Change::Remove { scope: self.scope, digests: rest });
        }
        Ok(())
    }
}
