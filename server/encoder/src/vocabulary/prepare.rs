//! From a list of pieces to the form that segmentation reads; the build script uses it too.

use super::builder;

/// Why a list of pieces is no vocabulary. Places count from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// A line that isn't a piece, a tab and a number.
    #[error("line {0} is not a piece, a tab and a finite score")]
    Line(usize),
    /// An empty piece, or one with U+0000.
    #[error("piece {0} is empty or holds U+0000")]
    Piece(usize),
    /// A score that is infinite or not a number.
    #[error("the score of piece {0} is not finite")]
    Score(usize),
    /// A piece that occurs twice.
    #[error("piece {0} occurs twice")]
    Twice(usize),
    /// No piece has a score below zero.
    #[error("no piece has a logarithmic probability")]
    NoScores,
    /// More pieces, or longer ones, than the prepared form holds.
    #[error("there are too many pieces")]
    TooLarge,
}

/// A piece of a vocabulary in the making.
pub(crate) struct Piece<'a> {
    pub(crate) text: &'a str,
    /// Logarithm of its probability.
    pub(crate) score: f64,
    /// Whether text can hold it; marks such as the start of a text are put in by the model alone.
    pub(crate) in_text: bool,
}

/// What segmentation reads in place, little-endian.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// The double array over the pieces' bytes, 4 bytes a unit.
    pub(crate) trie: Vec<u8>,
    /// Scores by piece, 8 bytes each, and at the end the one of an unknown character.
    pub(crate) scores: Vec<u8>,
}

/// How much less likely an unknown character is than the rarest piece, as in SentencePiece.
const UNKNOWN_PENALTY: f64 = 10.0;

/// Pieces at the front of a vocabulary file that text can't hold: unknown, start, end.
const MARKS: usize = 3;

/// The pieces of a `vocab.tsv`: piece, tab, score; the number of the line is the piece.
pub(crate) fn parse_tsv(text: &str) -> Result<Vec<Piece<'_>>, PrepareError> {
    text.lines()
        .enumerate()
        .map(|(line, content)| {
            let (text, score) = content.split_once('\t').ok_or(PrepareError::Line(line))?;
            let score = score.parse().map_err(|_| PrepareError::Line(line))?;
            Ok(Piece { text, score, in_text: line >= MARKS })
        })
        .collect()
}

/// Checks the pieces and lays them out.
pub(crate) fn prepare(pieces: &[Piece<'_>]) -> Result<Prepared, PrepareError> {
    let mut keys = Vec::with_capacity(pieces.len());
    let mut scores = Vec::with_capacity(8 * pieces.len() + 8);
    let mut lowest = f64::INFINITY;
    for (index, piece) in pieces.iter().enumerate() {
        if !piece.score.is_finite() {
            return Err(PrepareError::Score(index));
        }
        if piece.in_text {
            if piece.text.is_empty() || piece.text.contains('\0') {
                return Err(PrepareError::Piece(index));
            }
            keys.push((piece.text.as_bytes(), u32::try_from(index).unwrap_or(u32::MAX)));
        }
        if piece.score < 0.0 {
            lowest = lowest.min(piece.score);
        }
        scores.extend(piece.score.to_le_bytes());
    }
    if lowest == f64::INFINITY {
        return Err(PrepareError::NoScores);
    }
    if pieces.len() >= 1 << 23 {
        return Err(PrepareError::TooLarge);
    }
    scores.extend((lowest - UNKNOWN_PENALTY).to_le_bytes());
    keys.sort_unstable();
    if let Some([_, (_, twice)]) = keys.array_windows().find(|[one, two]| one.0 == two.0) {
        return Err(PrepareError::Twice(*twice as usize));
    }
    let units = builder::build(&keys).ok_or(PrepareError::TooLarge)?;
    Ok(Prepared { trie: units.into_iter().flat_map(u32::to_le_bytes).collect(), scores })
}
