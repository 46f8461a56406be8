//! Integer matrix product: activations of 14 bits times weights of 8, the work of the encoder.
//!
//! In integers a sum has one value, whatever its order: every version below gives the same bits, so
//! vectors made on different machines are the same.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse3;
#[cfg(target_arch = "x86_64")]
mod strips;
#[cfg(test)]
mod tests;

use multiversion::multiversion;
use multiversion::target::match_target;

/// The largest magnitude of an activation: with the longest row, 2,048, and weights down to -128, a
/// sum is below 2^31.
pub(super) const LARGEST: i16 = 8191;

/// The longest row of activations.
pub(super) const LONGEST: usize = 2048;

/// Columns that a version works on at a time divide this.
pub(super) const COLUMNS: usize = 32;

/// Activations: `rows` rows of equal length, each `stride` pairs after the one before. They may
/// overlap, as windows over a text do.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) pairs: &'a [[i16; 2]],
    pub(super) stride: usize,
    pub(super) rows: usize,
}

/// Weights of 8 bits with sign, one row of `width` for each input.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) depth: usize,
    pub(super) width: usize,
}

/// `sums` = `rows` times `matrix`; a row of sums for each row of activations. A row has as many
/// activations as the matrix has rows, an even number; the width is a multiple of [`COLUMNS`].
pub(super) fn product(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) {
    let reach = (rows.rows.max(1) - 1) * rows.stride + matrix.depth / 2;
    debug_assert!(matrix.depth.is_multiple_of(2) && matrix.width.is_multiple_of(COLUMNS));
    debug_assert!(matrix.depth <= LONGEST && matrix.bytes.len() == matrix.depth * matrix.width);
    debug_assert!(reach <= rows.pairs.len() && sums.len() == rows.rows * matrix.width);
    best(rows, matrix, sums);
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2", "x86_64+sse3"))]
fn best(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vnni" => avx512::product(rows, matrix, sums),
        "x86_64+avx2" => avx2::product(rows, matrix, sums),
        "x86_64+sse3" => sse3::product(rows, matrix, sums),
        _ => portable::product(rows, matrix, sums),
    }
}
