//! Memory that encoding works in.

use super::weights::{BRANCH, EMBEDDING, FEATURES, PROJECTED};

/// The most places before and after a text that a window reaches to.
pub(super) const MARGIN: usize = 4;

/// What lies between the layers for one text; 13 KiB for each piece. Keep one for each thread.
#[derive(Debug, Default)]
pub struct Scratch {
    /// By piece: the scale of its row of the table.
    pub(super) row_scales: Vec<f32>,
    /// By piece: its row of the table, then the output of each branch.
    pub(super) features: Vec<f32>,
    /// By piece: input of all branches.
    pub(super) projected: Vec<f32>,
    /// By piece: what the branch at work makes of its part of `projected`.
    pub(super) branch: Vec<f32>,
    /// What is multiplied by a matrix.
    pub(super) activations: Vec<[i16; 2]>,
    /// The product.
    pub(super) sums: Vec<i32>,
}

impl Scratch {
    /// Makes room for a text of `pieces` pieces.
    pub(super) fn resize(&mut self, pieces: usize) {
        let Self { row_scales, features, projected, branch, activations, sums } = self;
        row_scales.resize(pieces, 0.0);
        features.resize(pieces * FEATURES, 0.0);
        projected.resize(pieces * PROJECTED, 0.0);
        branch.resize(pieces * BRANCH, 0.0);
        let rows = (pieces * EMBEDDING).max((pieces + MARGIN) * BRANCH);
        activations.resize(rows / 2, [0, 0]);
        sums.resize(pieces * PROJECTED, 0);
    }
}
