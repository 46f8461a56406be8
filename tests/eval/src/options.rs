//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use memoryd_client::SearchMode;

use crate::goal::Goal;
use crate::sets::Asked;

/// Measures how well a memoryd remembers, over sets of questions with known answers.
///
/// Starts a server of its own for every set, fills it as an agent would, and asks every question.
#[derive(Debug, Clone, Parser)]
#[command(name = "memoryd-eval", version, max_term_width = 100)]
pub(crate) struct Options {
    /// The folder that holds a folder for every set.
    #[arg(value_name = "DATA")]
    pub(crate) folder: PathBuf,
    /// Sets to measure; 'A:B' asks the questions of A of the corpus of B. Without any: every set of the
    /// folder.
    #[arg(value_name = "SET|A:B")]
    pub(crate) sets: Vec<Asked>,
    /// Measure the server that runs here, instead of one started for it. Users of the application
    /// 'memoryd-eval' are erased on it, before and after.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The score from which on a hit is taken for sure, 0 to 1.
    #[arg(long, value_name = "SCORE", default_value = "0.5", value_parser = share)]
    pub(crate) min_score: f64,
    /// What the searches go by; several are measured one after the other on the same server.
    #[arg(long, value_name = "MODE,…", value_delimiter = ',', default_value = "hybrid")]
    pub(crate) modes: Vec<Mode>,
    /// Restart the server, ask everything again, and fail when a byte of an answer has changed.
    #[arg(long, conflicts_with = "url")]
    pub(crate) restart: bool,
    /// Fail when a figure isn't reached, such as 'R10=.55' or 'locomo:nDCG10=.4': R1, R10 or nDCG10, of
    /// one set or of each. Of LoCoMo it is that of categories 1 to 4.
    #[arg(long, value_name = "[SET:]METRIC=VALUE")]
    pub(crate) at_least: Vec<Goal>,
    /// Write everything measured, question by question, but no text of any set.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Show the differences from an earlier run's '--json' file.
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
}

/// What the searches go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Words and meaning.
    Hybrid,
    /// Words only.
    Lexical,
    /// Meaning only.
    Semantic,
}

impl Mode {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Lexical => "lexical",
            Self::Semantic => "semantic",
        }
    }
}

impl From<Mode> for SearchMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Hybrid => Self::Hybrid,
            Mode::Lexical => Self::Lexical,
            Mode::Semantic => Self::Semantic,
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("must be a number from 0 to 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }

    #[test]
    fn a_command_line_is_read() {
        let line = "memoryd-eval data locomo xquad-en:xquad-zh --min-score .6 --modes lexical,hybrid \
                    --at-least R10=.55";
        let options = Options::try_parse_from(line.split_whitespace()).unwrap();
        assert_eq!(options.sets.len(), 2);
        assert_eq!(options.sets[1].to_string(), "xquad-en:xquad-zh");
        assert_eq!(options.min_score, 0.6);
        assert_eq!(options.modes, [Mode::Lexical, Mode::Hybrid]);
        for wrong in ["--min-score 1.5", "--min-score NaN", "--restart --url http://h"] {
            let line = format!("memoryd-eval data locomo {wrong}");
            assert!(Options::try_parse_from(line.split_whitespace()).is_err(), "{wrong}");
        }
    }
}
