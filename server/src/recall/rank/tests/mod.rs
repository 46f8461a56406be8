mod best;
mod cost;
mod dates;
mod explain;
mod meaning;
mod model;
mod names;
mod reports;
mod sessions;
mod words;

use super::{Match, Mode, Question, Ranking, rank};
use crate::recall::analysis::{EntryTerms, Query};
use crate::recall::index::{IndexedEntry, ScopeIndex};

fn put(index: &mut ScopeIndex, doc: u32, author: &str, day: i32, text: &str) {
    index.insert(doc, IndexedEntry { terms: &EntryTerms::of(text), author, day });
}

/// Entries without author and session.
fn index_of<'a>(entries: impl IntoIterator<Item = (u32, &'a str)>) -> ScopeIndex {
    let mut index = ScopeIndex::new();
    for (doc, text) in entries {
        put(&mut index, doc, "", 0, text);
    }
    index
}

/// Entries of one session, in order.
fn session_of(texts: &[&str]) -> ScopeIndex {
    let mut index = index_of((0..).zip(texts.iter().copied()));
    let docs: Vec<u32> = (0..).take(texts.len()).collect();
    index.order_session(0, &docs);
    index
}

fn asking(words: &str) -> Question<'static> {
    Question::of_words(Query::parse(words))
}

fn ranking(question: &Question<'_>, scopes: &[&ScopeIndex]) -> Ranking {
    rank(question, scopes, None, &|| false).unwrap()
}

fn ranked(words: &str, scopes: &[&ScopeIndex]) -> Vec<Match> {
    ranking(&asking(words), scopes).matches
}

fn docs(matches: &[Match]) -> Vec<u32> {
    matches.iter().map(|found| found.doc).collect()
}

/// Docs, best first; of equal ones the later first.
fn order(mut matches: Vec<Match>) -> Vec<u32> {
    matches.sort_by(|left, right| {
        right.value.total_cmp(&left.value).then_with(|| right.doc.cmp(&left.doc))
    });
    docs(&matches)
}

fn idf(documents: f64, df: f64) -> f64 {
    (1.0 + (documents - df + 0.5) / (df + 0.5)).ln()
}
