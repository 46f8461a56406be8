//! In plain Rust, for the compiler to vectorise with what it may count on, such as NEON.

use std::array;

use super::{Matrix, Rows};

/// Rows of activations at a time.
const ROWS: usize = 4;

/// Columns at a time.
const WIDTH: usize = 16;

pub(super) fn product(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) {
    let tiles = matrix.width / WIDTH;
    let sums = sums.as_chunks_mut::<WIDTH>().0;
    for column in 0..tiles {
        let mut row = 0;
        while row < rows.rows {
            let activations = rows.pairs.get(row * rows.stride..).unwrap_or_default();
            let sums = sums.get_mut(row * tiles + column..).unwrap_or_default();
            if rows.rows - row >= ROWS {
                tile::<ROWS>(activations, rows.stride, matrix, column, sums);
                row += ROWS;
            } else {
                tile::<1>(activations, rows.stride, matrix, column, sums);
                row += 1;
            }
        }
    }
}

#[inline(always)]
fn tile<const R: usize>(
    activations: &[[i16; 2]],
    stride: usize,
    matrix: Matrix<'_>,
    column: usize,
    sums: &mut [[i32; WIDTH]],
) {
    let tiles = matrix.width / WIDTH;
    let pairs = matrix.depth / 2;
    let rows: [&[[i16; 2]]; R] = array::from_fn(|row| &activations[row * stride..][..pairs]);
    let weights = matrix.bytes.as_chunks::<WIDTH>().0.chunks_exact(2 * tiles).take(pairs);
    let mut totals = [[0i32; WIDTH]; R];
    for (pair, weights) in weights.enumerate() {
        let even = weights[column].map(|byte| i16::from(byte as i8));
        let odd = weights[tiles + column].map(|byte| i16::from(byte as i8));
        for (row, total) in rows.iter().zip(&mut totals) {
            let [first, second] = row[pair].map(i32::from);
            for (index, sum) in total.iter_mut().enumerate() {
                *sum += first * i32::from(even[index]) + second * i32::from(odd[index]);
            }
        }
    }
    for (row, total) in totals.into_iter().enumerate() {
        sums[row * tiles] = total;
    }
}
