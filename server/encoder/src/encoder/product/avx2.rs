//! With AVX2: two products and their sum in two instructions, eight columns at a time.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_permute2x128_si256,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
};

use super::strips::strips;
use super::{Matrix, Rows};

/// Columns of a block.
const WIDTH: usize = 16;

strips!("avx2", rows and blocks: (1, 4) (2, 2) (3, 1) (4, 1) (5, 1));

#[target_feature(enable = "avx2")]
#[inline]
fn zero() -> __m256i {
    _mm256_setzero_si256()
}

#[target_feature(enable = "avx2")]
#[inline]
fn all(pair: [i16; 2]) -> __m256i {
    _mm256_set1_epi32(bytemuck::cast(pair))
}

#[target_feature(enable = "avx2")]
#[inline]
fn weights(even: [u8; WIDTH], odd: [u8; WIDTH]) -> [__m256i; 2] {
    let even = _mm256_cvtepi8_epi16(bytemuck::cast(even));
    let odd = _mm256_cvtepi8_epi16(bytemuck::cast(odd));
    [_mm256_unpacklo_epi16(even, odd), _mm256_unpackhi_epi16(even, odd)]
}

#[target_feature(enable = "avx2")]
#[inline]
fn add_products(total: __m256i, activations: __m256i, weights: __m256i) -> __m256i {
    _mm256_add_epi32(total, _mm256_madd_epi16(activations, weights))
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
