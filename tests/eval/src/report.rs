//! Everything measured, as it is written for machines. It holds ids of questions, no text.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bootstrap::Interval;
use crate::error::EvalError;
use crate::goals::Standing;

/// Version of this form: another one can't be compared.
pub(crate) const FORMAT: u32 = 2;

/// Everything measured by one call of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) format: u32,
    /// The score from which on a hit was taken for sure.
    pub(crate) min_score: f64,
    /// The half of the questions that was asked; unset: all of them.
    pub(crate) half: Option<String>,
    /// Questions that were under way at the same time.
    pub(crate) at_once: u8,
    pub(crate) runs: Vec<Run>,
    /// How the runs stand towards the project's goals, where every set of a goal was measured.
    pub(crate) goals: Vec<Standing>,
}

/// One set in one mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Run {
    /// The set, or the pair as "A:B".
    pub(crate) name: String,
    pub(crate) mode: String,
    pub(crate) server: ServerFacts,
    /// The first stands for the set.
    pub(crate) groups: Vec<Group>,
    pub(crate) unrelated: Option<FalseHits>,
    pub(crate) speed: Speed,
    /// In the order of the questions.
    pub(crate) questions: Vec<Judged>,
}

/// What GetServerInfo says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ServerFacts {
    pub(crate) version: String,
    pub(crate) store: String,
    pub(crate) analyzer: String,
    pub(crate) embedder: String,
}

/// Questions of one kind; figures are unset where there is nothing to measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) questions: usize,
    /// Failed searches, which count as having found nothing.
    pub(crate) errors: usize,
    pub(crate) r1: Option<Interval>,
    pub(crate) r3: Option<Interval>,
    pub(crate) r10: Option<Interval>,
    pub(crate) ndcg10: Option<Interval>,
    /// The share of the right hits in the first ten that are taken for sure.
    pub(crate) right_hits_sure: Option<Interval>,
}

/// How often a question that the corpus can't answer sees a hit that is taken for sure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FalseHits {
    /// Where the questions come from.
    pub(crate) source: String,
    pub(crate) questions: usize,
    pub(crate) errors: usize,
    pub(crate) share: Option<Interval>,
    /// In the order of the questions, without those whose search failed.
    pub(crate) asked: Vec<WithoutAnswer>,
}

/// What a question that the corpus can't answer saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WithoutAnswer {
    pub(crate) id: String,
    pub(crate) language: Option<String>,
    /// The highest score of a hit; 0 without hits.
    pub(crate) best: f64,
    pub(crate) is_sure: bool,
}

/// How fast it was, as a client sees it that has so many questions under way at once as the report tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Speed {
    pub(crate) entries: usize,
    pub(crate) entries_per_second: f64,
    /// How long vectors were behind the last answered write, in seconds.
    pub(crate) settled_seconds: f64,
    pub(crate) p50_milliseconds: f64,
    pub(crate) p99_milliseconds: f64,
}

/// How good the answer to one question is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    pub(crate) id: String,
    pub(crate) category: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) failed: bool,
    pub(crate) r1: f64,
    pub(crate) r3: f64,
    pub(crate) r10: f64,
    pub(crate) ndcg10: f64,
    /// Right entries among the hits.
    pub(crate) right_hits: u32,
    /// Those of them that are taken for sure.
    pub(crate) right_hits_sure: u32,
}

impl Run {
    /// The group that stands for the set.
    pub(crate) fn headline(&self) -> Option<&Group> {
        self.groups.first()
    }
}

impl Report {
    pub(crate) fn read(path: &Path) -> Result<Self, EvalError> {
        let failed = |error| EvalError::Report { path: path.to_owned(), error };
        let file = BufReader::new(File::open(path).map_err(failed)?);
        let report: Self = serde_json::from_reader(file).map_err(|error| failed(error.into()))?;
        if report.format == FORMAT {
            return Ok(report);
        }
        let text = format!("format {} instead of {FORMAT}", report.format);
        Err(failed(std::io::Error::new(std::io::ErrorKind::InvalidData, text)))
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), EvalError> {
        let failed = |error| EvalError::Report { path: path.to_owned(), error };
        let mut file = BufWriter::new(File::create(path).map_err(failed)?);
        serde_json::to_writer(&mut file, self).map_err(|error| failed(error.into()))?;
        file.write_all(b"\n").and_then(|()| file.flush()).map_err(failed)
    }
}
