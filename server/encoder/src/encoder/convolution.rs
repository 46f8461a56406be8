//! A branch of the network: two convolutions over the text, each added to what it looked at.

use multiversion::multiversion;

use super::activations::quantise;
use super::product::{Rows, product};
use super::scratch::{MARGIN, Scratch};
use super::weights::{BRANCH, EMBEDDING, FEATURES, Layer, PROJECTED};

/// Two layers whose windows have the same width.
pub(super) struct Convolution {
    /// How many pieces before its own a window holds.
    pub(super) before: usize,
    pub(super) first: Layer,
    pub(super) second: Layer,
}

impl Convolution {
    /// Takes the branch's part of `projected` and writes its part of `features`.
    pub(super) fn apply(&self, branch: usize, scratch: &mut Scratch) {
        let projected = scratch.projected.chunks_exact(PROJECTED);
        for (part, row) in scratch.branch.chunks_exact_mut(BRANCH).zip(projected) {
            part.copy_from_slice(&row[branch * BRANCH..][..BRANCH]);
        }
        self.layer(&self.first, scratch);
        self.layer(&self.second, scratch);
        let start = EMBEDDING + branch * BRANCH;
        let features = scratch.features.chunks_exact_mut(FEATURES);
        for (part, row) in scratch.branch.chunks_exact(BRANCH).zip(features) {
            row[start..][..BRANCH].copy_from_slice(part);
        }
    }

    /// x += max(0, windows of x times the matrix, plus the bias).
    fn layer(&self, layer: &Layer, scratch: &mut Scratch) {
        let Scratch { branch, activations, sums, .. } = scratch;
        let pieces = branch.len() / BRANCH;
        // The windows overlap in one buffer: a row a piece, zeros where they reach out of the text.
        const ROW: usize = BRANCH / 2;
        let windows = &mut activations[..(pieces + MARGIN) * ROW];
        let (zeros, rest) = windows.split_at_mut(self.before * ROW);
        let (inside, more_zeros) = rest.split_at_mut(pieces * ROW);
        zeros.fill([0, 0]);
        more_zeros.fill([0, 0]);
        let scale = quantise(branch, inside);
        let sums = &mut sums[..pieces * BRANCH];
        product(Rows { pairs: windows, stride: ROW, rows: pieces }, layer.matrix, sums);
        add_positive(sums, scale, layer, branch);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2"))]
fn add_positive(sums: &[i32], scale: f32, layer: &Layer, values: &mut [f32]) {
    for (sums, values) in sums.chunks_exact(BRANCH).zip(values.chunks_exact_mut(BRANCH)) {
        for (((value, &sum), &column), &bias) in
            values.iter_mut().zip(sums).zip(&layer.scales).zip(&layer.bias)
        {
            let output = sum as f32 * (scale * column) + bias;
            *value += if output > 0.0 { output } else { 0.0 };
        }
    }
}
