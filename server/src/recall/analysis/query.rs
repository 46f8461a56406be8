//! What a query asks for.

use std::collections::HashSet;

use super::sentences::last_of_many;
use super::term_text::{is_stop_form, push_index_form};
use super::terms::for_each_term;

/// The distinct terms of a query, in order of first appearance.
///
/// Any text is a query: there is no syntax. Stop words are left out unless there is nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// In the form of the index.
    terms: Vec<String>,
    /// Terms of the last sentence of a long question.
    stressed: HashSet<String>,
}

impl Query {
    /// The terms of any text.
    pub fn parse(text: &str) -> Self {
        let mut terms = distinct_terms(text);
        if terms.iter().any(|term| !is_stop_form(term.as_bytes())) {
            terms.retain(|term| !is_stop_form(term.as_bytes()));
        }
        let stressed = match last_of_many(text) {
            Some(last) => distinct_terms(last).into_iter().collect(),
            None => HashSet::new(),
        };
        Self { terms, stressed }
    }

    /// The terms, in the form of the index.
    pub fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Whether a term, in the form of the index, stands in the last sentence of a question of at least
    /// [`LONG_QUESTION_SENTENCES`](crate::recall::constants::LONG_QUESTION_SENTENCES).
    pub fn stresses(&self, term: &str) -> bool {
        self.stressed.contains(term)
    }

    /// Whether the text holds nothing that can be searched for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// The distinct terms of a text, stop words included, in order of first appearance.
fn distinct_terms(text: &str) -> Vec<String> {
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
    terms
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn a_long_question_stresses_its_last_sentence() {
        let query = Query::parse("We met at the lake. It rained. Which boat did we take?");
        assert!(query.stresses("boat") && !query.stresses("lake") && !query.stresses("rain"));
        assert!(query.terms().iter().any(|term| term == "lake"));
        assert!(!Query::parse("It rained. Which boat did we take?").stresses("boat"));
    }
}
