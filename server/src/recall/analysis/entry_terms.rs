//! What the index keeps of an entry: its terms, counted.

use super::term_text::{is_stop_form, push_index_form};
use super::terms::for_each_term;

/// A term of an entry and how often the entry holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermCount<'a> {
    /// In the form of the index.
    pub term: &'a str,
    /// At least 1.
    pub count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Counted {
    start: usize,
    end: usize,
    count: u32,
}

/// The distinct terms of an entry, with counts, in the order of their bytes.
#[derive(Clone, Debug, Default)]
pub struct EntryTerms {
    /// Terms side by side; `counted` points into it.
    text: String,
    counted: Vec<Counted>,
    /// See [`EntryTerms::length`].
    length: u64,
}

impl EntryTerms {
    /// The terms of one text.
    pub fn of(text: &str) -> Self {
        Self::of_texts([text])
    }

    /// The terms of an entry of several texts, such as its parts; no word spans two of them.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut terms = Self::default();
        for text in texts {
            // Terms of spaced scripts take up less than the text they are cut from.
            terms.text.reserve(text.len());
            for_each_term(text, &mut |term| {
                let start = terms.text.len();
                push_index_form(term.text, term.stop, &mut terms.text);
                let end = terms.text.len();
                terms.counted.push(Counted { start, end, count: 1 });
                terms.length += u64::from(!term.stop && !term.hint);
            });
        }
        terms.merge_equal();
        terms
    }

    /// Terms side by side in `text`, given by start, end and count; `None` unless they are distinct, in
    /// the order of their bytes, and cut the text at characters.
    pub(super) fn from_sorted(
        text: String,
        counted: &[(usize, usize, u32)],
        length: u64,
    ) -> Option<Self> {
        let counted: Vec<Counted> =
            counted.iter().map(|&(start, end, count)| Counted { start, end, count }).collect();
        let mut before = None;
        for &Counted { start, end, count } in &counted {
            let term = text.get(start..end)?;
            if count == 0 || before.is_some_and(|before| before >= term) {
                return None;
            }
            before = Some(term);
        }
        Some(Self { text, counted, length })
    }

    fn merge_equal(&mut self) {
        let text = &self.text;
        let term = |counted: &Counted| &text[counted.start..counted.end];
        self.counted.sort_unstable_by(|left, right| term(left).cmp(term(right)));
        self.counted.dedup_by(|later, kept| {
            let equal = term(later) == term(kept);
            if equal {
                kept.count = kept.count.saturating_add(later.count);
            }
            equal
        });
    }

    /// The distinct terms, in the order of their bytes.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = TermCount<'_>> {
        self.counted
            .iter()
            .map(|&Counted { start, end, count }| TermCount { term: &self.text[start..end], count })
    }

    /// How often the entry holds a term, given in the form of the index.
    pub fn count(&self, term: &str) -> u32 {
        let found = self
            .counted
            .binary_search_by(|counted| self.text[counted.start..counted.end].cmp(term));
        found.ok().and_then(|at| self.counted.get(at)).map_or(0, |counted| counted.count)
    }

    /// Tokens of the entry, repeated ones included, stop words and other forms of a word beside it
    /// not: its length to BM25.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whether the entry holds no word at all, so that no query finds it by words.
    pub fn is_empty(&self) -> bool {
        self.counted.is_empty()
    }

    /// Whether the entry holds nothing but stop words.
    pub fn only_stop_words(&self) -> bool {
        self.iter().all(|counted| is_stop_form(counted.term.as_bytes()))
    }
}
