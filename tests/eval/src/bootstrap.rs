//! How far a figure would move with other questions of the same kind: percentile bootstrap.
//!
//! Source: B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13. Questions are
//! drawn with a fixed seed, so that the same answers give the same interval.

use serde::{Deserialize, Serialize};

const RESAMPLES: usize = 2_000;
const SEED: u64 = 20_240_229;
/// What lies outside of the interval on each side.
const TAIL: f64 = 0.025;

/// A figure with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Interval {
    pub(crate) value: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// A share as (part, whole) of each question: the sum of the parts over that of the wholes. `None`
/// without a whole.
pub(crate) fn share(samples: &[(f64, f64)]) -> Option<Interval> {
    let ratio = |indexes: &mut dyn Iterator<Item = usize>| {
        let (mut part, mut whole) = (0.0, 0.0);
        for index in indexes {
            part += samples[index].0;
            whole += samples[index].1;
        }
        (whole > 0.0).then(|| part / whole)
    };
    resampled(samples.len(), ratio)
}

/// The mean of one value for each question. `None` without questions.
pub(crate) fn mean(values: &[f64]) -> Option<Interval> {
    let samples: Vec<_> = values.iter().map(|value| (*value, 1.0)).collect();
    share(&samples)
}

/// The mean of what each question gained from an old run to a new one: (old, new). Much narrower than
/// two intervals laid side by side, as the questions are the same.
pub(crate) fn gain(pairs: &[(f64, f64)]) -> Option<Interval> {
    let gains: Vec<_> = pairs.iter().map(|(old, new)| new - old).collect();
    mean(&gains)
}

fn resampled(
    count: usize,
    figure: impl Fn(&mut dyn Iterator<Item = usize>) -> Option<f64>,
) -> Option<Interval> {
    let value = figure(&mut (0..count))?;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut figures: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| figure(&mut (0..count).map(|_| random.usize(0..count))))
        .collect();
    figures.sort_unstable_by(f64::total_cmp);
    let last = figures.len().saturating_sub(1);
    let at = |share: f64| figures.get((share * last as f64).round() as usize).copied();
    Some(Interval { value, low: at(TAIL).unwrap_or(value), high: at(1.0 - TAIL).unwrap_or(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(heads: usize, throws: usize) -> Vec<f64> {
        (0..throws).map(|throw| f64::from(u8::from(throw < heads))).collect()
    }

    #[test]
    fn the_interval_of_a_share_is_that_of_the_binomial() {
        // Normal approximation: .3 ± 1.96 √(.3 · .7 / 1000) = .2716 to .3284.
        let interval = mean(&coin(300, 1_000)).unwrap();
        assert!((interval.value - 0.3).abs() < 1e-12);
        assert!((interval.low - 0.2716).abs() < 0.003, "{interval:?}");
        assert!((interval.high - 0.3284).abs() < 0.003, "{interval:?}");
    }

    #[test]
    fn the_same_values_give_the_same_interval() {
        assert_eq!(mean(&coin(7, 30)), mean(&coin(7, 30)));
        assert_ne!(mean(&coin(7, 30)), mean(&coin(8, 30)));
    }

    #[test]
    fn equal_values_leave_no_doubt_and_none_no_figure() {
        let certain = Interval { value: 1.0, low: 1.0, high: 1.0 };
        assert_eq!(mean(&[1.0; 12]), Some(certain));
        assert_eq!(mean(&[]), None);
        assert_eq!(share(&[(0.0, 0.0); 5]), None);
    }

    #[test]
    fn a_share_weighs_questions_by_their_wholes() {
        assert_eq!(share(&[(1.0, 1.0), (0.0, 3.0)]).unwrap().value, 0.25);
    }

    #[test]
    fn a_small_gain_of_every_question_is_seen() {
        let pairs: Vec<_> = coin(50, 100).iter().map(|old| (*old, old + 0.01)).collect();
        let gained = gain(&pairs).unwrap();
        assert!((gained.value - 0.01).abs() < 1e-9 && gained.low > 0.0, "{gained:?}");
    }
}
