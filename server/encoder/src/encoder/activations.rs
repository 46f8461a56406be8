//! From floats to the integers that a matrix is multiplied with, and back.

use multiversion::multiversion;

use super::product::{LARGEST, Matrix, Rows, product};
use super::weights::Layer;

/// Added to a float below 2^22, leaves its nearest integer, halves to even, in the lowest bits: the
/// same with every instruction set.
const ROUND: f32 = 12_582_912.0;

/// Lanes of a maximum; a multiple of what any register holds.
const LANES: usize = 16;

/// Writes `values`, an even number, as integers up to [`LARGEST`]; returns the value of 1.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2"))]
pub(super) fn quantise(values: &[f32], out: &mut [[i16; 2]]) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut largest = [0f32; LANES];
    for chunk in chunks {
        for (most, value) in largest.iter_mut().zip(chunk) {
            *most = if value.abs() > *most { value.abs() } else { *most };
        }
    }
    let largest = largest.iter().chain(rest).fold(0f32, |most, value| most.max(value.abs()));
    if largest == 0.0 {
        out.fill([0, 0]);
        return 0.0;
    }
    let scale = f32::from(LARGEST) / largest;
    for (pair, values) in out.iter_mut().zip(values.as_chunks::<2>().0) {
        *pair = values.map(|value| (value * scale + ROUND).to_bits() as i16);
    }
    largest / f32::from(LARGEST)
}

/// One row times a layer: `input` is quantised into `activations`, `sums` gets the product, `out`
/// the values.
pub(super) fn apply(layer: &Layer, input: &[f32], work: &mut Work, out: &mut [f32]) {
    let Matrix { depth, width, .. } = layer.matrix;
    work.activations.resize(depth / 2, [0, 0]);
    work.sums.resize(width, 0);
    let scale = quantise(input, &mut work.activations);
    let rows = Rows { pairs: &work.activations, stride: 0, rows: 1 };
    product(rows, layer.matrix, &mut work.sums);
    for (((value, &sum), &column), &bias) in
        out.iter_mut().zip(&work.sums).zip(&layer.scales).zip(&layer.bias)
    {
        *value = sum as f32 * (scale * column) + bias;
    }
}

/// What [`apply`] works in.
#[derive(Default)]
pub(super) struct Work {
    activations: Vec<[i16; 2]>,
    sums: Vec<i32>,
}
