//! What a search found.

use super::found::Found;
use crate::domain::SearchStats;
use crate::recall::rank::TermShare;

/// What a search found.
#[derive(Debug, Clone, Default)]
pub struct SearchAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// What was looked at.
    pub stats: SearchStats,
}

/// An entry that a search found.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The entry.
    pub found: Found,
    /// How sure the match is, 0 to 1.
    pub score: f32,
    /// Entries before it in its session, oldest first.
    pub before: Vec<Found>,
    /// Entries after it in its session, oldest first.
    pub after: Vec<Found>,
    /// Why it matched, when asked.
    pub explanation: Option<HitExplanation>,
}

/// Why an entry matched.
#[derive(Debug, Clone, PartialEq)]
pub struct HitExplanation {
    /// What hits are ordered by, 0 to 1.
    pub rank_value: f64,
    /// The part of it that comes from words, 0 to 1.
    pub lexical: f64,
    /// The words of the query that the entry holds, in the order of the query.
    pub terms: Vec<HitTerm>,
}

/// A word of the query that an entry holds.
#[derive(Debug, Clone, PartialEq)]
pub struct HitTerm {
    /// The word as the index knows it.
    pub term: String,
    /// Its share of the rank value.
    pub share: f64,
    /// How often the entry holds it.
    pub count: u32,
    /// How many of the entries in sight hold it.
    pub document_frequency: u64,
}

impl From<TermShare> for HitTerm {
    fn from(share: TermShare) -> Self {
        let TermShare { term, share, count, document_frequency, lent_by: _ } = share;
        Self { term, share, count, document_frequency }
    }
}
