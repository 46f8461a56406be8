//! The figures of a run, by name.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::judge;
use crate::report::{Group, Run};

/// A figure that a run has for each of its groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) enum Metric {
    /// The share of the right entries that stand first, among the first three, among the first ten.
    R1,
    R3,
    R10,
    /// Normalised discounted cumulative gain of the first ten.
    #[serde(rename = "nDCG10")]
    Ndcg10,
    /// The share of the right hits among the first ten that are taken for sure.
    #[serde(rename = "right")]
    RightSure,
    /// The share of the questions without an answer that see a sure hit.
    #[serde(rename = "unrelated")]
    Unrelated,
}

const NAMES: [(&str, Metric); 6] = [
    ("R1", Metric::R1),
    ("R3", Metric::R3),
    ("R10", Metric::R10),
    ("nDCG10", Metric::Ndcg10),
    ("right", Metric::RightSure),
    ("unrelated", Metric::Unrelated),
];

impl Metric {
    /// Its value for the group of this name; without a name for the group that stands for the set.
    /// `None` without such a group, or when there was nothing to measure.
    pub(crate) fn of(self, run: &Run, group: Option<&str>) -> Option<f64> {
        let group = match group {
            Some(name) => run.groups.iter().find(|group| group.name == name)?,
            None => run.headline()?,
        };
        let Group { r1, r3, r10, ndcg10, right_hits_sure, .. } = group;
        let figure = match self {
            Self::R1 => *r1,
            Self::R3 => *r3,
            Self::R10 => *r10,
            Self::Ndcg10 => *ndcg10,
            Self::RightSure => *right_hits_sure,
            Self::Unrelated => judge::unrelated_share(run, group),
        };
        figure.map(|interval| interval.value)
    }

    /// Whether a lower figure is the better one.
    pub(crate) fn is_fault(self) -> bool {
        self == Self::Unrelated
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::R1 => "R@1",
            Self::R3 => "R@3",
            Self::R10 => "R@10",
            Self::Ndcg10 => "nDCG@10",
            Self::RightSure => "right sure",
            Self::Unrelated => "unrelated sure",
        })
    }
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        known.map(|(_, metric)| *metric).ok_or_else(|| {
            let names = NAMES.map(|(name, _)| name).join(", ");
            format!("the metric must be one of {names}, is '{text}'")
        })
    }
}
