//! From rank value to score: how sure a match is, the same for every corpus size.

use super::constants::SCORE_GAIN;

/// The score of a rank value `r` of words, both in 0..=1: s = min(1, 1.15 √r).
///
/// Monotone, so `min_score` never changes an order. It is the word channel of the measured score
/// min(1, max(1.15 √r, 1.25 D)); the channel D, an entry's own likeness of meaning, has no input
/// here yet. A value that is no number, or below 0, scores 0.
pub fn word_score(rank_value: f64) -> f64 {
    (SCORE_GAIN * rank_value.max(0.0).sqrt()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::word_score;

    #[test]
    fn score_stays_between_zero_and_one() {
        assert_eq!(word_score(0.0), 0.0);
        assert_eq!(word_score(-1.0), 0.0);
        assert_eq!(word_score(f64::NAN), 0.0);
        assert_eq!(word_score(1.0), 1.0);
        assert!((word_score(0.25) - 0.575).abs() < 1e-12);
    }

    #[test]
    fn score_follows_the_rank_value() {
        let scores: Vec<f64> = (0..=100).map(|step| word_score(f64::from(step) / 100.0)).collect();
        assert!(scores.is_sorted());
    }
}
