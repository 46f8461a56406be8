//! 16-bit floats, of which standard Rust has none yet.

/// The value of an IEEE 754 binary16. Infinities and NaN come out as numbers from 65,536 up.
///
/// Without branches, and without subnormal 32-bit numbers in between, so that a loop over it runs
/// in SIMD.
#[inline(always)]
pub(crate) fn from_binary16(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let magnitude = bits & 0x7fff;
    let normal = f32::from_bits((magnitude << 13) + ((127 - 15) << 23));
    let subnormal = magnitude as f32 * (1.0 / 16_777_216.0);
    let value = if magnitude < 0x400 { subnormal } else { normal };
    f32::from_bits(value.to_bits() | (bits & 0x8000) << 16)
}

/// Whether a binary16 is neither infinite nor NaN.
pub(crate) fn is_finite_binary16(bytes: [u8; 2]) -> bool {
    u16::from_le_bytes(bytes) & 0x7c00 != 0x7c00
}

/// The value of a bfloat16.
pub(crate) fn from_bfloat16(bytes: [u8; 2]) -> f32 {
    f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary16_has_the_value_of_its_parts() {
        for bits in 0..=u16::MAX {
            let bytes = bits.to_le_bytes();
            if !is_finite_binary16(bytes) {
                continue;
            }
            let exponent = i32::from(bits >> 10 & 0x1f);
            let fraction = f64::from(bits & 0x3ff);
            let magnitude = match exponent {
                0 => fraction * 2f64.powi(-24),
                _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
            };
            let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
            assert_eq!(f64::from(from_binary16(bytes)), sign * magnitude, "{bits:#06x}");
        }
    }

    #[test]
    fn infinity_is_not_finite() {
        assert!(!is_finite_binary16(0x7c00u16.to_le_bytes()));
        assert!(is_finite_binary16(0x7bffu16.to_le_bytes()));
    }
}
