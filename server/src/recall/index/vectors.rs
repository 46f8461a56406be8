//! The vectors of a scope, side by side, and what mixing them with their neighbours' needs.

use super::grow::make_room;
use super::sessions::{NO_DOC, Place};
use crate::recall::constants::{MIX_NEXT, MIX_PREVIOUS};
use crate::recall::vector::{QueryVector, Vector, dot, dot_rows};

/// The vectors of a scope by doc; all have the same dimensions, which the first one decides.
#[derive(Clone, Debug, Default)]
pub(in crate::recall) struct Vectors {
    /// 0 while there is no vector.
    dims: usize,
    /// A row for each doc, zero where there is no vector.
    values: Vec<i8>,
    /// By doc; 0 where there is no vector.
    scales: Vec<f32>,
    /// ‖v + .5 v(previous) + .3 v(next)‖ by doc; 0 where there is no vector.
    norms: Vec<f32>,
    held: usize,
}

impl Vectors {
    /// Sets the vector of a doc; false if its dimensions aren't those of the others.
    pub(super) fn set(&mut self, doc: u32, vector: &Vector) -> bool {
        if self.held == 0 {
            self.dims = vector.dims();
        } else if self.dims != vector.dims() {
            return false;
        }
        let end = (doc as usize + 1) * self.dims;
        make_room(&mut self.values, end - 1, 0);
        make_room(&mut self.scales, doc as usize, 0.0);
        make_room(&mut self.norms, doc as usize, 0.0);
        if let Some(row) = self.values.get_mut(end - self.dims..end) {
            row.copy_from_slice(vector.values());
        }
        if let Some(scale) = self.scales.get_mut(doc as usize) {
            self.held += usize::from(*scale == 0.0);
            *scale = vector.scale();
        }
        true
    }

    /// Removes the vector of a doc: nothing of it stays in memory.
    pub(super) fn remove(&mut self, doc: u32) {
        if !self.has(doc) {
            return;
        }
        self.held -= 1;
        if self.held == 0 {
            *self = Self::default();
            return;
        }
        let start = doc as usize * self.dims;
        if let Some(row) = self.values.get_mut(start..start + self.dims) {
            row.fill(0);
        }
        for column in [&mut self.scales, &mut self.norms] {
            if let Some(slot) = column.get_mut(doc as usize) {
                *slot = 0.0;
            }
        }
    }

    /// Computes the norm of a doc anew, which stands at `place`.
    pub(super) fn renew_norm(&mut self, doc: u32, place: Place) {
        if !self.has(doc) {
            return;
        }
        let parts = [(doc, 1.0), (place.previous, MIX_PREVIOUS), (place.next, MIX_NEXT)];
        let mut square = 0.0;
        for (at, (left, left_share)) in parts.iter().enumerate() {
            for (other, (right, right_share)) in parts.iter().enumerate().skip(at) {
                let twice = if at == other { 1.0 } else { 2.0 };
                square += twice * left_share * right_share * self.product(*left, *right);
            }
        }
        if let Some(norm) = self.norms.get_mut(doc as usize) {
            *norm = square.max(0.0).sqrt() as f32;
        }
    }

    fn product(&self, left: u32, right: u32) -> f64 {
        let scales = f64::from(self.scale(left)) * f64::from(self.scale(right));
        if scales == 0.0 {
            return 0.0;
        }
        f64::from(dot(self.row(left), self.row(right))) * scales
    }

    fn row(&self, doc: u32) -> &[i8] {
        let start = doc as usize * self.dims;
        self.values.get(start..start + self.dims).unwrap_or(&[])
    }

    fn scale(&self, doc: u32) -> f32 {
        self.scales.get(doc as usize).copied().unwrap_or(0.0)
    }

    pub(in crate::recall) fn has(&self, doc: u32) -> bool {
        doc != NO_DOC && self.scale(doc) > 0.0
    }

    /// Whether there are vectors that the query's can be compared with.
    pub(in crate::recall) fn answer(&self, query: &QueryVector) -> bool {
        self.held > 0 && self.dims == query.dims()
    }

    /// Docs up to the last one that ever had a vector.
    pub(in crate::recall) fn len(&self) -> usize {
        self.scales.len()
    }

    /// c for docs from `first` on, as many as `likeness` takes: q · v, 0 where there is no vector.
    pub(in crate::recall) fn likeness_of_rows(
        &self,
        query: &QueryVector,
        first: usize,
        dots: &mut [i32],
        likeness: &mut [f32],
    ) {
        let rows = self.values.get(first * self.dims..).unwrap_or(&[]);
        let scales = self.scales.get(first..).unwrap_or(&[]);
        dot_rows(query.values(), rows, dots);
        for ((slot, dot), scale) in likeness.iter_mut().zip(dots).zip(scales) {
            *slot = scaled(*dot, *scale, query);
        }
    }

    /// c of one doc.
    pub(in crate::recall) fn likeness(&self, query: &QueryVector, doc: u32) -> f32 {
        let mut dots = [0];
        dot_rows(query.values(), self.row(doc), &mut dots);
        scaled(dots[0], self.scale(doc), query)
    }

    /// The norm of the doc's vector mixed with those of its neighbours; 0 without a vector.
    pub(in crate::recall) fn norm(&self, doc: u32) -> f32 {
        self.norms.get(doc as usize).copied().unwrap_or(0.0)
    }

    pub(super) fn count(&self) -> usize {
        self.held
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.values.capacity() + (self.scales.capacity() + self.norms.capacity()) * size_of::<f32>()
    }
}

/// A product of integers as a likeness.
fn scaled(dot: i32, scale: f32, query: &QueryVector) -> f32 {
    // A dot loses its bits beyond 24, less than quantising lost.
    dot as f32 * (scale * query.scale())
}
