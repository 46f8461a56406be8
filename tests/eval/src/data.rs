//! Reading the files of a set.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

const CORPUS: &str = "corpus.jsonl";
const QUESTIONS: &str = "queries.dev.jsonl";
const JUDGEMENTS: &str = "qrels.dev.jsonl";

/// Why a set can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataError {
    /// A file or folder can't be read.
    #[error("{path}: {error}")]
    Read { path: PathBuf, error: std::io::Error },
    /// A line isn't what it should be.
    #[error("{path}, line {line}: {message}")]
    Line { path: PathBuf, line: usize, message: String },
    /// A set without entries, or without questions that have an answer.
    #[error("no question of {questions} has an answer in {corpus}")]
    NothingToAsk { questions: String, corpus: String },
    /// A time that is written in another way.
    #[error("{set}, entry {id}: the time isn't written as known")]
    Time { set: String, id: String },
    /// A question about a conversation that isn't there.
    #[error("{set}, question {id}: its conversation isn't in the corpus")]
    Conversation { set: String, id: String },
}

/// A line of `corpus.jsonl`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EntryLine {
    pub(crate) id: String,
    pub(crate) text: String,
    /// What stands for a user; unset: the set has one user only.
    #[serde(default)]
    pub(crate) conv: Option<String>,
    /// Number of the session within the conversation.
    #[serde(default)]
    pub(crate) session: Option<u64>,
    /// When it was said; in a session, when the session began.
    #[serde(default)]
    pub(crate) ts: Option<String>,
    #[serde(default)]
    pub(crate) author: Option<String>,
    /// What an image that came along shows.
    #[serde(default)]
    pub(crate) caption: Option<String>,
}

/// A line of `queries.dev.jsonl`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct QuestionLine {
    pub(crate) id: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) conv: Option<String>,
    #[serde(default)]
    pub(crate) cat: Option<u8>,
}

#[derive(Deserialize)]
struct JudgementLine {
    q: String,
    d: String,
}

/// The names of all sets in a folder, sorted.
pub(crate) fn set_names(folder: &Path) -> Result<Vec<String>, DataError> {
    let failed = |error| DataError::Read { path: folder.to_owned(), error };
    let mut names = Vec::new();
    for item in std::fs::read_dir(folder).map_err(failed)? {
        let item = item.map_err(failed)?;
        if item.path().join(QUESTIONS).is_file() {
            names.extend(item.file_name().into_string().ok());
        }
    }
    names.sort_unstable();
    Ok(names)
}

pub(crate) fn corpus(folder: &Path, set: &str) -> Result<Vec<EntryLine>, DataError> {
    lines(&folder.join(set).join(CORPUS))
}

pub(crate) fn questions(folder: &Path, set: &str) -> Result<Vec<QuestionLine>, DataError> {
    lines(&folder.join(set).join(QUESTIONS))
}

/// The ids of the right entries, by the id of the question.
pub(crate) fn judgements(
    folder: &Path,
    set: &str,
) -> Result<HashMap<String, HashSet<String>>, DataError> {
    let mut right: HashMap<String, HashSet<String>> = HashMap::new();
    for JudgementLine { q, d } in lines(&folder.join(set).join(JUDGEMENTS))? {
        right.entry(q).or_default().insert(d);
    }
    Ok(right)
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, DataError> {
    let failed = |error| DataError::Read { path: path.to_owned(), error };
    let file = BufReader::new(File::open(path).map_err(failed)?);
    let mut items = Vec::new();
    for (index, line) in file.lines().enumerate() {
        let line = line.map_err(failed)?;
        if line.trim().is_empty() {
            continue;
        }
        let item = serde_json::from_str(&line).map_err(|error| DataError::Line {
            path: path.to_owned(),
            line: index + 1,
            message: error.to_string(),
        })?;
        items.push(item);
    }
    Ok(items)
}
