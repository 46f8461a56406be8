//! The calls that put a corpus into the server: users, sessions and entries.

use std::collections::HashMap;

use memoryd_client::proto::NewEntry;
use memoryd_client::text_entry;

use crate::data::{DataError, EntryLine};
use crate::plan::{ONE_USER, moment};
use crate::time;

/// Sets whose name ends so are sentences: their paragraphs are sessions.
const SENTENCES: &str = "-sent";
/// Entries without session that are sent in one call.
const ENTRIES_A_CALL: usize = 256;

/// Entries of one call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Batch {
    pub(crate) user: String,
    pub(crate) session: Option<String>,
    pub(crate) entries: Vec<NewEntry>,
}

/// The calls that put a corpus into the server: a session each, or so many entries without session.
pub(crate) fn batches(set: &str, corpus: &[EntryLine]) -> Result<Vec<Batch>, DataError> {
    let mut batches: Vec<Batch> = Vec::new();
    let mut sessions: HashMap<(String, String), usize> = HashMap::new();
    let mut places: HashMap<(String, Option<String>), u32> = HashMap::new();
    for line in corpus {
        let user = line.conv.clone().unwrap_or_else(|| ONE_USER.to_owned());
        let session = session_of(set, line);
        let place = places.entry((user.clone(), session.clone())).or_default();
        let entry = new_entry(set, line, *place)?;
        *place += 1;
        let known = match &session {
            Some(session) => sessions.get(&(user.clone(), session.clone())).copied(),
            None => batches.len().checked_sub(1).filter(|&last| {
                let Batch { user: previous, session, entries } = &batches[last];
                *previous == user && session.is_none() && entries.len() < ENTRIES_A_CALL
            }),
        };
        if let Some(known) = known {
            batches[known].entries.push(entry);
            continue;
        }
        if let Some(session) = &session {
            sessions.insert((user.clone(), session.clone()), batches.len());
        }
        batches.push(Batch { user, session, entries: vec![entry] });
    }
    Ok(batches)
}

fn session_of(set: &str, line: &EntryLine) -> Option<String> {
    if let Some(session) = line.session {
        return Some(format!("session-{session}"));
    }
    let (paragraph, _) = set.ends_with(SENTENCES).then(|| line.id.rsplit_once('.')).flatten()?;
    Some(paragraph.to_owned())
}

fn new_entry(set: &str, line: &EntryLine, place: u32) -> Result<NewEntry, DataError> {
    let EntryLine { id, text, conv: _, session: _, ts, author, caption } = line;
    let said = match ts {
        Some(text) => moment(set, id, text)?,
        None => time::without_time(),
    };
    let content = match caption {
        Some(caption) => format!("{text}\n{caption}"),
        None => text.clone(),
    };
    Ok(NewEntry {
        entry_id: Some(id.clone()),
        timestamp: Some(time::in_order(said, place).into()),
        ..text_entry(author.as_deref().unwrap_or(ONE_USER), content)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(json: &str) -> EntryLine {
        serde_json::from_str(json).unwrap()
    }

    /// Such as "user/session: first second".
    fn shape(batches: &[Batch]) -> Vec<String> {
        let one = |Batch { user, session, entries }: &Batch| {
            let ids: Vec<_> = entries.iter().flat_map(|entry| entry.entry_id.as_deref()).collect();
            format!("{user}/{}: {}", session.as_deref().unwrap_or_default(), ids.join(" "))
        };
        batches.iter().map(one).collect()
    }

    #[test]
    fn a_conversation_becomes_a_user_with_sessions_in_order() {
        let said = |conv, session, id| {
            line(&format!(
                r#"{{"id":"{id}","conv":"{conv}","session":{session},"text":"t","author":"Ann",
                    "caption":"a cat","ts":"1:56 pm on 8 May, 2023"}}"#
            ))
        };
        let corpus = [said("a", 1, "x"), said("a", 1, "y"), said("a", 2, "z"), said("b", 1, "w")];
        let batches = batches("talks", &corpus).unwrap();
        let expected = ["a/session-1: x y", "a/session-2: z", "b/session-1: w"];
        assert_eq!(shape(&batches), expected);
        let first = text_entry("Ann", "t\na cat");
        assert_eq!(batches[0].entries[0].content, first.content);
        assert_eq!(batches[0].entries[0].author, "Ann");
        let time = |place: usize| batches[0].entries[place].timestamp.unwrap();
        assert_eq!((time(0).seconds, time(0).nanos), (1_683_554_160, 0));
        assert_eq!((time(1).seconds, time(1).nanos), (1_683_554_160, 1_000_000));
    }

    #[test]
    fn paragraphs_of_sentences_are_sessions_and_other_sets_have_none() {
        let ids = ["0.0.0", "0.0.1", "0.10.0"];
        let corpus = ids.map(|id| line(&format!(r#"{{"id":"{id}","text":"t"}}"#)));
        let sentences = batches("x-sent", &corpus).unwrap();
        assert_eq!(shape(&sentences), ["user/0.0: 0.0.0 0.0.1", "user/0.10: 0.10.0"]);
        let plain = batches("x", &corpus).unwrap();
        assert_eq!(shape(&plain), ["user/: 0.0.0 0.0.1 0.10.0"]);
    }

    #[test]
    fn entries_without_session_go_in_calls_of_a_bounded_size() {
        let corpus: Vec<_> =
            (0..600).map(|n| line(&format!(r#"{{"id":"{n}","text":"t"}}"#))).collect();
        let sizes: Vec<_> =
            batches("x", &corpus).unwrap().iter().map(|batch| batch.entries.len()).collect();
        assert_eq!(sizes, [256, 256, 88]);
    }

    #[test]
    fn an_unknown_way_to_write_a_time_is_an_error_that_names_the_entry() {
        let corpus = [line(r#"{"id":"e7","text":"t","ts":"noonish"}"#)];
        let error = batches("x", &corpus).unwrap_err();
        assert_eq!(error.to_string(), "x, e7: the time isn't written as known");
    }
}
