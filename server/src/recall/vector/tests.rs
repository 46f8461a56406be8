use proptest::prelude::*;

use super::{QueryVector, Vector, dot, dot_rows};
use crate::recall::constants::MOST_DIMS;

fn unit(values: &[f32]) -> Vec<f32> {
    let norm = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter().map(|value| value / norm).collect()
}

#[test]
fn what_is_no_direction_is_refused() {
    assert_eq!(Vector::quantise(&[]), None);
    assert_eq!(Vector::quantise(&[0.0; 8]), None);
    assert_eq!(Vector::quantise(&[1.0, f32::NAN]), None);
    assert_eq!(Vector::quantise(&[f32::INFINITY, 0.0]), None);
    assert_eq!(Vector::quantise(&[1e-44, 0.0]), None);
    assert_eq!(Vector::quantise(&vec![0.1; MOST_DIMS + 1]), None);
    assert!(Vector::quantise(&vec![0.1; MOST_DIMS]).is_some());
    assert_eq!(QueryVector::quantise(&[0.0; 8]), None);
    assert_eq!(QueryVector::quantise(&[f32::NEG_INFINITY]), None);
    assert!(QueryVector::quantise(&[0.0, -1.0]).is_some());
}

#[test]
fn quantising_is_symmetrical() {
    let up = Vector::quantise(&[0.6, -0.8, 0.1]).unwrap();
    let down = Vector::quantise(&[-0.6, 0.8, -0.1]).unwrap();
    assert_eq!(up.values(), [95, -127, 16]);
    assert_eq!(down.values(), [-95, 127, -16]);
    assert_eq!(up.scale(), 0.8 / 127.0);
    assert_eq!(up.dims(), 3);
}

#[test]
fn stored_parts_are_checked() {
    let vector = Vector::quantise(&[0.6, -0.8]).unwrap();
    assert_eq!(Vector::from_parts(vector.values().into(), vector.scale()), Some(vector));
    assert_eq!(Vector::from_parts([].into(), 0.1), None);
    assert_eq!(Vector::from_parts([0, 0].into(), 0.1), None);
    assert_eq!(Vector::from_parts([i8::MIN, 127].into(), 0.1), None);
    for scale in [0.0, -0.1, f32::NAN, f32::INFINITY, 1e-44] {
        assert_eq!(Vector::from_parts([127].into(), scale), None, "{scale}");
    }
}

#[test]
fn the_largest_products_fit() {
    let query = [2047_i16; MOST_DIMS];
    let mut dots = [0; 2];
    let rows = [[127_i8; MOST_DIMS], [i8::MIN; MOST_DIMS]].concat();
    dot_rows(&query, &rows, &mut dots);
    assert_eq!(dots, [2047 * 127 * 4096, -2047 * 128 * 4096]);
    assert_eq!(dot(&rows[..MOST_DIMS], &rows[..MOST_DIMS]), 127 * 127 * 4096);
}

#[test]
fn rows_of_no_width_have_no_products() {
    let mut dots = [7];
    dot_rows(&[], &[], &mut dots);
    assert_eq!(dots, [7]);
}

proptest! {
    #[test]
    fn products_are_those_of_the_plain_sum(
        dims in prop_oneof![1..300usize, Just(128), Just(256), Just(512)],
        rows in 0..5usize,
        seed in any::<u64>(),
    ) {
        let mut state = seed | 1;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            (state >> 33) as i32
        };
        let query: Vec<i16> = (0..dims).map(|_| (next() % 2_048) as i16).collect();
        let values: Vec<i8> = (0..dims * rows).map(|_| (next() % 128) as i8).collect();
        let plain = |row: &[i8]| -> i64 {
            query.iter().zip(row).map(|(&a, &b)| i64::from(a) * i64::from(b)).sum()
        };
        let expected: Vec<i64> = values.chunks(dims).map(plain).collect();
        let mut dots = vec![0; rows];
        dot_rows(&query, &values, &mut dots);
        prop_assert_eq!(dots.into_iter().map(i64::from).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn quantising_hardly_changes_a_likeness(
        left in proptest::collection::vec(-1.0f32..1.0, 64),
        right in proptest::collection::vec(-1.0f32..1.0, 64),
    ) {
        prop_assume!(left.iter().any(|value| value.abs() > 0.1));
        prop_assume!(right.iter().any(|value| value.abs() > 0.1));
        let (left, right) = (unit(&left), unit(&right));
        let exact: f32 = left.iter().zip(&right).map(|(a, b)| a * b).sum();
        let query = QueryVector::quantise(&left).unwrap();
        let entry = Vector::quantise(&right).unwrap();
        let mut dots = [0];
        dot_rows(query.values(), entry.values(), &mut dots);
        let likeness = dots[0] as f32 * query.scale() * entry.scale();
        prop_assert!((likeness - exact).abs() < 0.01, "{} {}", likeness, exact);
    }
}
