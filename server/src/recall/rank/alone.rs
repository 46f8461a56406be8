//! Matches where nothing but the words of the entries themselves counts: keyword queries in scopes
//! without sessions. A frequent word finds thousands there, so they are looked at by runs.

use std::convert::Infallible;

use super::best::{Kept, Rank};
use super::bits::BITS;
use super::matches::Pass;
use super::scratch::Scratch;
use super::weights::WHOLE;
use crate::recall::index::ScopeIndex;

/// Values that are compared side by side.
const LANES: usize = 8;

impl Pass<'_> {
    /// Whether the value of a match is the sum of its words and nothing else, and nothing else has to
    /// be asked about it.
    pub(super) fn words_are_all(&self, index: &ScopeIndex, named: &[u32]) -> bool {
        self.meaning.is_none()
            && self.weights.dates.is_none()
            && named.is_empty()
            && index.sessions().places().is_empty()
            && self.admit.is_none()
            && self.min_score <= 0.0
    }

    /// Collects the matches of a scope where [words are all](Self::words_are_all).
    pub(super) fn collect_by_words(
        &mut self,
        scope: u32,
        index: &ScopeIndex,
        scratch: &mut Scratch,
    ) {
        let Scratch { sums, evidence, .. } = scratch;
        let Ok(()) = evidence.drain_runs(|first, bits| {
            self.matched += u64::from(bits.count_ones());
            let sums = sums[WHOLE].get_mut(first..).unwrap_or_default();
            let run = sums.len().min(BITS);
            let Some(sums) = sums.get_mut(..run) else { return Ok::<(), Infallible>(()) };
            let most = self.weights.scale.of_words(largest(sums));
            if most > self.best_by_words {
                self.best_by_words = most;
            }
            if most >= self.best.least_value() {
                self.take_run(scope, index, first, bits, sums);
            }
            sums.fill(0.0);
            Ok(())
        });
    }

    /// Takes what is among the best of a run, the last entry first.
    fn take_run(&mut self, scope: u32, index: &ScopeIndex, first: usize, bits: u64, sums: &[f64]) {
        let mut least = self.best.least_value();
        for (place, sum) in sums.iter().enumerate().rev() {
            let value = self.weights.scale.of_words(*sum);
            if value < least || bits >> place & 1 == 0 {
                continue;
            }
            // Fits: it is the number of an entry.
            let doc = (first + place) as u32;
            let rank = Rank { value, day: index.days().of(doc), scope, doc };
            if self.best.holds(&rank) {
                self.best.take(Kept { rank, lexical: value, likeness: None });
                least = self.best.least_value();
            }
        }
    }
}

/// The largest of some numbers that aren't negative.
fn largest(values: &[f64]) -> f64 {
    let (blocks, rest) = values.as_chunks::<LANES>();
    let mut largest = [0.0; LANES];
    for block in blocks.iter().map(<[f64; LANES]>::as_slice).chain([rest]) {
        for (largest, value) in largest.iter_mut().zip(block) {
            *largest = if value > largest { *value } else { *largest };
        }
    }
    largest.into_iter().fold(0.0, f64::max)
}
