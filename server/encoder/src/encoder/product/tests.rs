//! Every version against the definition.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::*;

fn by_definition(rows: Rows<'_>, matrix: Matrix<'_>) -> Vec<i32> {
    let mut sums = Vec::new();
    for row in 0..rows.rows {
        let activations = rows.pairs[row * rows.stride..].as_flattened();
        for column in 0..matrix.width {
            let products = (0..matrix.depth).map(|input| {
                let weight = matrix.bytes[input * matrix.width + column] as i8;
                i64::from(activations[input]) * i64::from(weight)
            });
            sums.push(i32::try_from(products.sum::<i64>()).unwrap());
        }
    }
    sums
}

/// A version; whether this machine has it.
type Version = fn(Rows<'_>, Matrix<'_>, &mut [i32]) -> bool;

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni"))]
fn with_avx512(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) -> bool {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512vnni" => { avx512::product(rows, matrix, sums); true }
        _ => { let _ = (rows, matrix, sums); false }
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn with_avx2(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) -> bool {
    match_target! {
        "x86_64+avx2" => { avx2::product(rows, matrix, sums); true }
        _ => { let _ = (rows, matrix, sums); false }
    }
}

#[multiversion(targets("x86_64+sse3"))]
fn with_sse3(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) -> bool {
    match_target! {
        "x86_64+sse3" => { sse3::product(rows, matrix, sums); true }
        _ => { let _ = (rows, matrix, sums); false }
    }
}

fn portably(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) -> bool {
    portable::product(rows, matrix, sums);
    true
}

fn chosen(rows: Rows<'_>, matrix: Matrix<'_>, sums: &mut [i32]) -> bool {
    product(rows, matrix, sums);
    true
}

const VERSIONS: [(&str, Version); 5] = [
    ("avx512", with_avx512),
    ("avx2", with_avx2),
    ("sse3", with_sse3),
    ("portable", portably),
    ("chosen", chosen),
];

fn check(rows: Rows<'_>, matrix: Matrix<'_>) {
    let expected = by_definition(rows, matrix);
    for (name, version) in VERSIONS {
        let mut sums = vec![0x5555_5555; expected.len()];
        if version(rows, matrix, &mut sums) {
            let (count, width) = (rows.rows, matrix.width);
            assert!(sums == expected, "{name}, {count} rows, {} by {width}", matrix.depth);
        } else {
            eprintln!("{name}: not on this machine");
        }
    }
}

#[test]
fn every_version_computes_the_product() {
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    for (depth, width) in [(2, 32), (64, 96), (256, 320), (18, 768)] {
        let bytes: Vec<u8> = (0..depth * width).map(|_| random() as u8).collect();
        for (count, stride) in (1..=28).map(|count| (count, depth / 2)).chain([(9, 1), (30, 0)]) {
            let length = (count - 1) * stride + depth / 2;
            let mut activation = || random() as i16 >> 2;
            let pairs: Vec<[i16; 2]> = (0..length).map(|_| [activation(), activation()]).collect();
            let rows = Rows { pairs: &pairs, stride, rows: count };
            check(rows, Matrix { bytes: &bytes, depth, width });
        }
    }
}

#[test]
fn the_largest_sums_do_not_overflow() {
    for (activation, weight) in [(LARGEST, i8::MIN), (-LARGEST, i8::MIN), (LARGEST, i8::MAX)] {
        let pairs = vec![[activation; 2]; 13 * LONGEST / 2];
        let bytes = vec![weight as u8; LONGEST * COLUMNS];
        let rows = Rows { pairs: &pairs, stride: LONGEST / 2, rows: 13 };
        check(rows, Matrix { bytes: &bytes, depth: LONGEST, width: COLUMNS });
    }
}
