//! Dot products of integers: plain loops, compiled once for each width of vector instructions.
//!
//! Exact, so every width gives the same bits.

use multiversion::multiversion;

/// Values whose products are one straight run of instructions: both built-in embedders have a
/// multiple of it. Without blocks, a row of 256 took 10.6 ns instead of 7.7.
const BLOCK: usize = 128;

/// The products of `query` with rows that stand one behind the other, a row for each of `dots`.
///
/// The query is of 16 bits because the instruction that multiplies and adds pairs wants that, so
/// nothing but the rows is widened in the loop.
#[multiversion(targets = "simd")]
pub(in crate::recall) fn dot_rows(query: &[i16], rows: &[i8], dots: &mut [i32]) {
    let (query_blocks, query_rest) = query.as_chunks::<BLOCK>();
    // A row of no width has no chunks.
    for (row, dot) in rows.chunks_exact(query.len().max(1)).zip(dots) {
        let (row_blocks, row_rest) = row.as_chunks::<BLOCK>();
        let mut sum = 0;
        for (left, right) in query_blocks.iter().zip(row_blocks) {
            let products = left.iter().zip(right);
            sum += products.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
        }
        let products = query_rest.iter().zip(row_rest);
        *dot = sum + products.map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>();
    }
}

/// The product of two rows.
#[multiversion(targets = "simd")]
pub(in crate::recall) fn dot(left: &[i8], right: &[i8]) -> i32 {
    left.iter().zip(right).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}
