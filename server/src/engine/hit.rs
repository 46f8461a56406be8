//! What a search found.

use super::found::Found;
use crate::domain::SearchStats;
use crate::recall::rank::Explanation;

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
    pub explanation: Option<Explanation>,
}
