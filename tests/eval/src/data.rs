//! Reading the files of a set.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::own;

const CORPUS: &str = "corpus.jsonl";
/// Either name; the first that is there.
const QUESTIONS: [&str; 2] = ["queries.dev.jsonl", "queries.jsonl"];
const JUDGEMENTS: [&str; 2] = ["qrels.dev.jsonl", "qrels.jsonl"];

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
    /// A time that is written in another way, of an entry or a question.
    #[error("{set}, {id}: the time isn't written as known")]
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

/// A line of `queries.dev.jsonl` or `queries.jsonl`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct QuestionLine {
    pub(crate) id: String,
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) conv: Option<String>,
    /// The kind of question, a number or a word.
    #[serde(default, deserialize_with = "number_or_word")]
    pub(crate) cat: Option<String>,
    /// The language it is asked in, such as "de".
    #[serde(default)]
    pub(crate) lang: Option<String>,
    /// The moment it is asked at, which words such as "last week" refer to.
    #[serde(default)]
    pub(crate) reference_time: Option<String>,
}

fn number_or_word<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Category {
        Number(u8),
        Word(String),
    }
    let category = Option::<Category>::deserialize(source)?;
    Ok(category.map(|category| match category {
        Category::Number(number) => number.to_string(),
        Category::Word(word) => word,
    }))
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
        if QUESTIONS.iter().any(|name| item.path().join(name).is_file()) {
            names.extend(item.file_name().into_string().ok());
        }
    }
    names.sort_unstable();
    Ok(names)
}

pub(crate) fn corpus(folder: &Path, set: &str) -> Result<Vec<EntryLine>, DataError> {
    lines(folder, set, &[CORPUS])
}

pub(crate) fn questions(folder: &Path, set: &str) -> Result<Vec<QuestionLine>, DataError> {
    lines(folder, set, &QUESTIONS)
}

/// The ids of the right entries, by the id of the question.
pub(crate) fn judgements(
    folder: &Path,
    set: &str,
) -> Result<HashMap<String, HashSet<String>>, DataError> {
    let mut right: HashMap<String, HashSet<String>> = HashMap::new();
    for JudgementLine { q, d } in lines(folder, set, &JUDGEMENTS)? {
        right.entry(q).or_default().insert(d);
    }
    Ok(right)
}

fn lines<T: DeserializeOwned>(
    folder: &Path,
    set: &str,
    names: &[&str],
) -> Result<Vec<T>, DataError> {
    let (path, file) = open(folder, set, names)?;
    let mut items = Vec::new();
    for (index, line) in file.lines().enumerate() {
        let line = line.map_err(|error| DataError::Read { path: path.clone(), error })?;
        if line.trim().is_empty() {
            continue;
        }
        let item = serde_json::from_str(&line).map_err(|error| DataError::Line {
            path: path.clone(),
            line: index + 1,
            message: error.to_string(),
        })?;
        items.push(item);
    }
    Ok(items)
}

/// The first of these files that is there; the project's own set is in the program itself, unless the
/// folder has one of that name.
fn open(
    folder: &Path,
    set: &str,
    names: &[&str],
) -> Result<(PathBuf, Box<dyn BufRead>), DataError> {
    let set_folder = folder.join(set);
    if set == own::NAME && !set_folder.is_dir() {
        for name in names {
            if let Some(content) = own::file(name) {
                return Ok((Path::new(set).join(name), Box::new(Cursor::new(content))));
            }
        }
    }
    let paths: Vec<PathBuf> = names.iter().map(|name| set_folder.join(name)).collect();
    let there = paths.iter().find(|path| path.is_file()).or(paths.first());
    let path = there.cloned().unwrap_or(set_folder);
    match File::open(&path) {
        Ok(file) => Ok((path, Box::new(BufReader::new(file)))),
        Err(error) => Err(DataError::Read { path, error }),
    }
}
