//! Measures how well a real memoryd remembers: puts the corpora of question sets into a server as an
//! agent would, asks every question through `Search`, and reports what was found.
//!
//! ```text
//! memoryd-eval DATA locomo xquad-en-sent xquad-zh:xquad-en --json new.json --compare old.json
//! ```
//!
//! A set is a folder of `corpus.jsonl` {id, text, and perhaps conv, session, ts, author, caption},
//! `queries.dev.jsonl` {id, text, and perhaps cat, lang, conv, reference_time} and `qrels.dev.jsonl`
//! {q, d}; the last two may go without `.dev`. `A:B` asks the questions of A of the corpus of B. `own`
//! is a small set that belongs to the project; the others have licences of their own and are no part
//! of it.
//!
//! Exit code: 0, or 1 when a figure of `--at-least` isn't reached, a search failed, or an answer changed with a restart,
//! or 2 when nothing could be measured.

mod ask;
mod batches;
mod bootstrap;
mod compare;
mod data;
mod error;
mod evaluate;
mod floor;
mod format;
mod goals;
mod half;
mod ingest;
mod judge;
mod metric;
mod metrics;
mod options;
mod own;
mod plan;
mod progress;
mod report;
mod restart;
mod server;
mod sets;
mod settle;
mod table;
mod time;
mod unrelated;

#[cfg(test)]
mod tests;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use tracing::level_filters::LevelFilter;

use crate::error::EvalError;
use crate::options::Options;
use crate::report::Report;

/// Exit code when something measured isn't as it should be.
const EXIT_FAILED: u8 = 1;
/// Exit code when nothing could be measured; clap's own for a wrong command line.
const EXIT_NOT_MEASURED: u8 = 2;

fn main() -> ExitCode {
    let options = Options::parse();
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .init();
    match measure(&options) {
        Ok(failures) if failures.is_empty() => ExitCode::SUCCESS,
        Ok(failures) => {
            for failure in failures {
                eprintln!("failed: {failure}");
            }
            ExitCode::from(EXIT_FAILED)
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(EXIT_NOT_MEASURED)
        }
    }
}

/// Measures, prints, and answers what isn't as it should be.
fn measure(options: &Options) -> Result<Vec<String>, EvalError> {
    // Read first: it may be the very file that the new report goes to.
    let old = options.compare.as_deref().map(Report::read).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(EvalError::Runtime)?;
    let evaluated = runtime.block_on(evaluate::evaluate(options))?;
    if let Some(path) = &options.json {
        evaluated.report.write(path)?;
    }
    let mut text = table::table(&evaluated.report);
    let summary = goals::summary(&evaluated.report.goals);
    if !summary.is_empty() {
        text.push('\n');
        text.push_str(&summary);
    }
    if let Some(old) = &old {
        text.push('\n');
        text.push_str(&compare::comparison(old, &evaluated.report));
    }
    std::io::stdout().lock().write_all(text.as_bytes()).map_err(EvalError::Output)?;
    Ok(evaluated.failures)
}
