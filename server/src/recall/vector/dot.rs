//! Dot products of integers: plain loops, compiled once for each width of vector instructions.
//!
//! Exact, so every width gives the same bits.

use multiversion::multiversion;

/// The products of `query` with rows that stand one behind the other, a row for each of `dots`.
///
/// The query is of 16 bits because the instruction that multiplies and adds pairs wants that, so
/// nothing but the rows is widened in the loop. Both built-in embedders have a multiple of 128
/// values, a straight run of instructions: without such runs, a row of 256 took 10.6 ns instead of
/// 7.0, and in two runs of 128 7.8.
#[multiversion(targets = "simd")]
pub(in crate::recall) fn dot_rows(query: &[i16], rows: &[i8], dots: &mut [i32]) {
    if query.len().is_multiple_of(256) {
        dot_blocks::<256>(query, rows, dots);
    } else {
        dot_blocks::<128>(query, rows, dots);
    }
}

/// Inlined, so that it is compiled for the instructions of its caller.
#[inline(always)]
fn dot_blocks<const BLOCK: usize>(query: &[i16], rows: &[i8], dots: &mut [i32]) {
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
