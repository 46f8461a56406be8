//! An entry in a tenant's memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

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
    /// Set when the entry is deleted: answers still under way leave it out then.
    gone: AtomicBool,
    /// Stands for `gone` once there are several versions of the entry. All of them share it, so that an
    /// answer under way may show the version before, but nothing that is deleted.
    gone_in_all_versions: OnceLock<Arc<AtomicBool>>,
}

/// Bytes that the allocator keeps beside each allocation, and loses by rounding up, on the average.
const ALLOCATION_BYTES: usize = 16;

/// Counts of an `Arc`.
const ARC_BYTES: usize = 16;

/// A place in the map of digests, half of which is free at worst, and in the lists of numbers.
const PLACE_BYTES: usize = 64;

/// Bytes of a document beside its texts: its own allocation, those of id and body, and its places.
const DOC_OVERHEAD_BYTES: usize =
    size_of::<Doc>() + 2 * ARC_BYTES + 3 * ALLOCATION_BYTES + PLACE_BYTES;

impl Doc {
    pub(super) fn new(mut record: Record, digest: EntryDigest, terms: &EntryTerms) -> Self {
        let kept_terms = match &mut record.body {
            StoredBody::Inline(body) => {
                // As it was read it is a part of its row, all of which would stay in memory.
                *body = Bytes::copy_from_slice(body);
                None
            }
            StoredBody::Chunked { .. } => Some(Box::new(terms.clone())),
        };
        let (gone, gone_in_all_versions) = (AtomicBool::new(false), OnceLock::new());
        Self { record, digest, kept_terms, gone, gone_in_all_versions }
    }

    /// Makes this the next version of an entry.
    pub(super) fn succeed(&mut self, before: &Self) {
        let gone = || Arc::new(AtomicBool::new(before.gone.load(Ordering::Acquire)));
        self.gone_in_all_versions =
            Arc::clone(before.gone_in_all_versions.get_or_init(gone)).into();
    }

    /// Takes ids that are the same from another entry, so that their text is held once.
    pub(super) fn share_ids(&mut self, other: &Self) {
        let (own, other) = (&mut self.record, &other.record);
        if own.author == other.author {
            own.author = other.author.clone();
        }
        if own.session_id == other.session_id {
            own.session_id.clone_from(&other.session_id);
        }
        if own.project_id == other.project_id {
            own.project_id.clone_from(&other.project_id);
        }
    }

    /// Whether the entry has been deleted since this was read.
    pub(crate) fn is_gone(&self) -> bool {
        self.gone_flag().load(Ordering::Acquire)
    }

    pub(super) fn mark_gone(&self) {
        self.gone_flag().store(true, Ordering::Release);
    }

    fn gone_flag(&self) -> &AtomicBool {
        self.gone_in_all_versions.get().map_or(&self.gone, |shared| shared)
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
