//! What an embedder's likeness is worth: told by the embedder, used by ranking.

/// What one embedder's likeness is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// Weight of the likeness beside the lexical value, which has 1; at least 0.
    pub weight: f64,
    /// The least likeness of an entry's own vector that makes it a hit without words, above 0.
    pub floor: f64,
    /// Factor from the likeness to the score, where no word of the question is known; above 0.
    pub gain: f64,
}

impl Calibration {
    /// Of the encoder `use-m3-int4`. Over a weight of .2, .25 gave the seven pairs of languages .005
    /// nDCG@10, Russian and German sentences .003, and the others nothing in the mean.
    pub const ENCODER: Self = Self { weight: 0.25, floor: 0.1, gain: 1.5 };

    /// Of the static table `mse-128-int4`.
    pub const STATIC_TABLE: Self = Self { weight: 0.05, floor: 0.15, gain: 1.0 };
}
