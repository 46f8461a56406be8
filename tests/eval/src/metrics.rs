//! How good one answer is, and percentiles.

use std::collections::HashSet;
use std::time::Duration;

/// The share of the right entries that are among the first `k` hits, 0 to 1; 0 when nothing is right.
pub(crate) fn recall(hits: &[&str], right: &HashSet<String>, k: usize) -> f64 {
    if right.is_empty() {
        return 0.0;
    }
    let found: HashSet<&str> =
        hits.iter().take(k).copied().filter(|id| right.contains(*id)).collect();
    found.len() as f64 / right.len() as f64
}

/// Normalised discounted cumulative gain of the first `k` hits, every right entry being worth 1: 0 to
/// 1, 1 when all right entries stand first; 0 when nothing is right. A hit that comes twice counts once.
///
/// Source: K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS
/// 20(4), 2002; with the discount 1 / log2(rank + 1).
pub(crate) fn ndcg(hits: &[&str], right: &HashSet<String>, k: usize) -> f64 {
    let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let mut seen = HashSet::new();
    let gained: f64 = hits
        .iter()
        .take(k)
        .enumerate()
        .filter(|(_, id)| right.contains(**id) && seen.insert(**id))
        .map(|(place, _)| discount(place))
        .sum();
    let best: f64 = (0..right.len().min(k)).map(discount).sum();
    if best > 0.0 { gained / best } else { 0.0 }
}

/// The smallest duration that at least this share of all don't exceed (nearest rank); zero for none.
pub(crate) fn percentile(durations: &[Duration], share: f64) -> Duration {
    let mut sorted = durations.to_vec();
    sorted.sort_unstable();
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right(ids: &[&str]) -> HashSet<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn recall_is_the_share_of_the_right_ones() {
        let hits = ["a", "b", "c", "d"];
        assert_eq!(recall(&hits, &right(&["a"]), 1), 1.0);
        assert_eq!(recall(&hits, &right(&["b"]), 1), 0.0);
        assert_eq!(recall(&hits, &right(&["b", "x"]), 10), 0.5);
        assert_eq!(recall(&hits, &right(&["a", "b", "c", "d"]), 1), 0.25);
        assert_eq!(recall(&[], &right(&["a"]), 10), 0.0);
        assert_eq!(recall(&hits, &right(&[]), 10), 0.0);
        assert_eq!(recall(&["a", "a"], &right(&["a", "b"]), 10), 0.5);
    }

    #[test]
    fn ndcg_is_as_worked_out_by_hand() {
        let close = |value: f64, expected: f64| (value - expected).abs() < 1e-12;
        let hits = ["a", "b", "c", "d"];
        assert_eq!(ndcg(&hits, &right(&["a", "b"]), 10), 1.0);
        // 1 / log2(3), the ideal being 1.
        assert!(close(ndcg(&hits, &right(&["b"]), 10), 0.630_929_753_571_457_4));
        // (1 + 1/2) / (1 + 1/log2(3)).
        assert!(close(ndcg(&hits, &right(&["a", "c"]), 10), 0.919_720_789_148_187_6));
        // Three are right, but only one can be shown.
        assert_eq!(ndcg(&hits, &right(&["a", "b", "c"]), 1), 1.0);
        assert_eq!(ndcg(&hits, &right(&["d"]), 3), 0.0);
        assert_eq!(ndcg(&["a", "a"], &right(&["a"]), 10), 1.0);
        assert_eq!(ndcg(&[], &right(&["a"]), 10), 0.0);
        assert_eq!(ndcg(&hits, &right(&[]), 10), 0.0);
    }

    #[test]
    fn percentiles_are_values_that_occurred() {
        let durations: Vec<_> = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentile(&durations, 0.5), Duration::from_millis(50));
        assert_eq!(percentile(&durations, 0.99), Duration::from_millis(99));
        assert_eq!(percentile(&durations, 1.0), Duration::from_millis(100));
        assert_eq!(percentile(&durations[..1], 0.5), Duration::from_millis(100));
        assert_eq!(percentile(&[], 0.5), Duration::ZERO);
    }
}
