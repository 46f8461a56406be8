//! Requests in the domain's terms: what is searched, listed and deleted.

use super::entry::NewEntry;
use super::filter::EntryFilter;
use super::id::{EntryId, SessionId};
use super::scope::Scope;
use super::time::Timestamp;

/// How an addition treats what its session already holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WriteMode {
    /// New entries are added, known ones kept or updated, others stay.
    #[default]
    Upsert,
    /// The session becomes exactly the given entries.
    Replace,
}

/// An addition.
#[derive(Debug, Clone)]
pub struct AddEntries {
    /// Where to.
    pub scope: Scope,
    /// The session they belong to; `None`: none.
    pub session_id: Option<SessionId>,
    /// What is added.
    pub entries: Vec<NewEntry>,
    /// What becomes of the rest of the session.
    pub mode: WriteMode,
    /// Whether entries that were deleted come back.
    pub restore_deleted: bool,
}

/// What a search goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchMode {
    /// Words and, where there is an embedder, meaning.
    #[default]
    Hybrid,
    /// Words only.
    Lexical,
    /// Meaning only.
    Semantic,
}

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchQuery {
    /// Where to look: the global scope and, if there is one, the project.
    pub scope: Scope,
    /// Plain text.
    pub text: String,
    /// Hits at most.
    pub limit: usize,
    /// Least score of a hit, 0 to 1.
    pub min_score: f32,
    /// What it goes by.
    pub mode: SearchMode,
    /// Which entries it looks at.
    pub filter: EntryFilter,
    /// Neighbours to bring along on each side of a hit.
    pub context: usize,
    /// Whether to tell why each hit matched.
    pub explain: bool,
    /// What "last week" refers to; `None`: now.
    pub reference_time: Option<Timestamp>,
}

/// What a search looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Entries that scope and filter let it look at.
    pub considered: u64,
    /// Entries that matched the query.
    pub matched: u64,
    /// Matches below the least score.
    pub cut_by_score: u64,
    /// Matches beyond the limit.
    pub cut_by_limit: u64,
}

/// A listing.
#[derive(Debug, Clone, PartialEq)]
pub struct ListEntries {
    /// Where to look: the global scope and, if there is one, the project.
    pub scope: Scope,
    /// Which entries it looks at.
    pub filter: EntryFilter,
    /// Entries of a page at most, 1 to `Limits::PAGE_SIZE`.
    pub page_size: usize,
    /// The token of the page before; empty: the first page.
    pub page_token: String,
}

/// How many of a query's words an entry must hold to be deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Match {
    /// Every word.
    #[default]
    All,
    /// At least one.
    Any,
}

/// What a deletion is aimed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeleteTarget {
    /// These entries.
    Ids(Vec<EntryId>),
    /// Entries that hold the words of a text, which is not empty.
    Words {
        /// Plain text.
        text: String,
        /// How many of its words.
        matching: Match,
    },
}

/// A deletion of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteEntries {
    /// Exactly this scope.
    pub scope: Scope,
    /// Which of its entries.
    pub target: DeleteTarget,
    /// Only tell what would be deleted.
    pub dry_run: bool,
}
