//! The goals of the project's recall, and how far a run is from them.

use serde::{Deserialize, Serialize};

use crate::error::EvalError;
use crate::format::{NOTHING, columns, share};
use crate::metric::Metric;
use crate::report::Report;
use crate::sets::Asked;

/// The goals as data, in one place.
const GOALS: &str = include_str!("../goals.json");

/// The columns of the summary that start at the left: what is measured and how.
const LEFT: usize = 2;

/// A figure of one set, or of several together.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Goal {
    /// In words, as it stands in the summary.
    what: String,
    figure: Metric,
    /// The sets and pairs.
    of: Vec<String>,
    /// A category of theirs; unset: the group that stands for the set.
    #[serde(default)]
    group: Option<String>,
    #[serde(default)]
    fold: Fold,
    /// What must be reached; of faults, what mustn't be exceeded.
    bound: f64,
    /// What is hoped for beyond it.
    #[serde(default)]
    aim: Option<f64>,
}

/// How the figures of several sets become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Fold {
    #[default]
    Mean,
    Worst,
}

/// How a run stands towards one goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) what: String,
    pub(crate) mode: String,
    pub(crate) value: f64,
    pub(crate) bound: f64,
    pub(crate) aim: Option<f64>,
    /// Whether more than the bound is worse.
    pub(crate) is_fault: bool,
    /// The set that the worst figure is of.
    pub(crate) worst: Option<String>,
}

impl Standing {
    fn is_as_good_as(&self, bound: f64) -> bool {
        // As precise as it is printed: .8855 is .886.
        let rounded = |value: f64| (value * 1e3).round();
        let (value, bound) = (rounded(self.value), rounded(bound));
        if self.is_fault { value <= bound } else { value >= bound }
    }

    pub(crate) fn is_missed(&self) -> bool {
        !self.is_as_good_as(self.bound)
    }
}

/// All goals.
pub(crate) fn all() -> Result<Vec<Goal>, EvalError> {
    serde_json::from_str(GOALS).map_err(EvalError::Goals)
}

/// What must be measured to know all of them, each once, in order.
pub(crate) fn sets() -> Result<Vec<Asked>, EvalError> {
    let mut sets: Vec<Asked> = Vec::new();
    for asked in all()?.iter().flat_map(|goal| &goal.of).flat_map(|name| name.parse()) {
        if !sets.contains(&asked) {
            sets.push(asked);
        }
    }
    Ok(sets)
}

/// How a report stands towards the goals of which it holds every set, mode by mode.
pub(crate) fn standings(goals: &[Goal], report: &Report) -> Vec<Standing> {
    let mut modes: Vec<&str> = Vec::new();
    for run in &report.runs {
        if !modes.contains(&run.mode.as_str()) {
            modes.push(&run.mode);
        }
    }
    let by_mode = |mode| goals.iter().filter_map(move |goal| standing(goal, report, mode));
    modes.into_iter().flat_map(by_mode).collect()
}

fn standing(goal: &Goal, report: &Report, mode: &str) -> Option<Standing> {
    let Goal { what, figure, of, group, fold, bound, aim } = goal;
    let mut values: Vec<(f64, &str)> = Vec::new();
    for name in of {
        let run = report.runs.iter().find(|run| run.name == *name && run.mode == mode)?;
        values.push((figure.of(run, group.as_deref())?, name));
    }
    let is_fault = figure.is_fault();
    let worst = values.iter().copied().min_by(|(one, _), (other, _)| {
        if is_fault { other.total_cmp(one) } else { one.total_cmp(other) }
    });
    let mean = values.iter().map(|(value, _)| value).sum::<f64>() / values.len() as f64;
    let (worst_value, worst_name) = worst?;
    let (value, worst) = match fold {
        Fold::Mean => (mean, None),
        Fold::Worst => (worst_value, Some(worst_name.to_owned())),
    };
    let (what, mode) = (what.clone(), mode.to_owned());
    Some(Standing { what, mode, value, bound: *bound, aim: *aim, is_fault, worst })
}

/// The summary: a row for each goal, marked where it is missed. Empty when none was measured.
pub(crate) fn summary(standings: &[Standing]) -> String {
    if standings.is_empty() {
        return String::new();
    }
    let titles = ["goal", "mode", "measured", "at least", "aim", ""];
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for standing in standings {
        let Standing { what, mode, value, bound, aim, is_fault, worst } = standing;
        let sign = if *is_fault { "≤" } else { "" };
        let what = match worst {
            Some(set) => format!("{what} ({set})"),
            None => what.clone(),
        };
        rows.push(vec![
            what,
            mode.clone(),
            share(*value),
            format!("{sign}{}", share(*bound)),
            aim.map_or_else(|| NOTHING.to_owned(), |aim| format!("{sign}{}", share(aim))),
            mark(standing).to_owned(),
        ]);
    }
    let missed = standings.iter().filter(|standing| standing.is_missed()).count();
    let total = standings.len();
    format!("{}{} of {total} goals reached.\n", columns(&rows, LEFT), total - missed)
}

