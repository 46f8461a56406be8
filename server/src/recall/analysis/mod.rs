//! Words of a text: one pipeline for entries and queries, in every script.
//!
//! ```text
//! text ─ normal form ─ runs of one script ─ folded surfaces ─ terms
//!        (normal)      (runs, script)       (surface, fold)   (terms)
//! ```
//!
//! Runs that make one word together, numbers and names with signs in them, are read where the first
//! of them stands (number, joined).
//!
//! *Surfaces* are what a reader sees: `internationally`. *Terms* are what the index holds, stemmed
//! and cut: `inter`. Search compares terms; deletion compares surfaces, because the cut would let
//! "internal" delete "international".

mod arabic;
mod clitic;
mod deletion;
mod digits;
mod english;
mod entry_terms;
mod fold;
mod hindi;
mod identifier;
mod joined;
mod korean;
mod normal;
mod number;
mod packed_terms;
mod query;
mod runs;
mod script;
mod sentences;
mod stop_words;
mod surface;
mod term_text;
mod terms;
#[cfg(test)]
mod tests;
mod umlaut;
mod unit;
mod vietnamese;

pub use deletion::{DeletionQuery, WordMatch};
pub use entry_terms::{EntryTerms, TermCount};
pub(in crate::recall) use fold::fold_word;
pub(in crate::recall) use normal::normal_form;
pub use query::Query;
pub(in crate::recall) use term_text::is_stop_form;
pub use term_text::readable_term;

/// One occurrence of a term in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What the index holds: folded, stemmed and cut.
    pub term: String,
    /// What the text holds: folded, whole and unstemmed. Of an n-gram, the n-gram itself.
    pub word: String,
    /// Whether it is one of the words that decide nothing while a query has others.
    pub stop: bool,
    /// Whether it is another form of a word beside it, such as `3.5kg` beside `3.5 kg`. Search finds
    /// by it, but it adds nothing to the length of an entry, and deletes nothing.
    pub hint: bool,
}

/// All tokens of `text`, in order of appearance; an identifier comes before its parts.
pub fn analyze(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    terms::for_each_term(text, &mut |term| {
        tokens.push(Token {
            term: term.text.to_owned(),
            word: term.word.to_owned(),
            stop: term.stop,
            hint: term.hint,
        });
    });
    tokens
}
