//! The rows of a table, in the form in which they are stored.

use std::borrow::Cow;

use crate::half::{from_bfloat16, from_binary16};

/// A vector for each piece.
pub(super) enum Rows {
    /// Four bits a value, and a binary16 scale for each row.
    Nibbles {
        dimensions: usize,
        /// The file: what stands where is in [`super::format`].
        file: Cow<'static, [u8]>,
        /// Where the scales start, then the values.
        scales_at: usize,
        values_at: usize,
    },
    /// Floats of two or four bytes.
    Floats { dimensions: usize, count: usize, kind: Float, file: Vec<u8>, values_at: usize },
}

/// How a float is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Float {
    Single,
    Binary16,
    Bfloat16,
}

impl Float {
    /// Bytes of a value.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Binary16 | Self::Bfloat16 => 2,
        }
    }

    /// The value of that many bytes.
    pub(super) fn value(self, bytes: &[u8]) -> f32 {
        match (self, bytes) {
            (Self::Single, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            (Self::Binary16, &[a, b]) => from_binary16([a, b]),
            (Self::Bfloat16, &[a, b]) => from_bfloat16([a, b]),
            _ => f32::NAN,
        }
    }
}

impl Rows {
    pub(super) fn dimensions(&self) -> usize {
        match self {
            Self::Nibbles { dimensions, .. } | Self::Floats { dimensions, .. } => *dimensions,
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Nibbles { scales_at, values_at, .. } => (values_at - scales_at) / 2,
            Self::Floats { count, .. } => *count,
        }
    }

    /// Adds the row of `piece` to `sum`, which has as many values.
    pub(super) fn add(&self, piece: u32, sum: &mut [f32]) {
        let piece = piece as usize;
        match self {
            Self::Nibbles { dimensions, file, scales_at, values_at } => {
                let half = dimensions / 2;
                let scale = file.get(scales_at + 2 * piece..).and_then(|rest| rest.first_chunk());
                let values = file.get(values_at + half * piece..).and_then(|rest| rest.get(..half));
                let (Some(&scale), Some(values)) = (scale, values) else { return };
                let scale = from_binary16(scale);
                let (low, high) = sum.split_at_mut(half);
                for ((low, high), byte) in low.iter_mut().zip(high).zip(values) {
                    *low += (f32::from(byte & 15) - 8.0) * scale;
                    *high += (f32::from(byte >> 4) - 8.0) * scale;
                }
            }
            Self::Floats { dimensions, kind, file, values_at, .. } => {
                let row = dimensions * kind.size();
                let values = file.get(values_at + row * piece..).and_then(|rest| rest.get(..row));
                let Some(values) = values else { return };
                for (sum, bytes) in sum.iter_mut().zip(values.chunks_exact(kind.size())) {
                    *sum += kind.value(bytes);
                }
            }
        }
    }
}
