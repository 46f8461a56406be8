//! With the instructions of SSE2, which every x86-64 has: four columns at a time. SSE3, nearly as
//! old, is asked for because only what not every x86-64 has makes a version of its own.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_cvtsi64_si128, _mm_madd_epi16, _mm_set1_epi32, _mm_setzero_si128,
    _mm_srai_epi16, _mm_unpackhi_epi16, _mm_unpacklo_epi8, _mm_unpacklo_epi16,
};

use super::strips::strips;
use super::{Matrix, Rows};

/// Columns of a block.
const WIDTH: usize = 8;

strips!("sse3", rows and blocks: (1, 4) (2, 2) (3, 1) (4, 1) (5, 1));

#[target_feature(enable = "sse3")]
#[inline]
fn zero() -> __m128i {
    _mm_setzero_si128()
}

#[target_feature(enable = "sse3")]
#[inline]
fn all(pair: [i16; 2]) -> __m128i {
    _mm_set1_epi32(bytemuck::cast(pair))
}

#[target_feature(enable = "sse3")]
#[inline]
fn weights(even: [u8; WIDTH], odd: [u8; WIDTH]) -> [__m128i; 2] {
    let (even, odd) = (widened(even), widened(odd));
    [_mm_unpacklo_epi16(even, odd), _mm_unpackhi_epi16(even, odd)]
}

#[target_feature(enable = "sse3")]
#[inline]
fn add_products(total: __m128i, activations: __m128i, weights: __m128i) -> __m128i {
    _mm_add_epi32(total, _mm_madd_epi16(activations, weights))
}

/// Each byte in the upper half of 16 bits, then shifted down with its sign.
#[target_feature(enable = "sse3")]
#[inline]
fn widened(bytes: [u8; WIDTH]) -> __m128i {
    let bytes = _mm_cvtsi64_si128(i64::from_le_bytes(bytes));
    _mm_srai_epi16::<8>(_mm_unpacklo_epi8(_mm_setzero_si128(), bytes))
}

/// Unpacking left the columns in their order.
#[target_feature(enable = "sse3")]
#[inline]
fn in_order(low: __m128i, high: __m128i) -> [i32; WIDTH] {
    let halves: [[i32; 4]; 2] = [bytemuck::cast(low), bytemuck::cast(high)];
    bytemuck::cast(halves)
}
