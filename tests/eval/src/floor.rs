//! Figures that a run must reach.

use std::fmt;
use std::str::FromStr;

use crate::error::EvalError;
use crate::metric::Metric;
use crate::report::Report;
use crate::sets::Asked;

/// A figure that must be reached, by one set or by each. Of a figure that counts faults, the most that
/// there may be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Floor {
    /// A set or pair as it was asked for; unset: each.
    set: Option<String>,
    /// A category, or a language as "lang-de"; unset: the set as a whole.
    group: Option<String>,
    metric: Metric,
    value: f64,
}

impl FromStr for Floor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (named, value) = text.split_once('=').ok_or("must be written as R10=.55")?;
        // The name of a pair holds a colon too.
        let (set, rest) = match named.rsplit_once(':') {
            Some((set, rest)) => (Some(set.to_owned()), rest),
            None => (None, named),
        };
        let (group, name) = match rest.rsplit_once('/') {
            Some((group, name)) => (Some(group.to_owned()), name),
            None => (None, rest),
        };
        let metric = name.parse()?;
        match value.parse() {
            Ok(value) if (0.0..=1.0).contains(&value) => Ok(Self { set, group, metric, value }),
            _ => Err(format!("the value must be a number from 0 to 1, is '{value}'")),
        }
    }
}

impl fmt::Display for Floor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(group) = &self.group {
            write!(formatter, "{group}: ")?;
        }
        self.metric.fmt(formatter)
    }
}

/// Refuses floors for sets that aren't measured: they would always seem reached.
pub(crate) fn check(floors: &[Floor], sets: &[Asked]) -> Result<(), EvalError> {
    for set in floors.iter().filter_map(|floor| floor.set.as_ref()) {
        if !sets.iter().any(|asked| asked.to_string() == *set) {
            return Err(EvalError::FloorWithoutSet(set.clone()));
        }
    }
    Ok(())
}

/// The floors that weren't reached, in words. What wasn't measured counts as not reached.
pub(crate) fn missed(floors: &[Floor], report: &Report) -> Vec<String> {
    let mut missed = Vec::new();
    for floor in floors {
        let Floor { set, group, metric, value: bound } = floor;
        let meant =
            report.runs.iter().filter(|run| set.as_ref().is_none_or(|set| *set == run.name));
        for run in meant {
            let (name, mode) = (&run.name, &run.mode);
            let problem = match metric.of(run, group.as_deref()) {
                None => "wasn't measured".to_owned(),
                Some(value) if metric.is_fault() && value > *bound => {
                    format!("is {value:.4}, more than {bound}")
                }
                Some(value) if !metric.is_fault() && value < *bound => {
                    format!("is {value:.4}, not {bound}")
                }
                Some(_) => continue,
            };
            missed.push(format!("{name} ({mode}): {floor} {problem}"));
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_read() {
        let floor = |set: Option<&str>, group: Option<&str>, metric, value| {
            let (set, group) = (set.map(str::to_owned), group.map(str::to_owned));
            Floor { set, group, metric, value }
        };
        for (text, expected) in [
            ("R10=.55", floor(None, None, Metric::R10, 0.55)),
            ("locomo:nDCG10=0.4", floor(Some("locomo"), None, Metric::Ndcg10, 0.4)),
            ("a-en:b-zh:r1=1", floor(Some("a-en:b-zh"), None, Metric::R1, 1.0)),
            ("own:cross/R3=.9", floor(Some("own"), Some("cross"), Metric::R3, 0.9)),
            ("lang-de/unrelated=.1", floor(None, Some("lang-de"), Metric::Unrelated, 0.1)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for wrong in ["R10", "R10=", "R10=1.1", "R10=NaN", "R5=.5", "=.5", "locomo=.5", "a/=.5"] {
            assert!(wrong.parse::<Floor>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_floor_for_a_set_that_is_not_measured_is_refused() {
        let floors = ["a:b:R10=.5".parse().unwrap()];
        let sets = |text: &str| [text.parse::<Asked>().unwrap()];
        assert!(check(&floors, &sets("a:b")).is_ok());
        assert!(check(&floors, &sets("b")).is_err());
    }
}
