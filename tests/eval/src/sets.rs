//! Which questions are asked of which corpus.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::data::{self, DataError};

/// The questions of one set, asked of the corpus of the same or another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The set that the questions come from.
    pub(crate) questions: String,
    /// The set whose corpus they are asked of; its judgements tell what is right.
    pub(crate) corpus: String,
}

impl FromStr for Asked {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (questions, corpus) = text.split_once(':').unwrap_or((text, text));
        Ok(Self { questions: questions.to_owned(), corpus: corpus.to_owned() })
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { questions, corpus } = self;
        if questions == corpus {
            formatter.write_str(corpus)
        } else {
            write!(formatter, "{questions}:{corpus}")
        }
    }
}

/// The sets that a command line means: those named, or every one of the folder.
pub(crate) fn chosen(folder: &Path, named: &[Asked]) -> Result<Vec<Asked>, DataError> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let all = data::set_names(folder)?;
    Ok(all.into_iter().map(|name| Asked { questions: name.clone(), corpus: name }).collect())
}

/// What sets of the same origin have in common: the name up to its first hyphen.
pub(crate) fn family(set: &str) -> &str {
    set.split('-').next().unwrap_or(set)
}
