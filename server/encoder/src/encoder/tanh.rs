//! The hyperbolic tangent, made of what IEEE 754 fixes to the last bit; the system's differs
//! between systems.

use multiversion::multiversion;

/// Beyond it the tangent is 1 in 32 bits.
const FLAT: f32 = 10.0;

/// Added to a float below 2^22, leaves its nearest integer in the lowest bits.
const ROUND: f32 = 12_582_912.0;

/// The logarithm of 2 in two parts, the first short enough for exact multiples (Cody and Waite).
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Replaces each value by its tangent: 1 - 2 / (e^2|x| + 1) with the sign of x; off by less than
/// 2e-7.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vnni", "x86_64+avx2"))]
pub(super) fn tanh(values: &mut [f32]) {
    for value in values {
        let size = if value.abs() < FLAT { value.abs() } else { FLAT };
        let size = 1.0 - 2.0 / (exp(2.0 * size) + 1.0);
        *value = size.copysign(*value);
    }
}

/// e^x for 0 ≤ x ≤ 20, by 2^n e^r with |r| ≤ ln 2 / 2 and the first terms of e^r.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let rounded = x * std::f32::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = x - n * LN_2_HIGH - n * LN_2_LOW;
    let terms = [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let e_r = terms.iter().fold(1.0 / 720.0, |sum, term| sum * r + term);
    let power = f32::from_bits(((n as i32 + 127) as u32) << 23);
    e_r * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangent_is_right_to_the_sixth_place() {
        let inputs: Vec<f32> = (-15_000..=15_000).map(|step| step as f32 / 1000.0).collect();
        let mut outputs = inputs.clone();
        tanh(&mut outputs);
        for (input, output) in inputs.iter().zip(&outputs) {
            assert!((f64::from(*output) - f64::from(*input).tanh()).abs() < 2e-7, "{input}");
        }
    }
}
