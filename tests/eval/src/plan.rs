//! From the files of sets to what is sent and asked.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::SystemTime;

use crate::batches::{Batch, batches};
use crate::data::{self, DataError, QuestionLine};
use crate::half::Half;
use crate::options::{ReferenceTime, UnrelatedFrom};
use crate::sets::Asked;
use crate::time;
use crate::unrelated::{self, Unrelated};

/// The user of a set that has no conversations, and the author of entries that have none.
pub(crate) const ONE_USER: &str = "user";
/// The category of questions that are there because nothing answers them.
const UNANSWERABLE: &str = "unanswerable";

/// Everything that is sent for one set or pair of sets.
#[derive(Debug)]
pub(crate) struct Plan {
    /// In the order of sending.
    pub(crate) batches: Vec<Batch>,
    /// Questions with at least one right entry.
    pub(crate) questions: Vec<Question>,
    /// Questions without one; unset when no other set is at hand.
    pub(crate) unrelated: Option<Unrelated>,
}

/// Which questions are asked, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection {
    /// Unset: all of them.
    pub(crate) half: Option<Half>,
    pub(crate) reference_time: ReferenceTime,
    pub(crate) unrelated_from: UnrelatedFrom,
}

impl Selection {
    pub(crate) fn takes(&self, id: &str) -> bool {
        self.half.is_none_or(|half| half.holds(id))
    }
}

/// A question of one user.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    pub(crate) id: String,
    pub(crate) user: String,
    pub(crate) text: String,
    /// Its kind; unset in sets that tell none.
    pub(crate) category: Option<String>,
    /// The language it is asked in; unset in sets that tell none.
    pub(crate) language: Option<String>,
    /// What "last week" in it refers to; unset: the server's now.
    pub(crate) asked_at: Option<SystemTime>,
    /// Ids of the right entries.
    pub(crate) right: HashSet<String>,
}

impl Plan {
    pub(crate) fn read(
        folder: &Path,
        asked: &Asked,
        selection: Selection,
    ) -> Result<Self, DataError> {
        let corpus = data::corpus(folder, &asked.corpus)?;
        let batches = batches(&asked.corpus, &corpus)?;
        let users = Users::of(&batches, selection.reference_time);
        let mut right = data::judgements(folder, &asked.corpus)?;
        let ids: HashSet<&str> = corpus.iter().map(|line| line.id.as_str()).collect();
        right.values_mut().for_each(|entries| entries.retain(|id| ids.contains(id.as_str())));

        let (mut questions, mut without_answer) = (Vec::new(), Vec::new());
        for line in data::questions(folder, &asked.questions)? {
            if !selection.takes(&line.id) {
                continue;
            }
            let right = right.get(&line.id).filter(|right| !right.is_empty()).cloned();
            let has_answer = right.is_some();
            if !has_answer && line.cat.as_deref() != Some(UNANSWERABLE) {
                continue;
            }
            let question = users.question(&asked.questions, line, right.unwrap_or_default())?;
            if has_answer { &mut questions } else { &mut without_answer }.push(question);
        }
        if questions.is_empty() {
            let Asked { questions, corpus } = asked.clone();
            return Err(DataError::NothingToAsk { questions, corpus });
        }
        let unrelated = match users.in_order.as_slice() {
            _ if !without_answer.is_empty() => {
                Some(Unrelated { source: "the set itself".to_owned(), questions: without_answer })
            }
            [only] => {
                let asked_at = users.asked_at(only, None);
                unrelated::of_another_set(folder, asked, selection, only, asked_at)?
            }
            several => Some(unrelated::of_another_user(&questions, several, &users)),
        };
        Ok(Self { batches, questions, unrelated })
    }

    pub(crate) fn entry_count(&self) -> usize {
        self.batches.iter().map(|batch| batch.entries.len()).sum()
    }
}

/// The users of a corpus.
#[derive(Debug)]
pub(crate) struct Users {
    in_order: Vec<String>,
    /// The time of the latest entry.
    latest: HashMap<String, SystemTime>,
    rule: ReferenceTime,
}

impl Users {
    pub(crate) fn of(batches: &[Batch], rule: ReferenceTime) -> Self {
        let mut users = Self { in_order: Vec::new(), latest: HashMap::new(), rule };
        for Batch { user, session: _, entries } in batches {
            let times = entries.iter().filter_map(|entry| entry.timestamp?.try_into().ok());
            let last = times.max().unwrap_or_else(time::without_time);
            match users.latest.get_mut(user) {
                Some(latest) => *latest = last.max(*latest),
                None => {
                    users.in_order.push(user.clone());
                    users.latest.insert(user.clone(), last);
                }
            }
        }
        users
    }

