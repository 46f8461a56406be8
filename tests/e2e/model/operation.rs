//! What a random sequence is made of. Names are few, so that operations meet.

use proptest::prelude::*;

/// Words of which texts are made; no two share a stem.
pub(super) const WORDS: [&str; 5] = ["walrus", "ocelot", "lynx", "heron", "咖啡"];

/// The global scope, or one of two projects of which one is a prefix of the other.
pub(super) const PROJECTS: [Option<&str>; 3] = [None, Some("p"), Some("pp")];
pub(super) const USERS: [&str; 2] = ["u", "u.u"];
/// No session, that is AddEntries, or one of two.
pub(super) const SESSIONS: [Option<&str>; 3] = [None, Some("s"), Some("t")];

/// Which user and which of [`PROJECTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) user: usize,
    pub(super) project: usize,
}

/// An entry to be added.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Add {
    /// The caller's id, if it gives one.
    pub(super) id: Option<u8>,
    /// Indexes of [`WORDS`].
    pub(super) words: Vec<usize>,
    /// Event time in seconds.
    pub(super) time: i64,
    pub(super) expiry: Expiry,
    pub(super) with_metadata: bool,
}

/// Until when an entry is there. Times in between can't be tested without waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Expiry {
    Never,
    Far,
    Over,
}

#[derive(Debug, Clone)]
pub(super) enum Operation {
    Add { at: At, session: usize, entries: Vec<Add>, replace: bool, restore: bool },
    DeleteIds { at: At, ids: Vec<u8>, dry_run: bool },
    DeleteWords { at: At, words: Vec<usize>, any: bool, dry_run: bool },
    DeleteSession { at: At, session: usize },
    DeleteProject { at: At },
    DeleteUser { at: At },
    Search { at: At, words: Vec<usize> },
    List { at: At, session: Option<usize>, page_size: u32 },
    Restart,
}

fn at() -> impl Strategy<Value = At> {
    // Most of what happens, happens in one user.
    (prop::sample::select(vec![0, 0, 0, 1]), 0..PROJECTS.len())
        .prop_map(|(user, project)| At { user, project })
}

fn words(most: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..WORDS.len(), 0..=most)
}

fn some_words() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..WORDS.len(), 1..=2)
}

fn add() -> impl Strategy<Value = Add> {
    use Expiry::{Far, Never, Over};
    let expiry = prop::sample::select(vec![Never, Never, Never, Far, Over]);
    (prop::option::of(0_u8..6), words(3), 0_i64..3, expiry, any::<bool>()).prop_map(
        |(id, words, time, expiry, with_metadata)| Add { id, words, time, expiry, with_metadata },
    )
}

/// Entries of one call: each id once, since what is over may be given no second time in a call.
fn entries() -> impl Strategy<Value = Vec<Add>> {
    prop::collection::vec(add(), 1..5).prop_map(|mut entries| {
        let mut seen = std::collections::HashSet::new();
        entries.retain(|entry| {
            let said = (entry.words.clone(), entry.time);
            seen.insert((entry.id, entry.id.is_none().then_some(said)))
        });
        entries
    })
}

fn operation(with_restarts: bool) -> impl Strategy<Value = Operation> {
    let restart = u32::from(with_restarts);
    prop_oneof![
        12 => (at(), 0..SESSIONS.len(), entries(), any::<bool>(), prop::bool::weighted(0.2)).prop_map(
            |(at, session, entries, replace, restore)| Operation::Add {
                at, session, entries, replace: replace && session > 0, restore,
            }
        ),
        3 => (at(), prop::collection::vec(0_u8..6, 1..4), prop::bool::weighted(0.3))
            .prop_map(|(at, ids, dry_run)| Operation::DeleteIds { at, ids, dry_run }),
        3 => (at(), some_words(), any::<bool>(), prop::bool::weighted(0.3))
            .prop_map(|(at, words, any, dry_run)| Operation::DeleteWords { at, words, any, dry_run }),
        2 => (at(), 1..SESSIONS.len()).prop_map(|(at, session)| Operation::DeleteSession { at, session }),
        1 => (at(), 1..PROJECTS.len()).prop_map(|(at, project)| Operation::DeleteProject {
            at: At { project, ..at },
        }),
        1 => at().prop_map(|at| Operation::DeleteUser { at }),
        6 => (at(), words(2)).prop_map(|(at, words)| Operation::Search { at, words }),
        4 => (at(), prop::option::of(1..SESSIONS.len()), prop::sample::select(vec![1, 2, 1_000]))
            .prop_map(|(at, session, page_size)| Operation::List { at, session, page_size }),
        restart => Just(Operation::Restart),
    ]
}

pub(super) fn sequences(with_restarts: bool) -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec(operation(with_restarts), 1..40)
}
