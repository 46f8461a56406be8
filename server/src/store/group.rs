//! Folding proposals that wait together into one batch.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::commit_number;
use super::key::StorageKey;
use super::keyspace::{Keyspace, Mutation};
use super::proposal::{CommitError, Condition, LimitKind, Operation};

/// The proposals accepted so far of one group. Later ones see what earlier ones write.
pub(super) struct Group<'store> {
    keyspace: &'store dyn Keyspace,
    /// What the rows will be: a value, or `None` for removed.
    rows: BTreeMap<StorageKey, Option<Vec<u8>>>,
    /// Commit number of the last accepted proposal.
    last_commit: u64,
    /// Whether none was accepted.
    is_empty: bool,
}

impl<'store> Group<'store> {
    /// An empty group after commit `watermark`.
    pub(super) fn new(keyspace: &'store dyn Keyspace, watermark: u64) -> Self {
        Self { keyspace, rows: BTreeMap::new(), last_commit: watermark, is_empty: true }
    }

    /// Accepts a proposal and gives its commit number, or refuses it and leaves the group as it was.
    pub(super) fn admit(
        &mut self,
        conditions: &[Condition],
        operations: Vec<Operation>,
    ) -> Result<u64, CommitError> {
        self.check_sizes(&operations)?;
        for (position, condition) in conditions.iter().enumerate() {
            if !self.holds(condition)? {
                return Err(CommitError::Conflict { condition: position });
            }
        }
        self.last_commit += 1;
        self.is_empty = false;
        for operation in operations {
            match operation {
                Operation::Put { key, sealed } => {
                    let value = sealed.stamp(&key, self.last_commit);
                    self.rows.insert(key, Some(value));
                }
                Operation::Delete { key } => {
                    self.rows.insert(key, None);
                }
            }
        }
        Ok(self.last_commit)
    }

    /// Whether nothing was accepted.
    pub(super) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The one batch that all accepted proposals come to, with the number of the last of them.
    pub(super) fn into_batch(self) -> (Vec<Mutation>, u64) {
        let mut batch = Vec::with_capacity(self.rows.len() + 1);
        for (key, value) in self.rows {
            let key = key.into_bytes();
            batch.push(match value {
                Some(value) => Mutation::Put { key, value },
                None => Mutation::Delete { key },
            });
        }
        batch.push(commit_number::record(self.last_commit));
        (batch, self.last_commit)
    }

    fn check_sizes(&self, operations: &[Operation]) -> Result<(), CommitError> {
        let limits = self.keyspace.limits();
        let mut proposal_bytes = 0;
        for operation in operations {
            proposal_bytes += operation.bytes();
            if let Operation::Put { key: _, sealed } = operation
                && sealed.stored_bytes() > limits.value_bytes
            {
                return Err(CommitError::TooLarge {
                    what: LimitKind::Value,
                    bytes: sealed.stored_bytes(),
                    limit: limits.value_bytes,
                });
            }
        }
        let limit = limits.batch_bytes.saturating_sub(commit_number::RECORD_BYTES);
        if proposal_bytes > limit {
            return Err(CommitError::TooLarge {
                what: LimitKind::Proposal,
                bytes: proposal_bytes,
                limit,
            });
        }
        Ok(())
    }

    fn holds(&self, condition: &Condition) -> Result<bool, CommitError> {
        let stored;
        let value = match self.rows.get(condition.key()) {
            Some(value) => value,
            None => {
                stored = self
                    .keyspace
                    .get(condition.key().as_bytes())
                    .map_err(CommitError::Unreadable)?;
                &stored
            }
        };
        Ok(match (condition, value) {
            (Condition::Absent(_), value) => value.is_none(),
            (Condition::Exists(_), value) => value.is_some(),
            (Condition::ValueIs(_, digest), Some(value)) => {
                Sha256::digest(value).as_slice() == digest
            }
            (Condition::ValueIs(..), None) => false,
        })
    }
}
