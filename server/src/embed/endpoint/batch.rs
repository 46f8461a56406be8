//! Which texts go into one request.

use std::ops::Range;

/// Texts in one request: what every known server takes.
pub(super) const BATCH_TEXTS: usize = 64;

/// Bytes of text in one request. OpenAI takes 300,000 tokens a request; dense text has a token every two
/// bytes or so.
pub(super) const BATCH_BYTES: usize = 384 * 1024;

/// Cuts texts of these lengths, in bytes, into runs within both limits. A text that is longer than a
/// batch goes alone.
pub(super) fn batches(lengths: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let (mut start, mut end, mut bytes) = (0, 0, 0_usize);
    for length in lengths {
        let full = end - start == BATCH_TEXTS || bytes.saturating_add(length) > BATCH_BYTES;
        if full && end > start {
            runs.push(start..end);
            (start, bytes) = (end, 0);
        }
        end += 1;
        bytes = bytes.saturating_add(length);
    }
    if end > start {
        runs.push(start..end);
    }
    runs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BATCH_BYTES, BATCH_TEXTS, batches};

    #[test]
    fn nothing_makes_no_batch_and_a_giant_goes_alone() {
        assert!(batches([].into_iter()).is_empty());
        let lengths = [1, BATCH_BYTES + 1, 1];
        assert_eq!(batches(lengths.into_iter()), [0..1, 1..2, 2..3]);
    }

    proptest! {
        #[test]
        fn batches_hold_every_text_once_in_order_and_keep_the_limits(
            lengths in prop::collection::vec(0..BATCH_BYTES / 3, 0..300)
        ) {
            let runs = batches(lengths.iter().copied());
            let held: Vec<usize> = runs.iter().cloned().flatten().collect();
            prop_assert_eq!(held, (0..lengths.len()).collect::<Vec<_>>());
            for run in runs {
                prop_assert!(run.len() <= BATCH_TEXTS);
                prop_assert!(lengths[run].iter().sum::<usize>() <= BATCH_BYTES);
            }
        }
    }
}
