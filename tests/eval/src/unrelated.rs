//! Questions that the corpus can't answer: a sure hit for one of them is a false one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::time::SystemTime;

use crate::data::{self, DataError, QuestionLine};
use crate::options::UnrelatedFrom;
use crate::own;
use crate::plan::{Question, Selection, Users};
use crate::sets::{Asked, family};

/// Questions that the corpus can't answer.
#[derive(Debug)]
pub(crate) struct Unrelated {
    /// Where they come from.
    pub(crate) source: String,
    pub(crate) questions: Vec<Question>,
}

/// Every question, asked of the next user instead of the one it is about.
pub(crate) fn of_another_user(
    questions: &[Question],
    in_order: &[String],
    users: &Users,
) -> Unrelated {
    let next: HashMap<&str, &String> =
        in_order.iter().map(String::as_str).zip(in_order.iter().cycle().skip(1)).collect();
    let moved = questions.iter().filter_map(|question| {
        let user = (*next.get(question.user.as_str())?).clone();
        let asked_at = users.asked_at(&user, None);
        Some(Question { user, asked_at, right: HashSet::new(), ..question.clone() })
    });
    Unrelated { source: "the wrong conversation".to_owned(), questions: moved.collect() }
}

/// The questions of the set of another origin that is written most alike, which mostly means: in the
/// same language. `None` when there is none.
pub(crate) fn of_another_set(
    folder: &Path,
    asked: &Asked,
    selection: Selection,
    user: &str,
    asked_at: Option<SystemTime>,
) -> Result<Option<Unrelated>, DataError> {
    let asked_lines = data::questions(folder, &asked.questions)?;
    let letters = Letters::of(asked_lines.iter().map(|line| &line.text));
    let mut best: Option<(f64, Unrelated)> = None;
    for (source, lines) in candidates(folder, asked, selection.unrelated_from)? {
        let likeness = letters.likeness(&Letters::of(lines.iter().map(|line| &line.text)));
        if best.as_ref().is_some_and(|(highest, _)| *highest >= likeness) {
            continue;
        }
        let lines = lines.into_iter().filter(|line| selection.takes(&line.id));
        let questions = lines.map(|line| Question {
            id: line.id,
            user: user.to_owned(),
            text: line.text,
            category: None,
            language: None,
            asked_at,
            right: HashSet::new(),
        });
        best = Some((likeness, Unrelated { source, questions: questions.collect() }));
    }
    Ok(best.map(|(_, unrelated)| unrelated))
}

/// The sets of another origin that questions may come from: those of the folder, or the project's own,
/// a language each.
fn candidates(
    folder: &Path,
    asked: &Asked,
    from: UnrelatedFrom,
) -> Result<BTreeMap<String, Vec<QuestionLine>>, DataError> {
    let is_same = |set: &str| {
        [&asked.questions, &asked.corpus].iter().any(|other| family(other) == family(set))
    };
    let mut candidates: BTreeMap<String, Vec<QuestionLine>> = BTreeMap::new();
    match from {
        UnrelatedFrom::Sets => {
            for set in data::set_names(folder)?.into_iter().filter(|set| !is_same(set)) {
                let lines = data::questions(folder, &set)?;
                candidates.insert(set, lines);
            }
        }
        UnrelatedFrom::Own if is_same(own::NAME) => {}
        UnrelatedFrom::Own => {
            for line in data::questions(folder, own::NAME)? {
                let language = line.lang.as_deref().unwrap_or_default();
                let source = format!("{}-{language}", own::NAME);
                candidates.entry(source).or_default().push(line);
            }
        }
    }
    Ok(candidates)
}

/// How often each letter stands in some texts.
struct Letters(HashMap<char, f64>);

impl Letters {
    fn of<'a>(texts: impl Iterator<Item = &'a String>) -> Self {
        let mut counts = HashMap::new();
        for letter in texts.flat_map(|text| text.chars()).filter(|letter| letter.is_alphabetic()) {
            *counts.entry(letter).or_default() += 1.0;
        }
        Self(counts)
    }

    /// The cosine of both counts, 0 to 1.
    fn likeness(&self, other: &Self) -> f64 {
        let product: f64 = ordered(&self.0)
            .into_iter()
            .map(|(letter, count)| count * other.0.get(&letter).copied().unwrap_or_default())
            .sum();
        let norms = self.norm() * other.norm();
        if norms > 0.0 { product / norms } else { 0.0 }
    }

    fn norm(&self) -> f64 {
        ordered(&self.0).into_iter().map(|(_, count)| count * count).sum::<f64>().sqrt()
    }
}

/// Sums of floats depend on their order, and a map has none.
fn ordered(counts: &HashMap<char, f64>) -> Vec<(char, f64)> {
    let mut pairs: Vec<_> = counts.iter().map(|(letter, count)| (*letter, *count)).collect();
    pairs.sort_unstable_by_key(|(letter, _)| *letter);
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::ReferenceTime;

    #[test]
    fn texts_of_one_language_are_more_alike() {
        let letters = |text: &str| Letters::of([text.to_owned()].iter());
        let english = letters("when did she go to the station");
        let likeness = |text| english.likeness(&letters(text));
        assert!(likeness("what is the name of the dog") > likeness("wie heißt der Hund von Jörg"));
        assert_eq!(likeness("кто это"), 0.0);
        assert_eq!(likeness(""), 0.0);
        assert!((likeness("when did she go to the station") - 1.0).abs() < 1e-12);
    }

    #[test]
    fn no_question_is_asked_of_its_own_conversation() {
        let users = ["a", "b", "c"].map(str::to_owned);
        let questions = users.clone().map(|user| Question {
            id: user.clone(),
            user,
            text: String::new(),
            category: None,
            language: None,
            asked_at: None,
            right: HashSet::from(["e".to_owned()]),
        });
        let known = Users::of(&[], ReferenceTime::Given);
        let moved = of_another_user(&questions, &users, &known).questions;
        let asked: Vec<_> = moved.iter().map(|question| question.user.as_str()).collect();
        assert_eq!(asked, ["b", "c", "a"]);
        assert!(moved.iter().all(|question| question.right.is_empty()));
    }
}
