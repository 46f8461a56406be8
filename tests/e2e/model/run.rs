//! Runs a sequence on a server and on the model, and compares every answer.

use std::collections::{BTreeMap, BTreeSet};

use memoryd_proto::trailers;
use memoryd_proto::v1 as pb;
use proptest::test_runner::TestCaseError;
use proptest::{prop_assert, prop_assert_eq};

use super::operation::{Add, At, Expiry, Operation, PROJECTS, SESSIONS, USERS, WORDS};
use super::plain::{Entry, Identity, Model};
use crate::harness::{Calls, Place, TestServer, at as time, named, new_entry, outcomes, text_of};

/// Both sides of the comparison.
struct Pair<'a> {
    app: &'a str,
    model: Model,
    /// Ids that the server derived, by what they were derived from.
    derived: BTreeMap<Identity, String>,
}

pub(super) async fn run(
    server: &mut TestServer,
    app: &str,
    operations: &[Operation],
) -> Result<(), TestCaseError> {
    let mut pair = Pair { app, model: Model::default(), derived: BTreeMap::new() };
    let mut calls = server.calls().await;
    for operation in operations {
        if matches!(operation, Operation::Restart) {
            server.restart().await;
            calls = server.calls().await;
        }
        pair.step(&calls, operation).await?;
    }
    // At the end, and once more from the disk, every place shows what the model shows.
    for user in 0..USERS.len() {
        for project in 0..PROJECTS.len() {
            pair.list(&calls, At { user, project }, None, 2).await?;
        }
    }
    Ok(())
}

