//! What a query asks for.

use std::collections::HashSet;

use super::term_text::{is_stop_form, push_index_form};
use super::terms::for_each_term;

/// The distinct terms of a query, in order of first appearance.
///
/// Any text is a query: there is no syntax. Stop words are left out unless there is nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// In the form of the index.
    terms: Vec<String>,
}

impl Query {
    /// The terms of any text.
    pub fn parse(text: &str) -> Self {
        let mut terms: Vec<String> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        let mut form = String::new();
        for_each_term(text, &mut |term| {
            form.clear();
            push_index_form(term.text, term.stop, &mut form);
            if !seen.contains(form.as_str()) {
                seen.insert(form.clone());
                terms.push(form.clone());
            }
        });
        if terms.iter().any(|term| !is_stop_form(term.as_bytes())) {
            terms.retain(|term| !is_stop_form(term.as_bytes()));
        }
        Self { terms }
    }

    /// The terms, in the form of the index.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Whether the text holds nothing that can be searched for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}
