//! The numbers of recall. BM25's and the score's were chosen on one half of the query sets and
//! measured on the other.

/// Name and version of the analysis. Terms of different versions are never compared, so it changes
/// with every change to what [`analyze`](super::analysis::analyze) answers.
pub const ANALYZER: &str = "memoryd-words-1";

/// BM25 saturation: how soon a repeated word stops counting. No unit.
pub const BM25_K1: f64 = 0.9;

/// BM25 length normalisation: 0 ignores the length of an entry, 1 divides by it. No unit.
pub const BM25_B: f64 = 0.4;

/// Letters that are left of a Latin, Cyrillic or Greek word: a stemmer for every language at once.
pub const CUT_LETTERS: usize = 5;

/// Letters that must be left of a Cyrillic or Greek word when its final vowel goes. On Russian
/// sentences nDCG@10 rose from .816 to .830; nothing was tuned, so no half was held out.
pub const SHORTEST_CUT_CHARS: usize = 3;

/// The longest term the index holds, in Unicode scalar values.
pub const LONGEST_TERM_CHARS: usize = 64;

/// Letters of an n-gram of a Han or Kana run, or of a Hangul word.
pub const BIGRAM_CHARS: usize = 2;

/// Letters of an n-gram of a script that is written without spaces, such as Thai.
pub const TRIGRAM_CHARS: usize = 3;

/// The least letters of a part of an identifier: shorter ones say nothing.
pub const SHORTEST_PART_CHARS: usize = 2;

/// Factor from the root of the rank value to the score.
pub const SCORE_GAIN: f64 = 1.15;

/// Documents whose sums are held at a time while ranking; a multiple of 64.
pub const RANK_WINDOW_DOCS: u32 = 4096;

/// Postings that ranking reads between two looks at the interrupt.
pub const RANK_INTERRUPT_POSTINGS: usize = 4096;

/// Removed postings that a term's list keeps before it is compacted at all.
pub const COMPACT_MIN_DEAD: usize = 8;
