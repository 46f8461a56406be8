//! An entry in a tenant's memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::record::{Record, StoredBody};
use crate::recall::analysis::EntryTerms;
use crate::store::EntryDigest;

/// An entry as it is held in memory: everything but the bytes of a chunked body.
#[derive(Debug)]
pub(crate) struct Doc {
    /// What is stored.
    pub(crate) record: Record,
    /// Its name in storage keys.
    pub(crate) digest: EntryDigest,
    /// The terms it was indexed by, when they can't be had again from the record.
    pub(super) kept_terms: Option<Box<EntryTerms>>,
    /// Set when the entry is deleted: answers still under way leave it out then. Every version of an entry
    /// shares it, so that an answer under way may show the version before, but nothing that is deleted.
    gone: Arc<AtomicBool>,
}

/// Bytes of a document beside its texts: the structures, map entries and list places of the index.
const DOC_OVERHEAD_BYTES: usize = size_of::<Doc>() + 160;

impl Doc {
    pub(super) fn new(record: Record, digest: EntryDigest, terms: &EntryTerms) -> Self {
        let kept_terms = match &record.body {
            StoredBody::Inline(_) => None,
            StoredBody::Chunked { .. } => Some(Box::new(terms.clone())),
        };
        Self { record, digest, kept_terms, gone: Arc::default() }
    }

    /// Makes this the next version of an entry.
    pub(super) fn succeed(&mut self, before: &Self) {
        self.gone = Arc::clone(&before.gone);
    }

    /// Whether the entry has been deleted since this was read.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    pub(super) fn mark_gone(&self) {
        self.gone.store(true, Ordering::Release);
    }

    /// About how many bytes of memory it takes, the postings apart.
    pub(super) fn approximate_bytes(&self) -> usize {
        let body = self.record.body_bytes();
        let terms = self.kept_terms.as_ref().map_or(0, |terms| terms_bytes(terms));
        DOC_OVERHEAD_BYTES + body + terms + self.record.id.as_str().len()
    }
}

fn terms_bytes(terms: &EntryTerms) -> usize {
    terms.iter().map(|counted| counted.term.len() + size_of::<[usize; 3]>()).sum()
}
