//! The encoder's tensors, read where they lie.

use safetensors::{Dtype, SafeTensors};

use super::convolution::Convolution;
use super::head::Head;
use super::norm::Norm;
use super::product::Matrix;
use crate::error::ModelError;
use crate::half::is_finite_binary16;

/// Values of a row of the table.
pub(super) const EMBEDDING: usize = 512;
/// Values a piece has in one branch.
pub(super) const BRANCH: usize = 256;
/// Branches, each with a window of its own width.
const BRANCHES: usize = 3;
/// Input of the branches.
pub(super) const PROJECTED: usize = BRANCHES * BRANCH;
/// A row of the table and the output of the branches.
pub(super) const FEATURES: usize = EMBEDDING + PROJECTED;
/// Output of the network, before it is reduced; of the sum over the pieces too.
pub(super) const OUTPUT: usize = 512;
/// Hidden values of the head.
const HIDDEN: usize = 320;

/// A matrix of 8-bit weights with a scale for each column, and what is added to the product.
pub(super) struct Layer {
    pub(super) matrix: Matrix<'static>,
    pub(super) scales: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

/// All that [`super::Encoder`] knows.
pub(super) struct Weights {
    /// Of a piece 256 bytes: values 0..256 in the low halves of the bytes, the rest in the high
    /// ones, each + 8.
    pub(super) table: &'static [[u8; EMBEDDING / 2]],
    /// The scale of each row of `table`, binary16.
    pub(super) table_scales: &'static [[u8; 2]],
    pub(super) projection: Layer,
    pub(super) projection_norm: Norm,
    pub(super) convolutions: [Convolution; BRANCHES],
    pub(super) features_norm: Norm,
    pub(super) pool: Layer,
    pub(super) head: Head,
}

impl Weights {
    pub(super) fn read(file: &'static [u8]) -> Result<Self, ModelError> {
        let file = File(SafeTensors::deserialize(file)?);
        let (table, pieces) = file.table()?;
        let table_scales = file.halves("table.scale", &[pieces])?;
        let epsilon = file.floats("norm.epsilon", 1)?.first().copied().unwrap_or_default();
        let convolution = |width: usize, before: usize| -> Result<Convolution, ModelError> {
            Ok(Convolution {
                before,
                first: file.biased(&format!("conv{width}.first"), width * BRANCH, BRANCH)?,
                second: file.biased(&format!("conv{width}.second"), width * BRANCH, BRANCH)?,
            })
        };
        Ok(Self {
            table,
            table_scales,
            projection: file.biased("proj", EMBEDDING, PROJECTED)?,
            projection_norm: file.norm("proj", PROJECTED, epsilon)?,
            convolutions: [convolution(2, 0)?, convolution(3, 1)?, convolution(5, 2)?],
            features_norm: file.norm("features", FEATURES, epsilon)?,
            pool: file.biased("pool", FEATURES, OUTPUT)?,
            head: Head {
                d0: file.plain("d0", OUTPUT, HIDDEN)?,
                d1: file.plain("d1", HIDDEN, HIDDEN)?,
                p1: file.plain("p1", OUTPUT, HIDDEN)?,
                d2: file.plain("d2", HIDDEN, OUTPUT)?,
                p3: file.plain("p3", HIDDEN, OUTPUT)?,
                d3: file.plain("d3", OUTPUT, OUTPUT)?,
                reduce: file.halves("reduce", &[OUTPUT, super::DIMENSIONS])?,
            },
        })
    }

    /// Rows of the table.
    pub(super) fn pieces(&self) -> usize {
        self.table.len()
    }
}

/// Tensors by name, of the type and shape that the network needs.
struct File(SafeTensors<'static>);

impl File {
    fn bytes(&self, name: &str, kind: Dtype, shape: &[usize]) -> Result<&'static [u8], ModelError> {
        let wrong =
            || ModelError::Tensor { name: name.into(), expected: format!("{kind:?} {shape:?}") };
        let tensor = self.0.tensor(name).map_err(|_| wrong())?;
        if tensor.dtype() != kind || tensor.shape() != shape {
            return Err(wrong());
        }
        Ok(tensor.data())
    }

    fn table(&self) -> Result<(&'static [[u8; EMBEDDING / 2]], usize), ModelError> {
        let pieces =
            self.0.tensor("table.q").ok().and_then(|t| t.shape().first().copied()).unwrap_or(0);
        let bytes = self.bytes("table.q", Dtype::U8, &[pieces, EMBEDDING / 2])?;
        Ok((bytes.as_chunks().0, pieces))
    }

    fn halves(&self, name: &str, shape: &[usize]) -> Result<&'static [[u8; 2]], ModelError> {
        let values = self.bytes(name, Dtype::F16, shape)?.as_chunks().0;
        if !values.iter().all(|&value| is_finite_binary16(value)) {
            return Err(ModelError::NotFinite(name.into()));
        }
        Ok(values)
    }

    /// Read by bytes, as nothing aligns a tensor.
    fn floats(&self, name: &str, count: usize) -> Result<Vec<f32>, ModelError> {
        let bytes = self.bytes(name, Dtype::F32, &[count])?.as_chunks().0;
        let values: Vec<f32> = bytes.iter().map(|&value| f32::from_le_bytes(value)).collect();
        if !values.iter().all(|value| value.is_finite()) {
            return Err(ModelError::NotFinite(name.into()));
        }
        Ok(values)
    }

    fn biased(&self, name: &str, depth: usize, width: usize) -> Result<Layer, ModelError> {
        let bytes = self.bytes(&format!("{name}.q"), Dtype::I8, &[depth, width])?;
        Ok(Layer {
            matrix: Matrix { bytes, depth, width },
            scales: self.floats(&format!("{name}.scale"), width)?,
            bias: self.floats(&format!("{name}.bias"), width)?,
        })
    }

    fn plain(&self, name: &str, depth: usize, width: usize) -> Result<Layer, ModelError> {
        let bytes = self.bytes(&format!("{name}.q"), Dtype::I8, &[depth, width])?;
        Ok(Layer {
            matrix: Matrix { bytes, depth, width },
            scales: self.floats(&format!("{name}.scale"), width)?,
            bias: vec![0.0; width],
        })
    }

    fn norm(&self, name: &str, width: usize, epsilon: f32) -> Result<Norm, ModelError> {
        Ok(Norm {
            gamma: self.floats(&format!("{name}.norm.gamma"), width)?,
            beta: self.floats(&format!("{name}.norm.beta"), width)?,
            epsilon,
        })
    }
}
