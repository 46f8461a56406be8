//! An earlier run beside the new one.

use std::collections::HashMap;

use crate::bootstrap::{Interval, gain};
use crate::format::{NOTHING, columns, difference, share};
use crate::judge::belongs;
use crate::report::{Judged, Report, Run};

/// The columns that start at the left: set, mode and group.
const LEFT: usize = 3;

/// A table of old, new and difference for what both runs measured, and a line of what only one did.
///
/// The interval is that of the difference, question by question; a star marks one without zero.
pub(crate) fn comparison(old: &Report, new: &Report) -> String {
    let titles = ["set", "mode", "cat", "questions"].map(str::to_owned).into_iter();
    let metrics = ["R@1", "R@3", "R@10", "nDCG@10"];
    let titles = titles
        .chain(metrics.map(|metric| format!("{metric} old→new (95 % of the difference)")))
        .chain(["right sure", "unrelated sure", "/s", "p50 ms", "p99 ms"].map(str::to_owned));
    let mut rows = vec![titles.collect::<Vec<_>>()];
    let mut only_new = Vec::new();
    for run in &new.runs {
        match old.runs.iter().find(|before| is_same(before, run)) {
            Some(before) => rows.extend(run_rows(before, run)),
            None => only_new.push(format!("{} ({})", run.name, run.mode)),
        }
    }
    let mut text = String::new();
    if old.min_score != new.min_score {
        let (before, now) = (share(old.min_score), share(new.min_score));
        text.push_str(&format!("The score of sure hits was {before}, is {now}.\n"));
    }
    if old.half != new.half {
        text.push_str("The runs asked different halves of the questions.\n");
    }
    text.push_str(&columns(&rows, LEFT));
    if !only_new.is_empty() {
        text.push_str(&format!("Not in the earlier run: {}.\n", only_new.join(", ")));
    }
    text
}

fn is_same(before: &Run, now: &Run) -> bool {
    before.name == now.name && before.mode == now.mode
}

fn run_rows(before: &Run, now: &Run) -> Vec<Vec<String>> {
    let earlier: HashMap<&str, &Judged> =
        before.questions.iter().map(|one| (one.id.as_str(), one)).collect();
    let mut rows = Vec::new();
    for (place, group) in now.groups.iter().enumerate() {
        let pairs: Vec<(&Judged, &Judged)> = now
            .questions
            .iter()
            .filter(|one| belongs(one, &group.name))
            .filter_map(|one| Some((*earlier.get(one.id.as_str())?, one)))
            .collect();
        let mut row = vec![
            now.name.clone(),
            now.mode.clone(),
            group.name.clone(),
            pairs.len().to_string(),
            change(&pairs, |one| one.r1),
            change(&pairs, |one| one.r3),
            change(&pairs, |one| one.r10),
            change(&pairs, |one| one.ndcg10),
        ];
        let group_before = before.groups.iter().find(|other| other.name == group.name);
        let sure_before = group_before.and_then(|other| other.right_hits_sure);
        row.push(shares(sure_before, group.right_hits_sure));
        if place == 0 {
            row.extend(run_cells(before, now));
        }
        rows.push(row);
    }
    rows
}

fn run_cells(before: &Run, now: &Run) -> Vec<String> {
    let unrelated = |run: &Run| run.unrelated.as_ref().and_then(|unrelated| unrelated.share);
    let (old, new) = (&before.speed, &now.speed);
    vec![
        shares(unrelated(before), unrelated(now)),
        format!("{:.0}→{:.0}", old.entries_per_second, new.entries_per_second),
        format!("{:.2}→{:.2}", old.p50_milliseconds, new.p50_milliseconds),
        format!("{:.2}→{:.2}", old.p99_milliseconds, new.p99_milliseconds),
    ]
}

/// Such as ".577→.588 +.011 +.002–+.020 *".
fn change(pairs: &[(&Judged, &Judged)], value: fn(&Judged) -> f64) -> String {
    let values: Vec<_> = pairs.iter().map(|(old, new)| (value(old), value(new))).collect();
    let Some(Interval { value: gained, low, high }) = gain(&values) else {
        return NOTHING.to_owned();
    };
    let count = values.len() as f64;
    let old = values.iter().map(|(old, _)| old).sum::<f64>() / count;
    let new = values.iter().map(|(_, new)| new).sum::<f64>() / count;
    let star = if low > 0.0 || high < 0.0 { '*' } else { ' ' };
    let (low, high) = (difference(low), difference(high));
    format!("{}→{} {} {low}–{high} {star}", share(old), share(new), difference(gained))
}

fn shares(old: Option<Interval>, new: Option<Interval>) -> String {
    let one = |figure: Option<Interval>| {
        figure.map_or_else(|| NOTHING.to_owned(), |interval| share(interval.value))
    };
    format!("{}→{}", one(old), one(new))
}
