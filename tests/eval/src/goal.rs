//! Figures that must be reached.

use std::fmt;
use std::str::FromStr;

use crate::bootstrap::Interval;
use crate::error::EvalError;
use crate::report::{Group, Report};
use crate::sets::Asked;

/// A figure that must be reached, by one set or by each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Goal {
    /// A set or pair as it was asked for; unset: each.
    set: Option<String>,
    metric: Metric,
    least: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Metric {
    R1,
    R10,
    Ndcg10,
}

impl Metric {
    fn of(self, group: &Group) -> Option<Interval> {
        match self {
            Self::R1 => group.r1,
            Self::R10 => group.r10,
            Self::Ndcg10 => group.ndcg10,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::R1 => "R@1",
            Self::R10 => "R@10",
            Self::Ndcg10 => "nDCG@10",
        })
    }
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (named, value) = text.split_once('=').ok_or("must be written as R10=.55")?;
        // The name of a pair holds a colon too.
        let (set, name) = match named.rsplit_once(':') {
            Some((set, name)) => (Some(set.to_owned()), name),
            None => (None, named),
        };
        let metric = match name.to_ascii_lowercase().as_str() {
            "r1" => Metric::R1,
            "r10" => Metric::R10,
            "ndcg10" => Metric::Ndcg10,
            _ => return Err(format!("the metric must be R1, R10 or nDCG10, is '{name}'")),
        };
        match value.parse() {
            Ok(least) if (0.0..=1.0).contains(&least) => Ok(Self { set, metric, least }),
            _ => Err(format!("the value must be a number from 0 to 1, is '{value}'")),
        }
    }
}

/// Refuses goals for sets that aren't measured: they would always seem reached.
pub(crate) fn check(goals: &[Goal], sets: &[Asked]) -> Result<(), EvalError> {
    for set in goals.iter().filter_map(|goal| goal.set.as_ref()) {
        if !sets.iter().any(|asked| asked.to_string() == *set) {
            return Err(EvalError::GoalWithoutSet(set.clone()));
        }
    }
    Ok(())
}

/// The goals that weren't reached, in words.
pub(crate) fn missed(goals: &[Goal], report: &Report) -> Vec<String> {
    let mut missed = Vec::new();
    for Goal { set, metric, least } in goals {
        let meant =
            report.runs.iter().filter(|run| set.as_ref().is_none_or(|set| *set == run.name));
        for run in meant {
            let reached = run.headline().and_then(|group| metric.of(group));
            let value = reached.map_or(0.0, |interval| interval.value);
            if value < *least {
                let (name, mode) = (&run.name, &run.mode);
                missed.push(format!("{name} ({mode}): {metric} is {value:.4}, not {least}"));
            }
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read() {
        let goal =
            |set: Option<&str>, metric, least| Goal { set: set.map(str::to_owned), metric, least };
        for (text, expected) in [
            ("R10=.55", goal(None, Metric::R10, 0.55)),
            ("locomo:nDCG10=0.4", goal(Some("locomo"), Metric::Ndcg10, 0.4)),
            ("a-en:b-zh:r1=1", goal(Some("a-en:b-zh"), Metric::R1, 1.0)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for wrong in ["R10", "R10=", "R10=1.1", "R10=NaN", "R5=.5", "=.5", "locomo=.5"] {
            assert!(wrong.parse::<Goal>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_goal_for_a_set_that_is_not_measured_is_refused() {
        let goals = ["a:b:R10=.5".parse().unwrap()];
        let sets = |text: &str| [text.parse::<Asked>().unwrap()];
        assert!(check(&goals, &sets("a:b")).is_ok());
        assert!(check(&goals, &sets("b")).is_err());
    }
}
