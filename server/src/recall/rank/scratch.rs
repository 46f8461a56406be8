//! The working memory of a ranking, kept for the next one: nothing is allocated for a query, and
//! nothing is cleared but what the one before touched.

use std::convert::Infallible;

use parking_lot::Mutex;

use super::bits::Bits;
use super::weights::LANES;
use crate::recall::constants::{SCRATCH_KEPT, SCRATCH_KEPT_DOCS};
use crate::recall::index::ScopeIndex;

static KEPT: Mutex<Vec<Scratch>> = Mutex::new(Vec::new());

/// Sums by doc and by session. All zero, and empty, between two scopes.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// Σ w' by doc, of each lane.
    pub sums: [Vec<f64>; LANES],
    /// Docs whose sums may be other than 0.
    pub touched: Bits,
    /// Docs that have evidence of their own.
    pub evidence: Bits,
    /// w' of the term at hand by doc.
    pub best: Vec<f64>,
    /// Docs that have a w' of the term at hand.
    pub best_docs: Vec<u32>,
    /// Σ .5 w(t,S) by session, of each lane.
    pub session_sums: [Vec<f64>; LANES],
    /// Occurrences of the term at hand by session.
    pub session_counts: Vec<u64>,
    /// Sessions that hold the term at hand.
    pub counted_sessions: Vec<u32>,
    /// Sessions that hold any term; one that holds several stands here several times.
    pub touched_sessions: Vec<u32>,
    /// c by doc; written before it is read, so never cleared.
    pub likeness: Vec<f32>,
}

impl Scratch {
    /// One that an earlier ranking left, or a new one.
    pub(super) fn take() -> Self {
        KEPT.lock().pop().unwrap_or_default()
    }

    /// Keeps it for the next ranking. One that isn't clean must be dropped instead.
    pub(super) fn give_back(self) {
        let mut kept = KEPT.lock();
        if kept.len() < SCRATCH_KEPT
            && self.sums[0].len().max(self.likeness.len()) <= SCRATCH_KEPT_DOCS
        {
            kept.push(self);
        }
    }

    /// Makes room for the entries of a scope.
    pub(super) fn fit(&mut self, index: &ScopeIndex, dated: bool) {
        let docs = index.numbers();
        self.touched.fit(docs);
        self.evidence.fit(docs);
        let with_session = index.sessions().places().len();
        grow(&mut self.best, with_session);
        let sessions = index.sessions().numbers();
        grow(&mut self.session_counts, sessions);
        for lane in 0..if dated { LANES } else { 1 } {
            grow(&mut self.sums[lane], docs);
            grow(&mut self.session_sums[lane], sessions);
        }
    }

    /// Makes everything zero again that [`Scratch::evidence`] doesn't name.
    pub(super) fn clear(&mut self) {
        let sums = &mut self.sums;
        let Ok(()) = self.touched.drain(|doc| {
            for sums in &mut *sums {
                if let Some(sum) = sums.get_mut(doc as usize) {
                    *sum = 0.0;
                }
            }
            Ok::<(), Infallible>(())
        });
        for session in self.touched_sessions.drain(..) {
            for sums in &mut self.session_sums {
                if let Some(sum) = sums.get_mut(session as usize) {
                    *sum = 0.0;
                }
            }
        }
    }
}

fn grow<T: Default + Clone>(column: &mut Vec<T>, length: usize) {
    if column.len() < length {
        column.resize(length, T::default());
    }
}