impl Pair<'_> {
    fn place(&self, at: At) -> Place<'_> {
        Place { app: self.app, user: USERS[at.user], project: PROJECTS[at.project] }
    }

    async fn step(&mut self, calls: &Calls, operation: &Operation) -> Result<(), TestCaseError> {
        match operation {
            Operation::Add { at, session, entries, replace, restore } => {
                self.add(calls, *at, *session, entries, *replace, *restore).await?;
            }
            Operation::DeleteIds { at, ids, dry_run } => {
                let names: Vec<_> = ids.iter().map(u8::to_string).collect();
                let request = self.place(*at).deletion_of(&names);
                let gone = self.model.delete(
                    *at,
                    *dry_run,
                    |identity, _| matches!(identity, Identity::Given(id) if ids.contains(id)),
                );
                self.deleted(calls, request, *dry_run, gone).await?;
            }
            Operation::DeleteWords { at, words, any, dry_run } => {
                let matching = if *any { pb::Match::Any } else { pb::Match::All };
                let request = self.place(*at).deletion(&spoken(words));
                let request = pb::DeleteEntriesRequest { r#match: matching.into(), ..request };
                let gone = self.model.delete_words(*at, words, *any, *dry_run);
                self.deleted(calls, request, *dry_run, gone).await?;
            }
            Operation::DeleteSession { at, session } => {
                let Place { app, user, project } = self.place(*at);
                let session_id = SESSIONS[*session].unwrap();
                let count = calls.delete_session(app, user, project, session_id).await.unwrap();
                prop_assert_eq!(count, self.model.delete_session(*at, *session));
            }
            Operation::DeleteProject { at } => {
                let Place { app, user, project } = self.place(*at);
                let count = calls.delete_project(app, user, project.unwrap()).await.unwrap();
                prop_assert_eq!(count, self.model.delete_scope(*at));
            }
            Operation::DeleteUser { at } => {
                let Place { app, user, .. } = self.place(*at);
                let count = calls.delete_user(app, user).await.unwrap();
                prop_assert_eq!(count, self.model.delete_user(at.user));
            }
            Operation::Search { at, words } => self.search(calls, *at, words).await?,
            Operation::List { at, session, page_size } => {
                self.list(calls, *at, *session, *page_size).await?;
            }
            Operation::Restart => {}
        }
        Ok(())
    }

    async fn add(
        &mut self,
        calls: &Calls,
        at: At,
        session: usize,
        entries: &[Add],
        replace: bool,
        restore: bool,
    ) -> Result<(), TestCaseError> {
        let place = self.place(at);
        let wire = entries.iter().map(new).collect();
        let (results, removed) = match SESSIONS[session] {
            Some(id) => {
                let mode = if replace { pb::WriteMode::Replace } else { pb::WriteMode::Upsert };
                let request = pb::AddSessionRequest {
                    mode: mode.into(),
                    restore_deleted: restore,
                    ..place.session(id, wire)
                };
                let answer = calls.add_session(request).await.unwrap();
                (answer.results, answer.removed_count)
            }
            None => {
                let request =
                    pb::AddEntriesRequest { restore_deleted: restore, ..place.entries(wire) };
                (calls.add_entries(request).await.unwrap().results, 0)
            }
        };
        let expected = self.model.add(at, session, entries, replace, restore);
        prop_assert_eq!((outcomes(&results), removed), expected);
        for (add, result) in entries.iter().zip(results) {
            match add.id {
                Some(id) => prop_assert_eq!(result.entry_id, id.to_string()),
                None => {
                    // The same always derives the same, and nothing else does.
                    let identity = Identity::of(session, add);
                    let before = self.derived.insert(identity, result.entry_id.clone());
                    prop_assert!(before.is_none_or(|before| before == result.entry_id));
                }
            }
        }
        let distinct: BTreeSet<_> = self.derived.values().collect();
        prop_assert_eq!(distinct.len(), self.derived.len());
        Ok(())
    }

    async fn deleted(
        &self,
        calls: &Calls,
        request: pb::DeleteEntriesRequest,
        dry_run: bool,
        gone: BTreeSet<Identity>,
    ) -> Result<(), TestCaseError> {
        let request = pb::DeleteEntriesRequest { dry_run, ..request };
        let answer = calls.delete_entries(request).await.unwrap();
        prop_assert_eq!(answer.deleted_count, gone.len() as u64);
        let foreseen: BTreeSet<_> = answer.entry_ids.into_iter().collect();
        let gone = gone.iter().filter(|_| dry_run).map(|identity| self.id(identity)).collect();
        prop_assert_eq!(foreseen, gone);
        Ok(())
    }

    async fn search(&self, calls: &Calls, at: At, words: &[usize]) -> Result<(), TestCaseError> {
        let request = self.place(at).query(&spoken(words));
        let answer = calls.search(request).await.unwrap();
        let expected = self.model.found(at, words);
        prop_assert_eq!(answer.count(trailers::MATCHED), expected.len() as u64);
        let considered = self.model.in_sight(at).len() as u64;
        prop_assert_eq!(answer.count(trailers::CONSIDERED), considered);
        prop_assert_eq!(shown(&answer.entries()), self.expected(expected));
        Ok(())
    }

    async fn list(
        &self,
        calls: &Calls,
        at: At,
        session: Option<usize>,
        page_size: u32,
    ) -> Result<(), TestCaseError> {
        let filter = session.and_then(|session| SESSIONS[session]).map(|id| pb::EntryFilter {
            session_ids: vec![id.into()],
            ..pb::EntryFilter::default()
        });
        let request = pb::ListEntriesRequest { filter, page_size, ..self.place(at).listing() };
        let entries = calls.list_all(request).await.unwrap();
        let order = |entry: &pb::Entry| (-entry.timestamp.unwrap().seconds, entry.entry_id.clone());
        prop_assert!(entries.is_sorted_by_key(order));
        let mut expected = self.model.in_sight(at);
        expected.retain(|(_, _, entry)| session.is_none_or(|session| entry.session == session));
        prop_assert_eq!(shown(&entries), self.expected(expected));
        Ok(())
    }

    fn id(&self, identity: &Identity) -> String {
        match identity {
            Identity::Given(id) => id.to_string(),
            Identity::Derived(..) => self.derived[identity].clone(),
        }
    }

    fn expected(&self, entries: Vec<(At, &Identity, &Entry)>) -> Vec<Shown> {
        let show = |(at, identity, entry): (At, &Identity, &Entry)| Shown {
            project: PROJECTS[at.project].map(str::to_owned),
            id: self.id(identity),
            session: SESSIONS[entry.session].map(str::to_owned),
            text: spoken(&entry.add.words),
            time: entry.add.time,
            has_metadata: entry.add.with_metadata,
        };
        let mut shown: Vec<_> = entries.into_iter().map(show).collect();
        shown.sort();
        shown
    }
}

/// What is compared of an entry.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    project: Option<String>,
    id: String,
    session: Option<String>,
    text: String,
    time: i64,
    has_metadata: bool,
}

fn shown(entries: &[pb::Entry]) -> Vec<Shown> {
    let show = |entry: &pb::Entry| Shown {
        project: entry.project_id.clone(),
        id: entry.entry_id.clone(),
        session: entry.session_id.clone(),
        text: text_of(entry),
        time: entry.timestamp.unwrap().seconds,
        has_metadata: entry.metadata_json.is_some(),
    };
    let mut shown: Vec<_> = entries.iter().map(show).collect();
    shown.sort();
    shown
}

fn new(add: &Add) -> pb::NewEntry {
    let Add { id, words, time: seconds, expiry, with_metadata } = add;
    let text = spoken(words);
    let entry = match id {
        Some(id) => named(&id.to_string(), &text),
        None => new_entry(&text),
    };
    pb::NewEntry {
        timestamp: Some(time(*seconds)),
        expire_time: match expiry {
            Expiry::Never => None,
            Expiry::Far => Some(time(4_000_000_000)),
            Expiry::Over => Some(time(1_600_000_000)),
        },
        metadata_json: with_metadata.then(|| "{}".to_owned()),
        ..entry
    }
}

/// The text of some words.
fn spoken(words: &[usize]) -> String {
    words.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" ")
}
