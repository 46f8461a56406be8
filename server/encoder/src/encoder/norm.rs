//! Layer normalisation: mean 0 and variance 1 over the values of a piece, then a learnt scale and
//! shift.

use multiversion::multiversion;

use super::weights::Layer;

/// Partial sums that a sum is made of. Their number is part of the result's last bits, so it is
/// the same on every machine.
const LANES: usize = 16;

/// Scale and shift of a normalisation.
pub(super) struct Norm {
    pub(super) gamma: Vec<f32>,
    pub(super) beta: Vec<f32>,
    /// Added to the variance.
    pub(super) epsilon: f32,
}

/// Sum of `each` of the values, whose number is a multiple of [`LANES`].
#[inline(always)]
fn sum(values: &[f32], each: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0f32; LANES];
    for chunk in values.as_chunks::<LANES>().0 {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane += each(value);
        }
    }
    lanes.iter().sum()
}

/// Mean of the values, and one by their deviation.
#[inline(always)]
fn mean_and_inverse(values: &[f32], epsilon: f32) -> (f32, f32) {
    let count = values.len() as f32;
    let mean = sum(values, |value| value) / count;
    let variance = sum(values, |value| (value - mean) * (value - mean)) / count;
    (mean, 1.0 / (variance + epsilon).sqrt())
}

/// The normalised outputs of a layer, from its sums and the scales of the rows that went in.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2"))]
pub(super) fn finish(
    sums: &[i32],
    row_scales: &[f32],
    layer: &Layer,
    norm: &Norm,
    out: &mut [f32],
) {
    let width = layer.matrix.width;
    for ((sums, out), &scale) in
        sums.chunks_exact(width).zip(out.chunks_exact_mut(width)).zip(row_scales)
    {
        for (((value, &sum), &column), &bias) in
            out.iter_mut().zip(sums).zip(&layer.scales).zip(&layer.bias)
        {
            *value = sum as f32 * (scale * column) + bias;
        }
        let (mean, inverse) = mean_and_inverse(out, norm.epsilon);
        for ((value, &gamma), &beta) in out.iter_mut().zip(&norm.gamma).zip(&norm.beta) {
            *value = (*value - mean) * inverse * gamma + beta;
        }
    }
}

/// The sum over the pieces of their normalised features.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2"))]
pub(super) fn sum_normalised(features: &[f32], norm: &Norm, total: &mut [f32]) {
    total.fill(0.0);
    for row in features.chunks_exact(total.len()) {
        let (mean, inverse) = mean_and_inverse(row, norm.epsilon);
        for (((total, &value), &gamma), &beta) in
            total.iter_mut().zip(row).zip(&norm.gamma).zip(&norm.beta)
        {
            *total += (value - mean) * inverse * gamma + beta;
        }
    }
}
