//! What became of added entries.

use super::id::EntryId;

/// What became of one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is new.
    Created,
    /// Same identity, other content: the new one stands.
    Updated,
    /// It was there already, the same.
    Unchanged,
    /// It was deleted before, or while the call was under way, and stays deleted.
    Suppressed,
}

/// The id and the outcome of one added entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryResult {
    /// The entry's id, given or derived.
    pub id: EntryId,
    /// What became of it.
    pub outcome: Outcome,
}

/// The answer to an addition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddReceipt {
    /// One for each entry of the call, in its order.
    pub results: Vec<EntryResult>,
    /// How many entries a replacement removed.
    pub removed: u64,
}
