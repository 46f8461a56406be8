//! The report for people.

use crate::format::{columns, interval, share};
use crate::judge::unrelated_share;
use crate::report::{Group, Report, Run, ServerFacts};

/// The columns that start at the left: set, mode and group.
const LEFT: usize = 3;

/// A table with a row for every set, and for every category where there are some.
pub(crate) fn table(report: &Report) -> String {
    let from = share(report.min_score);
    let titles =
        ["set", "mode", "cat", "questions", "errors", "R@1 (95 %)", "R@3", "R@10", "nDCG@10"];
    let mut titles: Vec<String> = titles.map(str::to_owned).to_vec();
    titles.push(format!("right ≥{from}"));
    titles.push(format!("unrelated ≥{from}"));
    titles.extend(["entries", "/s", "p50 ms", "p99 ms"].map(str::to_owned));
    let mut rows = vec![titles];
    for run in &report.runs {
        for (place, group) in run.groups.iter().enumerate() {
            let mut row = group_cells(run, group);
            if place == 0 {
                row.extend(run_cells(run));
            }
            rows.push(row);
        }
    }
    format!("{}\n{}{}", servers(report), columns(&rows, LEFT), sources(report))
}

fn group_cells(run: &Run, group: &Group) -> Vec<String> {
    let Group { name, questions, errors, r1, r3, r10, ndcg10, right_hits_sure } = group;
    vec![
        run.name.clone(),
        run.mode.clone(),
        name.clone(),
        questions.to_string(),
        errors.to_string(),
        interval(*r1),
        interval(*r3),
        interval(*r10),
        interval(*ndcg10),
        interval(*right_hits_sure),
        interval(unrelated_share(run, group)),
    ]
}

fn run_cells(run: &Run) -> Vec<String> {
    vec![
        run.speed.entries.to_string(),
        format!("{:.0}", run.speed.entries_per_second),
        format!("{:.2}", run.speed.p50_milliseconds),
        format!("{:.2}", run.speed.p99_milliseconds),
    ]
}

/// The servers that were measured, a line each; mostly one.
fn servers(report: &Report) -> String {
    let mut lines: Vec<String> = Vec::new();
    for run in &report.runs {
        let ServerFacts { version, store, analyzer, embedder } = &run.server;
        let line =
            format!("memoryd {version}, store {store}, words {analyzer}, embedder {embedder}\n");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.concat()
}

/// Where unrelated questions came from, and how long vectors took.
fn sources(report: &Report) -> String {
    let mut text = String::from("\nUnrelated questions come from:");
    let mut told: Vec<&str> = Vec::new();
    for run in &report.runs {
        let Some(unrelated) = &run.unrelated else { continue };
        if told.contains(&run.name.as_str()) {
            continue;
        }
        told.push(&run.name);
        let (name, source, count) = (&run.name, &unrelated.source, unrelated.questions);
        text.push_str(&format!(" {name} ← {source} ({count});"));
    }
    if told.is_empty() {
        text.clear();
    } else {
        text.pop();
        text.push_str(".\n");
    }
    if let Some(half) = &report.half {
        text.push_str(&format!("Only the questions of half {half} were asked.\n"));
    }
    let slowest = report.runs.iter().map(|run| run.speed.settled_seconds).fold(0.0, f64::max);
    if slowest > 0.0 {
        text.push_str(&format!("Vectors came at most {slowest:.1} s after the last entry.\n"));
    }
    text
}
