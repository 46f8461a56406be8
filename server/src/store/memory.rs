//! The engine that keeps everything in memory: for tests and for servers that may forget.

use std::collections::BTreeMap;
use std::ops::Bound;

use parking_lot::RwLock;

use super::keyspace::{
    ApplyError, Keyspace, KeyspaceLimits, Mutation, ReadError, Row, check_limits,
};
use super::{MAX_BATCH_BYTES, MAX_VALUE_BYTES};

/// A sorted map under a lock.
#[derive(Default)]
pub struct MemoryKeyspace {
    /// All rows; a batch holds the write half while it is applied, so that readers see all of it or nothing.
    rows: RwLock<BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl Keyspace for MemoryKeyspace {
    /// The limits of the embedded engine on disk, so that tests in memory walk the paths that production walks.
    fn limits(&self) -> KeyspaceLimits {
        KeyspaceLimits { value_bytes: MAX_VALUE_BYTES, batch_bytes: MAX_BATCH_BYTES }
    }

    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.rows.read().get(key).cloned())
    }

    fn scan(&self, from: &[u8], until: &[u8], limit: usize) -> Result<Vec<Row>, ReadError> {
        if from >= until {
            return Ok(Vec::new());
        }
        let rows = self.rows.read();
        let page = rows
            .range::<[u8], _>((Bound::Included(from), Bound::Excluded(until)))
            .take(limit)
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        Ok(page)
    }

    fn scan_keys(
        &self,
        from: &[u8],
        until: &[u8],
        limit: usize,
    ) -> Result<Vec<Vec<u8>>, ReadError> {
        if from >= until {
            return Ok(Vec::new());
        }
        let rows = self.rows.read();
        let page = rows
            .range::<[u8], _>((Bound::Included(from), Bound::Excluded(until)))
            .take(limit)
            .map(|(key, _)| key.clone())
            .collect();
        Ok(page)
    }

    fn apply(&self, batch: &[Mutation]) -> Result<(), ApplyError> {
        check_limits(self.limits(), batch)?;
        let mut rows = self.rows.write();
        for mutation in batch {
            match mutation {
                Mutation::Put { key, value } => {
                    rows.insert(key.clone(), value.clone());
                }
                Mutation::Delete { key } => {
                    rows.remove(key);
                }
            }
        }
        Ok(())
    }

    fn health(&self) -> Result<(), ApplyError> {
        Ok(())
    }

    fn size_on_disk(&self) -> Result<u64, ReadError> {
        Ok(0)
    }
}
