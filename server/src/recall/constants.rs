//! The numbers of recall. Those of ranking and of the score were chosen on one half of the query sets
//! and measured on the other.

/// Name and version of the analysis. Terms of different versions are never compared, so it changes
/// with every change to what [`analyze`](super::analysis::analyze) answers.
pub const ANALYZER: &str = "memoryd-words-2";

/// BM25 saturation: how soon a repeated word stops counting. No unit. Over .9, .8 gave eight sets of
/// sentences .0020 and .0009 nDCG@10 on two halves of their questions, and the others nothing.
pub const BM25_K1: f64 = 0.8;

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

/// Share of a term's weight that an entry has from the one before it in its session. This and the
/// next three: on LoCoMo nDCG@10 rose from .460 to .520.
pub const FILL_PREVIOUS: f64 = 0.6;

/// Share of a term's weight that an entry has from the one behind it.
pub const FILL_NEXT: f64 = 0.4;

/// Share of a term's weight that an entry has from the one two before it.
pub const FILL_SECOND_PREVIOUS: f64 = 0.3;

/// Share of a term's weight that an entry has from the one two behind it.
pub const FILL_SECOND_NEXT: f64 = 0.2;

/// Weight of the session as a whole beside the entry: LoCoMo .520 to .532.
pub const SESSION_PRIOR: f64 = 0.5;

/// BM25 saturation of a session that is taken for one document. No unit.
pub const SESSION_K1: f64 = 0.9;

/// BM25 length normalisation of a session that is taken for one document: in full, since sessions
/// differ in length far more than in how wordy they are. Over .4, on two halves of the questions,
/// nDCG@10 rose by .017 and .015 on Arabic articles by sentences and stayed within .004 on the others.
pub const SESSION_B: f64 = 1.0;

/// Factor on what the words of entries by an author whom the query names are worth. This and the next
/// two are one rule, chosen on one half of LoCoMo's questions, the only ones with authors: over a
/// factor of 1.3 alone nDCG@10 rose by .021 there and .014 on the other half, and R@10 of the
/// questions with several answers by .06 and .02.
pub const AUTHOR_FACTOR: f64 = 1.8;

/// Factor on what the likeness of such entries is worth.
pub const AUTHOR_LIKENESS_FACTOR: f64 = 1.5;

/// Sentences from which on a question is a stretch of talk that comes to its point in the last one.
pub const LONG_QUESTION_SENTENCES: usize = 3;

/// Factor on the idf of the terms in that sentence: agent memories in English .464 to .483 nDCG@10, in
/// Chinese .449 to .485, up on both halves of the questions.
pub const STRESS: f64 = 1.5;

/// Share of its idf that a term keeps that names an author: it stands in what others tell the author,
/// not in what the author tells.
pub const NAME_SHARE: f64 = 0.5;

/// Share of the vector of the entry before, in the mixture that likeness is measured on.
pub const MIX_PREVIOUS: f64 = 0.5;

/// Share of the vector of the entry behind.
pub const MIX_NEXT: f64 = 0.3;

/// From this worth of the best entry's words on they settle a question, and what it means changes
/// nothing worth the encoder's time. At .5 LoCoMo loses .010 nDCG@10, at .6 .002, at .7 nothing.
pub const WORDS_SETTLE: f64 = 0.7;

/// The same for a question of at most [`FEW_WORDS`] terms: an entry that says the very keyword needs no
/// encoder, and seldom is worth more than half, since an entry without session that holds a term once
/// has about .53 of its idf.
pub const FEW_WORDS_SETTLE: f64 = 0.5;

/// Terms of a question that counts as keywords.
pub const FEW_WORDS: usize = 3;

/// Factor from the root of the rank value to the score.
pub const SCORE_GAIN: f64 = 1.12;

/// What likeness loses in the score where entries in sight hold every word of the question.
pub const KNOWN_DISCOUNT: f64 = 0.25;

/// How much of the question counts as known where only meaning is asked for, so that words can't
/// confirm what likeness finds: with the encoder a hit is sure from a D of .4 on, as it was. Not
/// measured in that mode; in hybrid lists one unrelated question in ten sees such a D.
pub const KNOWN_UNASKED: f64 = 0.25;

/// The most dimensions of a vector: so few that a sum of products fits into 32 bits.
pub const MOST_DIMS: usize = 4096;

/// Postings, or entries of another kind of pass, that ranking reads between two looks at the
/// interrupt.
pub const RANK_INTERRUPT_POSTINGS: usize = 4096;

/// What asking the caller's filter about one entry counts for, in postings: it may read a store.
pub const ADMIT_COST_POSTINGS: usize = 64;

/// Working memories of rankings that are kept for the next ones.
pub const SCRATCH_KEPT: usize = 4;

/// A working memory for more entries than this isn't kept: 28 bytes each.
pub const SCRATCH_KEPT_DOCS: usize = 262_144;

/// Removed postings that a term's list keeps before it is compacted at all.
pub const COMPACT_MIN_DEAD: usize = 8;