    /// When a question is asked of a user, which may tell it itself.
    pub(crate) fn asked_at(&self, user: &str, own: Option<SystemTime>) -> Option<SystemTime> {
        match self.rule {
            ReferenceTime::Given => own,
            ReferenceTime::Latest => own.or_else(|| self.latest.get(user).copied()),
            ReferenceTime::Unset => None,
        }
    }

    fn question(
        &self,
        set: &str,
        line: QuestionLine,
        right: HashSet<String>,
    ) -> Result<Question, DataError> {
        let QuestionLine { id, text, conv, cat, lang, reference_time } = line;
        let user = conv.unwrap_or_else(|| ONE_USER.to_owned());
        if !self.latest.contains_key(&user) {
            return Err(DataError::Conversation { set: set.to_owned(), id });
        }
        let own = reference_time.map(|text| moment(set, &id, &text)).transpose()?;
        let asked_at = self.asked_at(&user, own);
        Ok(Question { id, user, text, category: cat, language: lang, asked_at, right })
    }
}

/// The moment that an entry or question of this id tells.
pub(crate) fn moment(set: &str, id: &str, text: &str) -> Result<SystemTime, DataError> {
    time::parse(text).ok_or_else(|| DataError::Time { set: set.to_owned(), id: id.to_owned() })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A folder with a set "s" of two questions with an answer, one that has none on purpose, and one
    /// that nobody judged.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().unwrap();
        let set = folder.path().join("s");
        std::fs::create_dir(&set).unwrap();
        let corpus = r#"{"id":"e","text":"t","ts":"2025-07-01T08:00:00Z"}"#;
        let questions = r#"{"id":"a","text":"t","cat":"dated","lang":"de","reference_time":"2025-07-14T08:00:00Z"}
            {"id":"b","text":"t","cat":2}
            {"id":"c","text":"t","cat":"unanswerable","lang":"de"}
            {"id":"d","text":"t","cat":"words"}"#;
        let judgements = r#"{"q":"a","d":"e"}
            {"q":"b","d":"e"}"#;
        std::fs::write(set.join("corpus.jsonl"), corpus).unwrap();
        std::fs::write(set.join("queries.jsonl"), questions).unwrap();
        std::fs::write(set.join("qrels.jsonl"), judgements).unwrap();
        folder
    }

    fn read(half: Option<Half>, reference_time: ReferenceTime) -> Plan {
        let Ok(asked) = "s".parse();
        Plan::read(
            folder().path(),
            &asked,
            Selection { half, reference_time, unrelated_from: UnrelatedFrom::Sets },
        )
        .unwrap()
    }

    fn ids(questions: &[Question]) -> Vec<&str> {
        questions.iter().map(|question| question.id.as_str()).collect()
    }

    #[test]
    fn questions_that_have_no_answer_on_purpose_are_the_unrelated_ones() {
        let plan = read(None, ReferenceTime::Given);
        assert_eq!(ids(&plan.questions), ["a", "b"]);
        let categories: Vec<_> =
            plan.questions.iter().map(|question| question.category.as_deref()).collect();
        assert_eq!(categories, [Some("dated"), Some("2")]);
        let unrelated = plan.unrelated.unwrap();
        assert_eq!(ids(&unrelated.questions), ["c"]);
        assert_eq!(unrelated.source, "the set itself");
        assert_eq!(unrelated.questions[0].language.as_deref(), Some("de"));
    }

    #[test]
    fn the_moment_of_a_question_goes_by_the_rule() {
        let at = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        let (told, latest) = (at(1_752_480_000), at(1_751_356_800));
        for (rule, expected) in [
            (ReferenceTime::Given, [told, None]),
            (ReferenceTime::Latest, [told, latest]),
            (ReferenceTime::Unset, [None, None]),
        ] {
            let plan = read(None, rule);
            let asked_at: Vec<_> =
                plan.questions.iter().map(|question| question.asked_at).collect();
            assert_eq!(asked_at, expected, "{rule:?}");
        }
    }

    #[test]
    fn a_half_takes_its_questions_only() {
        // Digests begin with ca, 3e and 2e.
        let plan = read(Some(Half::A), ReferenceTime::Given);
        assert_eq!(ids(&plan.questions), ["a", "b"]);
        assert_eq!(ids(&plan.unrelated.unwrap().questions), ["c"]);
        let Ok(asked) = "s".parse();
        let selection = Selection {
            half: Some(Half::B),
            reference_time: ReferenceTime::Given,
            unrelated_from: UnrelatedFrom::Sets,
        };
        let error = Plan::read(folder().path(), &asked, selection).unwrap_err();
        assert!(matches!(error, DataError::NothingToAsk { .. }), "{error}");
    }
}
