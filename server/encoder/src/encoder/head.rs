//! From the sum over a text to its vector.

use multiversion::multiversion;

use super::DIMENSIONS;
use super::activations::{Work, apply};
use super::tanh::tanh;
use super::weights::Layer;
use crate::half::from_binary16;

/// Layers with shortcuts, named as in the reference, and the directions that the output is reduced
/// to.
pub(super) struct Head {
    pub(super) d0: Layer,
    pub(super) d1: Layer,
    pub(super) p1: Layer,
    pub(super) d2: Layer,
    pub(super) p3: Layer,
    pub(super) d3: Layer,
    /// Rows of [`DIMENSIONS`] binary16 values.
    pub(super) reduce: &'static [[u8; 2]],
}

impl Head {
    /// The vector, of unit length; none if it has no direction.
    pub(super) fn output(&self, pooled: &[f32]) -> Option<Vec<f32>> {
        let mut work = Work::default();
        let mut run = |layer: &Layer, input: &[f32]| {
            let mut out = vec![0.0; layer.matrix.width];
            apply(layer, input, &mut work, &mut out);
            out
        };
        let first = positive(run(&self.d0, pooled));
        let second = positive(sum(run(&self.p1, pooled), &run(&self.d1, &first)));
        let third = positive(run(&self.d2, &second));
        let mut last = sum(run(&self.p3, &second), &run(&self.d3, &third));
        tanh(&mut last);
        let mut vector = vec![0.0; DIMENSIONS];
        reduce(&last, self.reduce, &mut vector);
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        for value in &mut vector {
            *value /= length;
        }
        Some(vector)
    }
}

fn positive(mut values: Vec<f32>) -> Vec<f32> {
    for value in &mut values {
        *value = value.max(0.0);
    }
    values
}

fn sum(mut values: Vec<f32>, others: &[f32]) -> Vec<f32> {
    for (value, other) in values.iter_mut().zip(others) {
        *value += other;
    }
    values
}

/// `out` += `values` times a matrix of binary16.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2"))]
fn reduce(values: &[f32], matrix: &[[u8; 2]], out: &mut [f32]) {
    for (&value, row) in values.iter().zip(matrix.chunks_exact(out.len())) {
        for (out, &weight) in out.iter_mut().zip(row) {
            *out += value * from_binary16(weight);
        }
    }
}
