//! One set after the other: fill, ask, restart, ask again, judge.

use std::time::Duration;

use memoryd_client::{Error, MemoryClient, RetryPolicy};

use crate::ask::{Answer, ask_all};
use crate::error::EvalError;
use crate::ingest::{erase, ingest};
use crate::options::{Mode, Options};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::report::{FORMAT, Report, Run, ServerFacts};
use crate::server::Server;
use crate::sets;
use crate::settle::settle;
use crate::{goal, judge, restart};

/// Errors that are told one by one; the rest is only counted.
const ERRORS_TOLD: usize = 3;

/// What was measured, and what isn't as it should be.
pub(crate) struct Evaluated {
    pub(crate) report: Report,
    pub(crate) failures: Vec<String>,
}

/// All answers in one mode.
struct Pass {
    mode: Mode,
    to_questions: Vec<Result<Answer, Error>>,
    to_unrelated: Vec<Result<Answer, Error>>,
}

/// What was found out about one set before judging.
struct Taken {
    server: ServerFacts,
    ingest: Duration,
    settled: Duration,
    passes: Vec<Pass>,
}

/// Measures all sets that the options name.
pub(crate) async fn evaluate(options: &Options) -> Result<Evaluated, EvalError> {
    let sets = sets::chosen(&options.folder, &options.sets)?;
    goal::check(&options.at_least, &sets)?;
    let mut report = Report { format: FORMAT, min_score: options.min_score, runs: Vec::new() };
    let mut failures = Vec::new();
    for asked in &sets {
        let plan = Plan::read(&options.folder, asked)?;
        let name = asked.to_string();
        let taken = take(options, &name, &plan, &mut failures).await?;
        report.runs.extend(judge_passes(&name, &plan, options.min_score, taken, &mut failures));
    }
    failures.extend(goal::missed(&options.at_least, &report));
    Ok(Evaluated { report, failures })
}

async fn take(
    options: &Options,
    name: &str,
    plan: &Plan,
    failures: &mut Vec<String>,
) -> Result<Taken, EvalError> {
    let mut progress = Progress::new(name);
    if let Some(url) = &options.url {
        let client = connect(url).await?;
        erase(&client, plan).await?;
        let taken = fill_and_ask(&client, &options.modes, plan, &mut progress).await?;
        erase(&client, plan).await?;
        return Ok(taken);
    }
    let mut server = Server::start()?;
    let client = connect(&server.url()).await?;
    let taken = fill_and_ask(&client, &options.modes, plan, &mut progress).await?;
    drop(client);
    if options.restart {
        server.restart()?;
        let client = connect(&server.url()).await?;
        for before in &taken.passes {
            let after = ask_both(&client, before.mode, plan, &mut progress).await;
            failures.extend(changes(name, plan, before, &after));
        }
    }
    server.stop()?;
    Ok(taken)
}

/// Without retries: every error shows.
async fn connect(url: &str) -> Result<MemoryClient, EvalError> {
    let builder = MemoryClient::builder(url).retry(RetryPolicy::none());
    builder.connect().await.map_err(EvalError::call("connecting"))
}

async fn fill_and_ask(
    client: &MemoryClient,
    modes: &[Mode],
    plan: &Plan,
    progress: &mut Progress,
) -> Result<Taken, EvalError> {
    let info = client.server_info().await.map_err(EvalError::call("asking about the server"))?;
    let ingest = ingest(client, plan, progress).await?;
    let settled = settle(client, plan, &info.embedder).await?;
    let mut passes = Vec::new();
    for &mode in modes {
        passes.push(ask_both(client, mode, plan, progress).await);
    }
    let server = ServerFacts {
        version: info.version,
        store: info.store,
        analyzer: info.analyzer,
        embedder: info.embedder,
    };
    Ok(Taken { server, ingest, settled, passes })
}

async fn ask_both(client: &MemoryClient, mode: Mode, plan: &Plan, progress: &mut Progress) -> Pass {
    let unrelated = plan.unrelated.as_ref().map_or(&[][..], |unrelated| &unrelated.questions);
    Pass {
        mode,
        to_questions: ask_all(client, mode, &plan.questions, progress).await,
        to_unrelated: ask_all(client, mode, unrelated, progress).await,
    }
}

fn changes(name: &str, plan: &Plan, before: &Pass, after: &Pass) -> Vec<String> {
    let mut told = restart::differences(&plan.questions, &before.to_questions, &after.to_questions);
    if let Some(unrelated) = &plan.unrelated {
        let questions = &unrelated.questions;
        let more = restart::differences(questions, &before.to_unrelated, &after.to_unrelated);
        told.extend(more.into_iter().map(|text| format!("unrelated {text}")));
    }
    let mode = before.mode.as_str();
    told.into_iter().map(|text| format!("{name} ({mode}): {text}")).collect()
}

fn judge_passes(
    name: &str,
    plan: &Plan,
    min_score: f64,
    taken: Taken,
    failures: &mut Vec<String>,
) -> Vec<Run> {
    let Taken { server, ingest, settled, passes } = taken;
    let mut runs = Vec::new();
    for pass in passes {
        let mode = pass.mode.as_str();
        failures.extend(errors(name, mode, pass.to_questions.iter().chain(&pass.to_unrelated)));
        let answered = plan.questions.iter().zip(&pass.to_questions);
        let questions: Vec<_> =
            answered.map(|(question, answer)| judge::judged(question, answer, min_score)).collect();
        runs.push(Run {
            name: name.to_owned(),
            mode: mode.to_owned(),
            server: server.clone(),
            groups: judge::groups(&questions),
            unrelated: plan
                .unrelated
                .as_ref()
                .map(|unrelated| judge::false_hits(unrelated, &pass.to_unrelated, min_score)),
            speed: judge::speed(plan.entry_count(), ingest, settled, &pass.to_questions),
            questions,
        });
    }
    runs
}

fn errors<'a>(
    name: &str,
    mode: &str,
    answers: impl Iterator<Item = &'a Result<Answer, Error>>,
) -> Vec<String> {
    let errors: Vec<_> = answers.filter_map(|answer| answer.as_ref().err()).collect();
    let mut told: Vec<_> = errors
        .iter()
        .take(ERRORS_TOLD)
        .map(|error| format!("{name} ({mode}): a search failed: {error}"))
        .collect();
    if errors.len() > told.len() {
        told.push(format!("{name} ({mode}): {} searches failed in all", errors.len()));
    }
    told
}
