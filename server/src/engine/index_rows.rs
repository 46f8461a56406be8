//! The rows that search keeps beside entries: written, read one by one, and read page by page.

use super::error::{ReadError, WriteError};
use super::index_row::IndexRow;
use super::rows::{PAGE_ROWS, UserRows};
use crate::store::{
    EntryDigest, KeyParts, KeyRange, Operation, RecordType, Row, ScopeDigest, StorageKey, open,
    seal,
};

/// Rows of neighbouring entries, still sealed, taken out in the order of their keys.
pub(super) struct SealedIndexRows {
    /// Last first.
    rows: Vec<SealedIndexRow>,
}

/// The row that search keeps of an entry, as stored.
pub(super) struct SealedIndexRow {
    scope: ScopeDigest,
    entry: EntryDigest,
    stored: Vec<u8>,
}

impl SealedIndexRows {
    /// The row of an entry that comes behind all those asked for before.
    pub(super) fn take(
        &mut self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
    ) -> Option<SealedIndexRow> {
        while let Some(row) = self.rows.last() {
            match (&row.scope, &row.entry).cmp(&(scope, entry)) {
                std::cmp::Ordering::Greater => return None,
                std::cmp::Ordering::Equal => return self.rows.pop(),
                std::cmp::Ordering::Less => drop(self.rows.pop()),
            }
        }
        None
    }
}

impl UserRows {
    /// Seals the row that search keeps of an entry.
    pub(super) fn put_index(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
        row: &IndexRow,
        operations: &mut Vec<Operation>,
    ) -> Result<(), WriteError> {
        let key = StorageKey::index(&self.user, scope, entry);
        let sealed = seal(&self.data_key, &key, RecordType::Index, &row.encode())?;
        operations.push(Operation::Put { key, sealed });
        Ok(())
    }

    /// The row that search keeps of an entry; one that can't be read is made anew.
    pub(super) fn read_index(
        &self,
        scope: &ScopeDigest,
        entry: &EntryDigest,
    ) -> Result<Option<IndexRow>, ReadError> {
        let key = StorageKey::index(&self.user, scope, entry);
        let stored = self.store.get(&key)?;
        Ok(stored.and_then(|stored| self.parse_index(key.as_bytes(), &stored)))
    }

    /// The rows that search keeps of a page of entries.
    pub(super) fn index_rows_beside(&self, page: &[Row]) -> Result<SealedIndexRows, ReadError> {
        let mut rows = Vec::with_capacity(page.len());
        let place = |row: Option<&Row>| match KeyParts::parse(&row?.0) {
            Ok(KeyParts::Entry { scope, entry, .. }) => Some((scope, entry)),
            _ => None,
        };
        if let (Some(first), Some(last)) = (place(page.first()), place(page.last())) {
            let mut rest = KeyRange::indexes_between(&self.user, first, last);
            loop {
                let part = self.store.scan(&rest, PAGE_ROWS)?;
                let next = match part.last() {
                    Some((last, _)) if part.len() == PAGE_ROWS => Some(rest.after(last)),
                    _ => None,
                };
                rows.extend(part.into_iter().filter_map(|(key, stored)| {
                    match KeyParts::parse(&key) {
                        Ok(KeyParts::Index { scope, entry, .. }) => {
                            Some(SealedIndexRow { scope, entry, stored })
                        }
                        _ => None,
                    }
                }));
                match next {
                    Some(next) => rest = next,
                    None => break,
                }
            }
        }
        rows.reverse();
        Ok(SealedIndexRows { rows })
    }

    /// Opens a row; `None` for one that can't be read, which is made anew.
    pub(super) fn open_index(&self, row: &SealedIndexRow) -> Option<IndexRow> {
        let key = StorageKey::index(&self.user, &row.scope, &row.entry);
        self.parse_index(key.as_bytes(), &row.stored)
    }

    fn parse_index(&self, key: &[u8], stored: &[u8]) -> Option<IndexRow> {
        let opened = open(&self.data_key, key, stored).ok()?;
        IndexRow::decode(opened.content).ok()
    }
}
