//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use memoryd_client::SearchMode;

use crate::floor::Floor;
use crate::half::Half;
use crate::sets::Asked;

/// Measures how well a memoryd remembers, over sets of questions with known answers.
///
/// Starts a server of its own for every corpus, fills it as an agent would, and asks every question.
#[derive(Debug, Clone, Parser)]
#[command(name = "memoryd-eval", version, max_term_width = 100)]
pub(crate) struct Options {
    /// The folder that holds a folder for every set; 'own' alone measures the set that is in the program
    /// itself and needs no folder.
    #[arg(value_name = "DATA")]
    pub(crate) folder: PathBuf,
    /// Sets to measure; 'A:B' asks the questions of A of the corpus of B; 'own' is the project's own set;
    /// 'goals' stands for all that the project's goals are about, 'all' for everything. Without any:
    /// every set of the folder.
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
    /// Ask only the questions of one half: choose constants on one, report on the other. The id of a
    /// question decides, by the first byte of its SHA-256 digest: even is A, odd is B.
    #[arg(long, value_name = "A|B")]
    pub(crate) half: Option<Half>,
    /// The moment that words such as "last week" in a question refer to.
    #[arg(long, value_name = "RULE", default_value = "given")]
    pub(crate) reference_time: ReferenceTime,
    /// Where questions without an answer come from for a set that has none of its own and one user only.
    #[arg(long, value_name = "SOURCE", default_value = "sets")]
    pub(crate) unrelated_from: UnrelatedFrom,
    /// Questions that are under way at the same time, 1 to 64. Times are only those of a single client
    /// with 1.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) at_once: u8,
    /// Restart the server, ask everything again, and fail when a byte of an answer has changed.
    #[arg(long, conflicts_with = "url")]
    pub(crate) restart: bool,
    /// Fail when a figure isn't reached, such as 'R10=.55' or 'locomo:nDCG10=.4' or 'own:cross/R3=.9':
    /// R1, R3, R10, nDCG10, right (right hits taken for sure) or unrelated (questions without an answer
    /// that see a sure hit; at most so many), of one set or of each, of one category or language or of
    /// the whole. Of LoCoMo the whole is categories 1 to 4.
    #[arg(long, value_name = "[SET:][CATEGORY/]METRIC=VALUE")]
    pub(crate) at_least: Vec<Floor>,
    /// Write everything measured, question by question, but no text of any set.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Show the differences from an earlier run's '--json' file.
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
}

/// The moment that a question is asked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReferenceTime {
    /// What the set tells for the question; without that, the server's now.
    Given,
    /// What the set tells; without that, the time of the user's latest entry.
    Latest,
    /// The server's now, whatever the set tells.
    Unset,
}

/// Where questions without an answer come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnrelatedFrom {
    /// The set of the folder, of another origin, that is written most alike. It may be of another
    /// language, and is the same as long as the folder is.
    Sets,
    /// The project's own set, in the language that is written most alike: few and short questions, but
    /// for twelve languages in their own.
    Own,
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
        assert_eq!((options.half, options.reference_time), (None, ReferenceTime::Given));
        let line = format!("{line} --half B --reference-time latest --at-once 1");
        let options = Options::try_parse_from(line.split_whitespace()).unwrap();
        assert_eq!((options.half, options.at_once), (Some(Half::B), 1));
        for wrong in [
            "--half C",
            "--at-once 0",
            "--min-score 1.5",
            "--min-score NaN",
            "--restart --url http://h",
        ] {
            let line = format!("memoryd-eval data locomo {wrong}");
            assert!(Options::try_parse_from(line.split_whitespace()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_option_that_the_readme_names_exists() {
        let readme = include_str!("../../../README.md");
        let section = readme.split("## Measuring recall").nth(1).unwrap();
        let help = <Options as clap::CommandFactory>::command().render_long_help().to_string();
        let options: Vec<&str> = section.split('`').filter(|code| code.starts_with("--")).collect();
        assert!(options.len() >= 6, "the README has lost its options");
        for option in options {
            let option = option.split(' ').next().unwrap();
            assert!(help.contains(option), "the README names {option}, --help doesn't");
        }
    }
}
