//! One corpus after the other: fill, ask, restart, ask again, judge.

use std::time::Duration;

use memoryd_client::{Error, MemoryClient, RetryPolicy};

use crate::ask::{Answer, Manner, ask_all};
use crate::error::EvalError;
use crate::ingest::{erase, ingest};
use crate::options::{Mode, Options};
use crate::plan::{Plan, Selection};
use crate::progress::Progress;
use crate::report::{FORMAT, Report, Run, ServerFacts};
use crate::server::Server;
use crate::sets::{self, Asked};
use crate::settle::settle;
use crate::{floor, goals, judge, restart};

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

/// Questions of one set or pair.
struct Task {
    name: String,
    corpus: String,
    plan: Plan,
}

/// What was found out about a corpus before judging.
struct Taken {
    server: ServerFacts,
    ingest: Duration,
    settled: Duration,
    /// All modes, for each of the tasks.
    passes: Vec<Vec<Pass>>,
}

/// Measures all sets that the options name.
pub(crate) async fn evaluate(options: &Options) -> Result<Evaluated, EvalError> {
    let sets = sets::chosen(&options.folder, &options.sets)?;
    floor::check(&options.at_least, &sets)?;
    // Read before anything is measured, so that a mistake in the last one doesn't cost an hour.
    let goals = goals::all()?;
    let tasks = sets.iter().map(|asked| read(options, asked)).collect::<Result<Vec<_>, _>>()?;
    let mut runs: Vec<(usize, Run)> = Vec::new();
    let mut failures = Vec::new();
    for (place, first) in tasks.iter().enumerate() {
        if tasks.iter().take(place).any(|earlier| earlier.corpus == first.corpus) {
            continue;
        }
        let (places, same): (Vec<usize>, Vec<&Task>) =
            tasks.iter().enumerate().filter(|(_, task)| task.corpus == first.corpus).unzip();
        let taken = take(options, &same, &mut failures).await?;
        let judged = judge_taken(options.min_score, &same, taken, &mut failures);
        runs.extend(
            places
                .into_iter()
                .zip(judged)
                .flat_map(|(place, judged)| judged.into_iter().map(move |run| (place, run))),
        );
    }
    runs.sort_by_key(|(place, _)| *place);
    let mut report = Report {
        format: FORMAT,
        min_score: options.min_score,
        half: options.half.map(|half| half.as_str().to_owned()),
        at_once: options.at_once,
        runs: runs.into_iter().map(|(_, run)| run).collect(),
        goals: Vec::new(),
    };
    report.goals = goals::standings(&goals, &report);
    failures.extend(floor::missed(&options.at_least, &report));
    Ok(Evaluated { report, failures })
}

fn read(options: &Options, asked: &Asked) -> Result<Task, EvalError> {
    let Options { half, reference_time, unrelated_from, .. } = *options;
    let selection = Selection { half, reference_time, unrelated_from };
    let plan = Plan::read(&options.folder, asked, selection)?;
    Ok(Task { name: asked.to_string(), corpus: asked.corpus.clone(), plan })
}

/// Fills a server with the corpus that all tasks share, and asks the questions of each.
async fn take(
    options: &Options,
    tasks: &[&Task],
    failures: &mut Vec<String>,
) -> Result<Taken, EvalError> {
    if let Some(url) = &options.url {
        let client = connect(url).await?;
        erase_corpus(&client, tasks).await?;
        let taken = fill_and_ask(&client, options, tasks).await?;
        erase_corpus(&client, tasks).await?;
        return Ok(taken);
    }
    let mut server = Server::start()?;
    let client = connect(&server.url()).await?;
    let taken = fill_and_ask(&client, options, tasks).await?;
    drop(client);
    if options.restart {
        server.restart()?;
        let client = connect(&server.url()).await?;
        for (task, passes) in tasks.iter().zip(&taken.passes) {
            for before in passes {
                let manner = Manner { mode: before.mode, at_once: options.at_once };
                let after = ask_both(&client, manner, task).await;
                failures.extend(changes(task, before, &after));
            }
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

async fn erase_corpus(client: &MemoryClient, tasks: &[&Task]) -> Result<(), EvalError> {
    match tasks.first() {
        Some(task) => erase(client, &task.plan).await,
        None => Ok(()),
    }
}

async fn fill_and_ask(
    client: &MemoryClient,
    options: &Options,
    tasks: &[&Task],
) -> Result<Taken, EvalError> {
    let info = client.server_info().await.map_err(EvalError::call("asking about the server"))?;
    let (mut ingested, mut settled) = (Duration::ZERO, Duration::ZERO);
    if let Some(Task { corpus, plan, .. }) = tasks.first() {
        ingested = ingest(client, plan, &mut Progress::new(corpus)).await?;
        settled = settle(client).await?;
    }
    let mut passes = Vec::new();
    for task in tasks {
        let mut of_task = Vec::new();
        for &mode in &options.modes {
            let manner = Manner { mode, at_once: options.at_once };
            of_task.push(ask_both(client, manner, task).await);
        }
        passes.push(of_task);
    }
    let server = ServerFacts {
        version: info.version,
        store: info.store,
        analyzer: info.analyzer,
        embedder: info.embedder,
    };
    Ok(Taken { server, ingest: ingested, settled, passes })
}

async fn ask_both(client: &MemoryClient, manner: Manner, task: &Task) -> Pass {
    let Task { name, corpus: _, plan } = task;
    let mut progress = Progress::new(name);
    let unrelated = plan.unrelated.as_ref().map_or(&[][..], |unrelated| &unrelated.questions);
    Pass {
        mode: manner.mode,
        to_questions: ask_all(client, manner, &plan.questions, &mut progress).await,
        to_unrelated: ask_all(client, manner, unrelated, &mut progress).await,
    }
}

fn changes(task: &Task, before: &Pass, after: &Pass) -> Vec<String> {
    let Task { name, corpus: _, plan } = task;
    let mut told = restart::differences(&plan.questions, &before.to_questions, &after.to_questions);
    if let Some(unrelated) = &plan.unrelated {
        let questions = &unrelated.questions;
        let more = restart::differences(questions, &before.to_unrelated, &after.to_unrelated);
        told.extend(more.into_iter().map(|text| format!("unrelated {text}")));
    }
    let mode = before.mode.as_str();
    told.into_iter().map(|text| format!("{name} ({mode}): {text}")).collect()
}

/// The runs of each task.
fn judge_taken(
    min_score: f64,
    tasks: &[&Task],
    taken: Taken,
    failures: &mut Vec<String>,
) -> Vec<Vec<Run>> {
    let Taken { server, ingest, settled, passes } = taken;
    let mut all = Vec::new();
    for (Task { name, corpus: _, plan }, passes) in tasks.iter().zip(passes) {
        let mut runs = Vec::new();
        for pass in passes {
            let mode = pass.mode.as_str();
            failures.extend(errors(name, mode, pass.to_questions.iter().chain(&pass.to_unrelated)));
            let answered = plan.questions.iter().zip(&pass.to_questions);
            let questions: Vec<_> = answered
                .map(|(question, answer)| judge::judged(question, answer, min_score))
                .collect();
            let false_hits = plan
                .unrelated
                .as_ref()
                .map(|unrelated| judge::false_hits(unrelated, &pass.to_unrelated, min_score));
            runs.push(Run {
                name: name.clone(),
                mode: mode.to_owned(),
                server: server.clone(),
                groups: judge::groups(&questions),
                unrelated: false_hits,
                speed: judge::speed(plan.entry_count(), ingest, settled, &pass.to_questions),
                questions,
            });
        }
        all.push(runs);
    }
    all
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
