//! With AVX-512 VNNI: two products and their sum in one instruction, sixteen columns at a time.

use std::arch::x86_64::{
    __m512i, _mm512_cvtepi8_epi16, _mm512_dpwssd_epi32, _mm512_permutex2var_epi64,
    _mm512_set_epi64, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_unpackhi_epi16,
    _mm512_unpacklo_epi16,
};
use std::array;

use super::{Matrix, Rows};

/// Columns that one widening of weights yields.
const WIDTH: usize = 32;

/// Rows of activations at a time, and blocks of [`WIDTH`] columns: their sums, two registers each, fill most of
/// the 32. Many rows share the widening of weights; few take more columns, so that enough sums are under way to
/// hide how long one takes.
const MOST_ROWS: usize = 13;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
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
            2 => strip.run::<2, 4>(sums),
            3 => strip.run::<3, 4>(sums),
            4 => strip.run::<4, 2>(sums),
            5 => strip.run::<5, 2>(sums),
            6 => strip.run::<6, 2>(sums),
            7 => strip.run::<7, 1>(sums),
            8 => strip.run::<8, 1>(sums),
            9 => strip.run::<9, 1>(sums),
            10 => strip.run::<10, 1>(sums),
            11 => strip.run::<11, 1>(sums),
            12 => strip.run::<12, 1>(sums),
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
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
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

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn tile<const R: usize, const C: usize>(self, block: usize, sums: &mut [[i32; WIDTH]]) {
        let rows: [&[[i16; 2]]; R] =
            array::from_fn(|row| &self.activations[row * self.stride..][..self.pairs]);
        let mut totals = [[[_mm512_setzero_si512(); 2]; R]; C];
        let weights = self.weights.chunks_exact(2 * self.blocks).take(self.pairs);
        for (pair, weights) in weights.enumerate() {
            let (even, odd) = weights.split_at(self.blocks);
            let (even, odd) = (&even[block..block + C], &odd[block..block + C]);
            for ((totals, even), odd) in totals.iter_mut().zip(even).zip(odd) {
                let even = _mm512_cvtepi8_epi16(bytemuck::cast(*even));
                let odd = _mm512_cvtepi8_epi16(bytemuck::cast(*odd));
                let low = _mm512_unpacklo_epi16(even, odd);
                let high = _mm512_unpackhi_epi16(even, odd);
                for (total, row) in totals.iter_mut().zip(&rows) {
                    let activations = _mm512_set1_epi32(bytemuck::cast(row[pair]));
                    total[0] = _mm512_dpwssd_epi32(total[0], activations, low);
                    total[1] = _mm512_dpwssd_epi32(total[1], activations, high);
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
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn in_order(low: __m512i, high: __m512i) -> [i32; WIDTH] {
    let first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    let second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    let halves: [[i32; 16]; 2] = [
        bytemuck::cast(_mm512_permutex2var_epi64(low, first, high)),
        bytemuck::cast(_mm512_permutex2var_epi64(low, second, high)),
    ];
    bytemuck::cast(halves)
}
