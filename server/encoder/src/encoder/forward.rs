//! The layers before and after the branches.

use super::activations::{Work, apply};
use super::norm::{finish, sum_normalised};
use super::product::{Rows, product};
use super::scratch::Scratch;
use super::weights::{EMBEDDING, FEATURES, OUTPUT, Weights};
use crate::half::from_binary16;

impl Weights {
    /// Takes the pieces' rows out of the table, as activations and as features.
    pub(super) fn look_up(&self, pieces: &[u32], scratch: &mut Scratch) {
        let Scratch { row_scales, features, activations, .. } = scratch;
        let rows = features.chunks_exact_mut(FEATURES).zip(row_scales);
        let rows = rows.zip(activations.chunks_exact_mut(EMBEDDING / 2));
        for (&piece, ((features, row_scale), activations)) in pieces.iter().zip(rows) {
            let index = piece as usize;
            let (Some(row), Some(&scale)) = (self.table.get(index), self.table_scales.get(index))
            else {
                continue;
            };
            *row_scale = from_binary16(scale);
            let (low, high) = activations.split_at_mut(EMBEDDING / 4);
            for ((low, high), bytes) in low.iter_mut().zip(high).zip(row.as_chunks::<2>().0) {
                *low = bytes.map(|byte| i16::from(byte & 15) - 8);
                *high = bytes.map(|byte| i16::from(byte >> 4) - 8);
            }
            let values = activations.as_flattened();
            for (feature, &value) in features.iter_mut().zip(values) {
                *feature = f32::from(value) * *row_scale;
            }
        }
    }

    /// From rows of the table to the input of the branches.
    pub(super) fn project(&self, scratch: &mut Scratch) {
        let Scratch { row_scales, projected, activations, sums, .. } = scratch;
        let rows = Rows { pairs: activations, stride: EMBEDDING / 2, rows: row_scales.len() };
        product(rows, self.projection.matrix, sums);
        finish(sums, row_scales, &self.projection, &self.projection_norm, projected);
    }

    /// One vector for the text: the sum of a layer over the pieces, by the root of their number.
    /// The layer is linear, so the sum is taken before it.
    pub(super) fn pool(&self, scratch: &Scratch) -> Vec<f32> {
        let mut total = vec![0.0; FEATURES];
        sum_normalised(&scratch.features, &self.features_norm, &mut total);
        let mut out = vec![0.0; OUTPUT];
        apply(&self.pool, &total, &mut Work::default(), &mut out);
        let count = scratch.row_scales.len() as f32;
        for (value, &bias) in out.iter_mut().zip(&self.pool.bias) {
            *value = (*value + (count - 1.0) * bias) / count.sqrt();
        }
        out
    }
}
