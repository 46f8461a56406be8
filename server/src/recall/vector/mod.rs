//! Vectors of meaning at one byte a value, and their products.

mod dot;
mod query_vector;
#[cfg(test)]
mod tests;

pub(super) use dot::{dot, dot_rows};
pub use query_vector::QueryVector;

use super::constants::MOST_DIMS;

/// The largest value: symmetrical, so that a vector and its negative lose the same.
const LARGEST: f32 = 127.0;

/// The vector of one entry: what a value stands for is the value times the scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    values: Box<[i8]>,
    scale: f32,
}

impl Vector {
    /// A vector of unit length at one byte a value: the largest becomes ±127.
    ///
    /// `None` if it has no dimensions or more than [`MOST_DIMS`], holds something that is no finite
    /// number, or is zero.
    pub fn quantise(values: &[f32]) -> Option<Self> {
        let scale = scale_of(values, LARGEST)?;
        // In range: no value is larger than the one that the scale was made of.
        let values = values.iter().map(|value| (value / scale).round() as i8).collect();
        Some(Self { values, scale })
    }

    /// A vector from its stored parts; `None` if [`Vector::quantise`] can't have made them.
    pub fn from_parts(values: Box<[i8]>, scale: f32) -> Option<Self> {
        let plausible = !values.is_empty()
            && values.len() <= MOST_DIMS
            && scale.is_normal()
            && scale > 0.0
            && values.iter().any(|&value| value.unsigned_abs() == i8::MAX.unsigned_abs())
            && values.iter().all(|&value| value != i8::MIN);
        plausible.then_some(Self { values, scale })
    }

    /// One byte a dimension, −127 to 127.
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// What a value of 1 stands for; above 0.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// How many dimensions it has, 1 to [`MOST_DIMS`].
    pub fn dims(&self) -> usize {
        self.values.len()
    }
}

/// The scale at which the largest of `values` becomes `largest`.
fn scale_of(values: &[f32], largest: f32) -> Option<f32> {
    if values.len() > MOST_DIMS || values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let scale = values.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / largest;
    // Subnormal: nothing of unit length, and dividing by it would lose the value.
    scale.is_normal().then_some(scale)
}
