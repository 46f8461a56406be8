//! The vector of a question.

use super::scale_of;

/// The largest value. Times 127, over 4,096 dimensions, a sum still fits into 32 bits.
const LARGEST: f32 = 2047.0;

/// The vector of a question: twelve bits a value, since only entries are many.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryVector {
    values: Box<[i16]>,
    scale: f32,
}

impl QueryVector {
    /// A vector of unit length; `None` in the cases of [`Vector::quantise`](super::Vector::quantise).
    pub fn quantise(values: &[f32]) -> Option<Self> {
        let scale = scale_of(values, LARGEST)?;
        let values = values.iter().map(|value| (value / scale).round() as i16).collect();
        Some(Self { values, scale })
    }

    /// How many dimensions it has.
    pub fn dims(&self) -> usize {
        self.values.len()
    }

    pub(in crate::recall) fn values(&self) -> &[i16] {
        &self.values
    }

    /// What a value of 1 stands for; above 0.
    pub(in crate::recall) fn scale(&self) -> f32 {
        self.scale
    }
}
