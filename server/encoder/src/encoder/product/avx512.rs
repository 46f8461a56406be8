//! With AVX-512 VNNI: two products and their sum in one instruction, sixteen columns at a time. Ice
//! Lake, Zen 4 and later: `multiversion` asks for more than VNNI, so that no processor is taken
//! that slows down.

use std::arch::x86_64::{
    __m512i, _mm512_cvtepi8_epi16, _mm512_dpwssd_epi32, _mm512_permutex2var_epi64,
    _mm512_set_epi64, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_unpackhi_epi16,
    _mm512_unpacklo_epi16,
};

use super::strips::strips;
use super::{Matrix, Rows};

/// Columns of a block.
const WIDTH: usize = 32;

strips!("avx512f,avx512bw,avx512vnni", rows and blocks:
    (1, 4) (2, 4) (3, 4) (4, 2) (5, 2) (6, 2)
    (7, 1) (8, 1) (9, 1) (10, 1) (11, 1) (12, 1) (13, 1));

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn zero() -> __m512i {
    _mm512_setzero_si512()
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn all(pair: [i16; 2]) -> __m512i {
    _mm512_set1_epi32(bytemuck::cast(pair))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn weights(even: [u8; WIDTH], odd: [u8; WIDTH]) -> [__m512i; 2] {
    let even = _mm512_cvtepi8_epi16(bytemuck::cast(even));
    let odd = _mm512_cvtepi8_epi16(bytemuck::cast(odd));
    [_mm512_unpacklo_epi16(even, odd), _mm512_unpackhi_epi16(even, odd)]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn add_products(total: __m512i, activations: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpwssd_epi32(total, activations, weights)
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