fn mark(standing: &Standing) -> &'static str {
    match standing.aim {
        _ if standing.is_missed() => "✗",
        Some(aim) if standing.is_as_good_as(aim) => "★",
        _ => "✓",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(value: f64, bound: f64, aim: Option<f64>, is_fault: bool) -> Standing {
        let (what, mode) = ("w".to_owned(), "m".to_owned());
        Standing { what, mode, value, bound, aim, is_fault, worst: None }
    }

    #[test]
    fn the_goals_are_read_and_sound() {
        let goals = all().unwrap();
        assert!(goals.len() > 20);
        for Goal { what, of, bound, aim, figure, .. } in &goals {
            assert!(!of.is_empty() && (0.0..=1.0).contains(bound), "{what}");
            let Some(aim) = aim else { continue };
            assert!(if figure.is_fault() { aim <= bound } else { aim >= bound }, "{what}");
        }
        let names: Vec<_> = sets().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(names.iter().filter(|name| *name == "locomo").count(), 1);
        assert!(names.contains(&"xquad-es-sent:xquad-en-sent".to_owned()));
    }

    /// A report of two sets in one mode, with these figures for nDCG and for unrelated questions.
    fn report(figures: [(f64, f64); 2]) -> Report {
        let mut report: Report = serde_json::from_str(
            r#"{"format":2,"min_score":0.5,"half":null,"at_once":1,"runs":[],"goals":[]}"#,
        )
        .unwrap();
        for (name, (ndcg, unrelated)) in ["x", "y"].into_iter().zip(figures) {
            let certain =
                |value: f64| format!(r#"{{"value":{value},"low":{value},"high":{value}}}"#);
            let (ndcg, unrelated) = (certain(ndcg), certain(unrelated));
            let run = format!(
                r#"{{"name":"{name}","mode":"m","questions":[],
                "server":{{"version":"","store":"","analyzer":"","embedder":""}},
                "groups":[{{"name":"all","questions":1,"errors":0,"r1":null,"r3":null,"r10":null,
                "ndcg10":{ndcg},"right_hits_sure":null}}],
                "unrelated":{{"source":"","questions":1,"errors":0,"share":{unrelated},"asked":[]}},
                "speed":{{"entries":1,"entries_per_second":1,"settled_seconds":0,
                "p50_milliseconds":1,"p99_milliseconds":1}}}}"#
            );
            report.runs.push(serde_json::from_str(&run).unwrap());
        }
        report
    }

    #[test]
    fn several_sets_are_told_by_their_mean_or_by_the_worst() {
        let goals: Vec<Goal> = serde_json::from_str(
            r#"[{"what":"mean","figure":"nDCG10","of":["x","y"],"bound":0.5},
            {"what":"worst","figure":"nDCG10","of":["x","y"],"fold":"worst","bound":0.5},
            {"what":"faults","figure":"unrelated","of":["x","y"],"fold":"worst","bound":0.5},
            {"what":"no such group","figure":"nDCG10","of":["x"],"group":"1","bound":0.5},
            {"what":"not measured","figure":"nDCG10","of":["x","z"],"bound":0.5}]"#,
        )
        .unwrap();
        let standings = standings(&goals, &report([(0.4, 0.3), (0.8, 0.6)]));
        let told: Vec<_> = standings
            .iter()
            .map(|one| (one.what.as_str(), share(one.value), one.worst.as_deref()))
            .collect();
        let expected = [
            ("mean", ".600".to_owned(), None),
            ("worst", ".400".to_owned(), Some("x")),
            ("faults", ".600".to_owned(), Some("y")),
        ];
        assert_eq!(told, expected);
        let missed: Vec<_> = standings.iter().map(Standing::is_missed).collect();
        assert_eq!(missed, [false, true, true]);
    }

    #[test]
    fn a_missed_goal_is_marked_and_so_is_a_reached_aim() {
        for (value, bound, aim, is_fault, expected) in [
            (0.5, 0.6, None, false, "✗"),
            (0.6, 0.6, None, false, "✓"),
            (0.5996, 0.6, Some(0.7), false, "✓"),
            (0.7, 0.6, Some(0.7), false, "★"),
            (0.11, 0.1, Some(0.05), true, "✗"),
            (0.1, 0.1, Some(0.05), true, "✓"),
            (0.0, 0.1, Some(0.05), true, "★"),
        ] {
            assert_eq!(mark(&standing(value, bound, aim, is_fault)), expected, "{value} {bound}");
        }
        let shown = summary(&[standing(0.5, 0.6, None, false), standing(0.1, 0.1, None, true)]);
        assert!(shown.contains(".500      .600    –  ✗\n"), "{shown}");
        assert!(shown.contains("≤.100"), "{shown}");
        assert!(shown.ends_with("1 of 2 goals reached.\n"), "{shown}");
        assert_eq!(summary(&[]), "");
    }
}
