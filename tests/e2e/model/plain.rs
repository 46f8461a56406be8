//! The plain model: what the contract says, with maps and loops.

use std::collections::{BTreeMap, BTreeSet};

use memoryd_proto::v1::Outcome;

use super::operation::{Add, At, Expiry, PROJECTS};

/// Who an entry is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    Given(u8),
    /// Session, words and time; the entries of one call are distinct, so the ordinal is always 0.
    Derived(usize, Vec<usize>, i64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) session: usize,
    pub(super) add: Add,
}

#[derive(Debug, Default)]
struct Scope {
    entries: BTreeMap<Identity, Entry>,
    /// Marks of deleted entries, with their session.
    deleted: BTreeMap<Identity, usize>,
}

#[derive(Debug, Default)]
pub(super) struct Model {
    scopes: BTreeMap<At, Scope>,
}

impl Identity {
    pub(super) fn of(session: usize, add: &Add) -> Self {
        match add.id {
            Some(id) => Self::Given(id),
            None => Self::Derived(session, add.words.clone(), add.time),
        }
    }
}

impl Entry {
    fn is_over(&self) -> bool {
        self.add.expiry == Expiry::Over
    }

    fn holds(&self, words: &[usize], any: bool) -> bool {
        let held = |word: &usize| self.add.words.contains(word);
        if any { words.iter().any(held) } else { words.iter().all(held) }
    }
}

impl Model {
    /// The outcomes, and how many entries a replacement removed.
    pub(super) fn add(
        &mut self,
        at: At,
        session: usize,
        entries: &[Add],
        replace: bool,
        restore: bool,
    ) -> (Vec<Outcome>, u64) {
        let scope = self.scopes.entry(at).or_default();
        let mut kept = BTreeSet::new();
        let mut outcomes = Vec::new();
        for add in entries {
            let identity = Identity::of(session, add);
            let entry = Entry { session, add: add.clone() };
            kept.insert(identity.clone());
            if scope.deleted.contains_key(&identity) && !restore {
                outcomes.push(Outcome::Suppressed);
                continue;
            }
            scope.deleted.remove(&identity);
            outcomes.push(match scope.entries.insert(identity, entry.clone()) {
                Some(before) if before.is_over() => Outcome::Created,
                Some(before) if before == entry => Outcome::Unchanged,
                Some(_) => Outcome::Updated,
                None => Outcome::Created,
            });
        }
        let mut removed = 0;
        if replace {
            scope.entries.retain(|identity, entry| {
                let stays = entry.session != session || kept.contains(identity);
                removed += u64::from(!stays && !entry.is_over());
                stays
            });
        }
        (outcomes, removed)
    }

    /// Deletes, or only names, the entries of a scope that a test picks.
    pub(super) fn delete(
        &mut self,
        at: At,
        dry_run: bool,
        picks: impl Fn(&Identity, &Entry) -> bool,
    ) -> BTreeSet<Identity> {
        let Some(scope) = self.scopes.get_mut(&at) else { return BTreeSet::new() };
        let picked =
            |(identity, entry): &(&Identity, &Entry)| !entry.is_over() && picks(identity, entry);
        let picked: BTreeSet<_> =
            scope.entries.iter().filter(picked).map(|(identity, _)| identity.clone()).collect();
        if !dry_run {
            for identity in &picked {
                if let Some(entry) = scope.entries.remove(identity) {
                    scope.deleted.insert(identity.clone(), entry.session);
                }
            }
        }
        picked
    }

    pub(super) fn delete_words(
        &mut self,
        at: At,
        words: &[usize],
        any: bool,
        dry_run: bool,
    ) -> BTreeSet<Identity> {
        self.delete(at, dry_run, |_, entry| entry.holds(words, any))
    }

    pub(super) fn delete_session(&mut self, at: At, session: usize) -> u64 {
        let Some(scope) = self.scopes.get_mut(&at) else { return 0 };
        let of_session = scope.entries.values().filter(|entry| entry.session == session);
        let count = of_session.filter(|entry| !entry.is_over()).count();
        scope.entries.retain(|_, entry| entry.session != session);
        scope.deleted.retain(|_, of| *of != session);
        count as u64
    }

    pub(super) fn delete_scope(&mut self, at: At) -> u64 {
        let entries = self.scopes.remove(&at).unwrap_or_default().entries;
        entries.values().filter(|entry| !entry.is_over()).count() as u64
    }

    pub(super) fn delete_user(&mut self, user: usize) -> u64 {
        (0..PROJECTS.len()).map(|project| self.delete_scope(At { user, project })).sum()
    }

    /// What a place sees: its own entries and the global ones, each with its scope.
    pub(super) fn in_sight(&self, at: At) -> Vec<(At, &Identity, &Entry)> {
        let global = At { project: 0, ..at };
        let places = BTreeSet::from([global, at]);
        let scopes = places.into_iter().filter_map(|place| Some((place, self.scopes.get(&place)?)));
        scopes
            .flat_map(|(place, scope)| {
                scope.entries.iter().map(move |(id, entry)| (place, id, entry))
            })
            .filter(|(_, _, entry)| !entry.is_over())
            .collect()
    }

    pub(super) fn found(&self, at: At, words: &[usize]) -> Vec<(At, &Identity, &Entry)> {
        let mut seen = self.in_sight(at);
        seen.retain(|(_, _, entry)| entry.holds(words, true));
        seen
    }
}
