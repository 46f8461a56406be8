//! Which questions are asked of which corpus.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::EvalError;
use crate::{data, goals, own};

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

/// A word for every set and pair that the project's goals are about.
const GOALS: &str = "goals";
/// A word for all of the folder, the project's own set, and what the goals are about.
const ALL: &str = "all";

impl Asked {
    fn set(name: String) -> Self {
        Self { questions: name.clone(), corpus: name }
    }
}

/// The sets that a command line means, each once: those named, or every one of the folder.
pub(crate) fn chosen(folder: &Path, named: &[Asked]) -> Result<Vec<Asked>, EvalError> {
    let of_folder = || -> Result<Vec<Asked>, EvalError> {
        Ok(data::set_names(folder)?.into_iter().map(Asked::set).collect())
    };
    if named.is_empty() {
        let is_own = folder == Path::new(own::NAME) && !folder.is_dir();
        return if is_own { Ok(vec![Asked::set(own::NAME.to_owned())]) } else { of_folder() };
    }
    let mut chosen: Vec<Asked> = Vec::new();
    for asked in named {
        let meant = match asked.to_string().as_str() {
            GOALS => goals::sets()?,
            ALL => {
                let own = Asked::set(own::NAME.to_owned());
                [of_folder()?, vec![own], goals::sets()?].concat()
            }
            _ => vec![asked.clone()],
        };
        for one in meant {
            if !chosen.contains(&one) {
                chosen.push(one);
            }
        }
    }
    Ok(chosen)
}

/// What sets of the same origin have in common: the name up to its first hyphen.
pub(crate) fn family(set: &str) -> &str {
    set.split('-').next().unwrap_or(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_and_all_stand_for_many_sets_each_of_them_once() {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("locomo")).unwrap();
        std::fs::write(folder.path().join("locomo/queries.dev.jsonl"), "").unwrap();
        let chosen = |words: &[&str]| {
            let named: Vec<Asked> = words.iter().flat_map(|word| word.parse()).collect();
            let chosen = chosen(folder.path(), &named).unwrap();
            chosen.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(chosen(&[]), ["locomo"]);
        let goals = chosen(&["goals"]);
        assert!(goals.contains(&"locomo".to_owned()) && !goals.contains(&"own".to_owned()));
        let all = chosen(&["all", "goals"]);
        assert_eq!(all.len(), goals.len() + 1);
        assert_eq!(chosen(&["own", "a:b", "own"]), ["own", "a:b"]);
    }

    #[test]
    fn the_own_set_needs_no_folder() {
        let chosen = chosen(Path::new("own"), &[]).unwrap();
        assert_eq!(chosen, [Asked::set("own".to_owned())]);
    }
}
