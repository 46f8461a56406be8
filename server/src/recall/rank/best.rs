//! The best matches: thousands of entries may hold a frequent word, and writing all of them down would
//! cost more than finding them.

use std::cmp::Ordering;

/// Decides between two matches of equal value on one day, each given as the place of its scope and
/// its number: `Less` if the first one comes first.
pub type Tie<'a> = &'a dyn Fn((usize, u32), (usize, u32)) -> Ordering;

/// Which of the matches the caller wants to see. The others are only counted.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// So many of the best by value; of equal value, those of a later day.
    pub limit: usize,
    /// The least score, 0 to 1 as the wire has it; 0 lets all pass.
    pub min_score: f32,
    /// Where value and day are equal.
    pub tie: Tie<'a>,
}

/// What is known of a match while it may be among the best.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub rank: Rank,
    pub lexical: f64,
    pub likeness: Option<Likeness>,
}

/// What matches are ordered by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank {
    pub value: f64,
    pub day: i32,
    pub scope: u32,
    pub doc: u32,
}

impl Rank {
    fn place(&self) -> (usize, u32) {
        (self.scope as usize, self.doc)
    }
}

/// D and c of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likeness {
    pub mixed: f64,
    pub own: f64,
}

/// The best matches so far, or all of them.
pub(super) struct Best<'a> {
    wanted: Option<Wanted<'a>>,
    kept: Vec<Kept>,
    /// The last of the best at some time: what comes behind it isn't among them.
    bar: Option<Rank>,
}

impl<'a> Best<'a> {
    /// The `wanted` ones, or all.
    pub(super) fn new(wanted: Option<Wanted<'a>>) -> Self {
        Self { wanted, kept: Vec::new(), bar: None }
    }

    /// No match of a smaller value is among the best.
    pub(super) fn least_value(&self) -> f64 {
        self.bar.as_ref().map_or(0.0, |bar| bar.value)
    }

    /// Whether a match is among the best so far.
    ///
    /// Of those that tie the best ones should come first: each that is better than those before it
    /// is written down.
    pub(super) fn holds(&self, rank: &Rank) -> bool {
        let Some(Wanted { limit, tie, .. }) = self.wanted else { return true };
        let Some(bar) = &self.bar else { return limit > 0 };
        // What `order` says, but faster: there may be thousands that tie.
        if rank.value != bar.value {
            rank.value > bar.value
        } else if rank.day != bar.day {
            rank.day > bar.day
        } else {
            tie(rank.place(), bar.place()).is_lt()
        }
    }

    /// Takes in a match that is among the best so far.
    pub(super) fn take(&mut self, found: Kept) {
        self.kept.push(found);
        let Some(Wanted { limit, tie, .. }) = self.wanted else { return };
        // Twice the room, so that a match costs a few comparisons and no order is kept.
        if limit > 0 && self.kept.len() >= limit.saturating_mul(2) {
            let by_rank = |left: &Kept, right: &Kept| order(tie, &left.rank, &right.rank);
            self.kept.select_nth_unstable_by(limit - 1, by_rank);
            self.kept.truncate(limit);
            self.bar = self.kept.last().map(|last| last.rank);
        }
    }

    /// The wanted ones, best first; or all of them in the order in which they came.
    pub(super) fn into_kept(self) -> Vec<Kept> {
        let Self { wanted, mut kept, bar: _ } = self;
        if let Some(Wanted { limit, tie, .. }) = wanted {
            kept.sort_unstable_by(|left, right| order(tie, &left.rank, &right.rank));
            kept.truncate(limit);
        }
        kept
    }
}

/// Best first.
fn order(tie: Tie<'_>, left: &Rank, right: &Rank) -> Ordering {
    let by_value = right.value.total_cmp(&left.value);
    by_value.then_with(|| right.day.cmp(&left.day)).then_with(|| tie(left.place(), right.place()))
}
