//! With AVX2: two products and their sum in one instruction, eight columns at a time.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_permute2x128_si256,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
};
use std::array;

use super::{Matrix, Rows};

/// Columns that one widening of weights yields.
const WIDTH: usize = 16;

/// Rows of activations at a time, and blocks of [`WIDTH`] columns: their sums, two registers each, fill most of
/// the 16. Many rows share the widening of weights; few take more columns, so that enough sums are under way to
/// hide how long one takes.
const MOST_ROWS: usize = 5;

#[target_feature(enable = "avx2")]
pub(super) fn product(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) {
    let blocks = matrix.width / WIDTH;
    let mut row = 0;
    while row < rows.rows {
        let count = MOST_ROWS.min(rows.rows - row);
        let strip = Strip {
            activations: rows.pairs.get(row * rows.stride..).unwrap_or_default(),
            stride: rows.stride,
            pairs: matrix.depth / 2,
            weights: matrix.bytes.as_chunks().0,
            blocks,
        };
        let sums = sums.as_chunks_mut().0.get_mut(row * blocks..).unwrap_or_default();
        match count {
            1 => strip.run::<1, 4>(sums),
            2 => strip.run::<2, 2>(sums),
            3 => strip.run::<3, 1>(sums),
            4 => strip.run::<4, 1>(sums),
            _ => strip.run::<MOST_ROWS, 1>(sums),
        }
        row += count;
    }
}

/// Some rows, to be multiplied with all columns.
#[derive(Clone, Copy)]
struct Strip<'a> {
    activations: &'a [[i16; 2]],
    stride: usize,
    pairs: usize,
    weights: &'a [[u8; WIDTH]],
    /// Blocks of columns in a row of weights.
    blocks: usize,
}

impl Strip<'_> {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn run<const R: usize, const C: usize>(self, sums: &mut [[i32; WIDTH]]) {
        let mut block = 0;
        while block + C <= self.blocks {
            self.tile::<R, C>(block, sums);
            block += C;
        }
        while block < self.blocks {
            self.tile::<R, 1>(block, sums);
            block += 1;
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn tile<const R: usize, const C: usize>(self, block: usize, sums: &mut [[i32; WIDTH]]) {
        let rows: [&[[i16; 2]]; R] =
            array::from_fn(|row| &self.activations[row * self.stride..][..self.pairs]);
        let mut totals = [[[_mm256_setzero_si256(); 2]; R]; C];
        let weights = self.weights.chunks_exact(2 * self.blocks).take(self.pairs);
        for (pair, weights) in weights.enumerate() {
            let (even, odd) = weights.split_at(self.blocks);
            let (even, odd) = (&even[block..block + C], &odd[block..block + C]);
            for ((totals, even), odd) in totals.iter_mut().zip(even).zip(odd) {
                let even = _mm256_cvtepi8_epi16(bytemuck::cast(*even));
                let odd = _mm256_cvtepi8_epi16(bytemuck::cast(*odd));
                let low = _mm256_unpacklo_epi16(even, odd);
                let high = _mm256_unpackhi_epi16(even, odd);
                for (total, row) in totals.iter_mut().zip(&rows) {
                    let activations = _mm256_set1_epi32(bytemuck::cast(row[pair]));
                    total[0] = _mm256_add_epi32(total[0], _mm256_madd_epi16(activations, low));
                    total[1] = _mm256_add_epi32(total[1], _mm256_madd_epi16(activations, high));
                }
            }
        }
        for (block, totals) in (block..).zip(totals) {
            for (row, [low, high]) in totals.into_iter().enumerate() {
                sums[row * self.blocks + block] = in_order(low, high);
            }
        }
    }
}

/// Undoes the order that unpacking within 128 bits leaves the columns in.
#[target_feature(enable = "avx2")]
#[inline]
fn in_order(low: __m256i, high: __m256i) -> [i32; WIDTH] {
    let halves: [[i32; 8]; 2] = [
        bytemuck::cast(_mm256_permute2x128_si256::<0x20>(low, high)),
        bytemuck::cast(_mm256_permute2x128_si256::<0x31>(low, high)),
    ];
    bytemuck::cast(halves)
}
