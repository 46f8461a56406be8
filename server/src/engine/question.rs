//! A query taken apart: its words, its date words and, once it is there, its vector.

use super::sight::Sight;
use crate::domain::{SearchMode, SearchQuery, Timestamp};
use crate::recall::analysis::Query;
use crate::recall::rank::{Dated, Meaning, Mode, Question};
use crate::recall::time::DateWords;

/// What a query's text asks for.
pub(super) struct Asked {
    words: Query,
    dated: Option<AskedDate>,
    mode: Mode,
}

/// The days that a query names.
struct AskedDate {
    /// The query without its date words.
    rest: Query,
    agreement: Box<dyn Fn(i32) -> f64 + Send>,
}

impl Asked {
    /// Takes a query's text apart. Its date words are relative to the query's reference time, else to now.
    pub(super) fn parse(query: &SearchQuery) -> Self {
        let reference = query.reference_time.unwrap_or_else(Timestamp::now);
        let dated = DateWords::find(&query.text, reference.day()).map(|dates| AskedDate {
            rest: Query::parse(dates.rest()),
            agreement: Box::new(move |day| dates.agreement(day)),
        });
        let mode = match query.mode {
            SearchMode::Hybrid => Mode::Hybrid,
            SearchMode::Lexical => Mode::Lexical,
            SearchMode::Semantic => Mode::Semantic,
        };
        Self { words: Query::parse(&query.text), dated, mode }
    }

    /// How many postings ranking by words reads.
    pub(super) fn postings(&self, sight: &Sight<'_>) -> u64 {
        let rest = self.dated.iter().flat_map(|date| date.rest.terms());
        let terms = self.words.terms().iter().chain(rest);
        terms
            .flat_map(|term| sight.indexes.iter().map(|index| index.document_frequency(term)))
            .map(u64::from)
            .sum()
    }

    /// Whether it names days.
    pub(super) fn is_dated(&self) -> bool {
        self.dated.is_some()
    }

    /// How many terms it has.
    pub(super) fn terms(&self) -> u64 {
        self.words.terms().len() as u64
    }

    /// The question that ranking answers, with or without its meaning.
    pub(super) fn question(&self, meaning: Option<Meaning>) -> Question<'_> {
        let dated = self
            .dated
            .as_ref()
            .map(|date| Dated { rest: date.rest.clone(), agreement: &*date.agreement });
        Question { words: self.words.clone(), dated, meaning, mode: self.mode }
    }
}
