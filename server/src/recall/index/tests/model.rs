//! Any sequence of operations against a plain model.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{IndexedEntry, ScopeIndex, vector};
use crate::recall::analysis::{EntryTerms, Query};
use crate::recall::index::Place;
use crate::recall::vector::QueryVector;

#[derive(Clone, Debug)]
struct Entry {
    text: String,
    author: String,
    day: i32,
    vector: Option<[f32; 3]>,
}

/// What a scope holds: entries, and the order of each session.
#[derive(Clone, Debug, Default)]
struct Model {
    entries: BTreeMap<u32, Entry>,
    sessions: BTreeMap<u32, Vec<u32>>,
}

impl Model {
    fn forget(&mut self, doc: u32) -> Option<Entry> {
        for docs in self.sessions.values_mut() {
            docs.retain(|other| *other != doc);
        }
        self.sessions.retain(|_, docs| !docs.is_empty());
        self.entries.remove(&doc)
    }

    fn rebuilt(&self) -> ScopeIndex {
        let mut index = ScopeIndex::new();
        for (doc, entry) in &self.entries {
            let Entry { text, author, day, vector: values } = entry;
            let terms = EntryTerms::of(text);
            index.insert(*doc, IndexedEntry { terms: &terms, author, day: *day });
            if let Some(values) = values {
                assert!(index.set_vector(*doc, &vector(values)));
            }
        }
        for (session, docs) in &self.sessions {
            index.order_session(*session, docs);
        }
        index
    }
}

#[derive(Clone, Debug)]
enum Step {
    Put(u32, Entry),
    /// Into a session, at a place that is taken modulo its length; named by either neighbour.
    Place(u32, u32, usize, bool),
    /// All of a session, backwards.
    Reorder(u32),
    SetVector(u32, [f32; 3]),
    ClearVectors,
    Remove(u32),
    RemoveMany(Vec<u32>),
}

fn step() -> impl Strategy<Value = Step> {
    let doc = || prop_oneof![8 => 0..12u32, 1 => Just(5_000)];
    let values = || (1..9i8, -9..9i8, -9..9i8).prop_map(|(x, y, z)| [x, y, z].map(f32::from));
    let entry = (
        "([abcde北京]{1,2} |the ){0,6}",
        prop_oneof![Just(""), Just("Ann"), Just("Ann Bell"), Just("The Bell"), Just("李明")],
        -3..3i32,
        proptest::option::of(values()),
    );
    let entry = entry.prop_map(|(text, author, day, vector)| Entry {
        text,
        author: author.to_owned(),
        day,
        vector,
    });
    prop_oneof![
        6 => (doc(), entry).prop_map(|(doc, entry)| Step::Put(doc, entry)),
        8 => (doc(), 0..3u32, any::<usize>(), any::<bool>())
            .prop_map(|(doc, session, at, by_next)| Step::Place(doc, session, at, by_next)),
        1 => (0..3u32).prop_map(Step::Reorder),
        3 => (doc(), values()).prop_map(|(doc, values)| Step::SetVector(doc, values)),
        1 => Just(Step::ClearVectors),
        3 => doc().prop_map(Step::Remove),
        1 => proptest::collection::vec(doc(), 0..8).prop_map(Step::RemoveMany),
    ]
}

fn remove(index: &mut ScopeIndex, model: &mut Model, doc: u32) {
    if let Some(entry) = model.forget(doc) {
        index.remove(doc, &EntryTerms::of(&entry.text));
    }
}

fn place(
    index: &mut ScopeIndex,
    model: &mut Model,
    (doc, session, at): (u32, u32, usize),
    by_next: bool,
) {
    if !model.entries.contains_key(&doc) {
        return;
    }
    let entry = model.entries.get(&doc).cloned();
    model.forget(doc);
    model.entries.extend(entry.map(|entry| (doc, entry)));
    let docs = model.sessions.entry(session).or_default();
    let at = at % (docs.len() + 1);
    docs.insert(at, doc);
    let previous = at.checked_sub(1).and_then(|before| docs.get(before)).copied();
    let next = docs.get(at + 1).copied();
    let previous = previous.filter(|_| !by_next || next.is_none());
    index.place(doc, session, previous, next);
}

fn apply(index: &mut ScopeIndex, model: &mut Model, step: Step) {
    match step {
        Step::Put(doc, entry) => {
            remove(index, model, doc);
            let Entry { text, author, day, vector: values } = &entry;
            let terms = EntryTerms::of(text);
            index.insert(doc, IndexedEntry { terms: &terms, author, day: *day });
            if let Some(values) = values {
                assert!(index.set_vector(doc, &vector(values)));
            }
            model.entries.insert(doc, entry);
        }
        Step::Place(doc, session, at, by_next) => {
            place(index, model, (doc, session, at), by_next);
        }
        Step::Reorder(session) => {
            if let Some(docs) = model.sessions.get_mut(&session) {
                docs.reverse();
                index.order_session(session, docs);
            }
        }
        Step::SetVector(doc, values) => {
            let held = model.entries.get_mut(&doc);
            assert_eq!(index.set_vector(doc, &vector(&values)), held.is_some());
            if let Some(entry) = held {
                entry.vector = Some(values);
            }
        }
        Step::ClearVectors => {
            index.clear_vectors();
            model.entries.values_mut().for_each(|entry| entry.vector = None);
        }
        Step::Remove(doc) => remove(index, model, doc),
        Step::RemoveMany(docs) => {
            index.remove_many(&docs);
            for doc in docs {
                model.forget(doc);
            }
        }
    }
}

/// A term, its document frequency, and (doc, count, length) of its postings.
type TermAnswer = (String, u32, Vec<(u32, u16, u16)>);

/// Everything an index answers about some entries.
#[derive(Debug, PartialEq)]
struct Answers {
    totals: (u64, u64, usize, usize),
    sessions: (u64, u64, Vec<u64>),
    days: Vec<(i32, u32)>,
    terms: Vec<TermAnswer>,
    /// Of each doc: place, day, norm and likeness as bits, and whether the query names its author.
    docs: Vec<(Place, i32, u32, u32, Vec<bool>)>,
}

fn answers(index: &ScopeIndex, texts: &[String]) -> Answers {
    let query = QueryVector::quantise(&[0.48, 0.6, 0.64]).unwrap();
    let sessions = index.sessions();
    let terms = texts.iter().flat_map(|text| {
        let entry = EntryTerms::of(text);
        entry.iter().map(|counted| counted.term.to_owned()).collect::<Vec<_>>()
    });
    let names = ["Ann Bell", "bell?", "李明喜欢什么", "the"].map(Query::parse);
    Answers {
        totals: (
            index.document_count(),
            index.total_length(),
            index.term_count(),
            index.vector_count(),
        ),
        sessions: (
            sessions.count(),
            sessions.total_length(),
            (0..3).map(|session| sessions.length_of(session)).collect(),
        ),
        days: index.days().counts().collect(),
        terms: terms
            .map(|term| {
                let (postings, frequency) = index.postings(&term);
                let live = postings.iter().filter(|posting| posting.count > 0);
                let live = live.map(|posting| (posting.doc, posting.count, posting.length));
                (term, frequency, live.collect())
            })
            .collect(),
        docs: (0..12)
            .chain([5_000])
            .map(|doc| {
                let norm = index.vectors().norm(doc).to_bits();
                let likeness = index.vectors().likeness(&query, doc).to_bits();
                let is_named = names.iter().map(|name| {
                    let named = index.authors().named_by(name.terms().iter().map(String::as_str));
                    index.authors().is_by(doc, &named)
                });
                (sessions.of(doc), index.days().of(doc), norm, likeness, is_named.collect())
            })
            .collect(),
    }
}

proptest! {
    #[test]
    fn an_index_equals_one_built_from_what_is_left(
        steps in proptest::collection::vec(step(), 0..120),
    ) {
        let (mut index, mut model) = (ScopeIndex::new(), Model::default());
        let mut texts = Vec::new();
        for step in steps {
            if let Step::Put(_, entry) = &step {
                texts.push(entry.text.clone());
            }
            apply(&mut index, &mut model, step);
        }
        prop_assert_eq!(answers(&index, &texts), answers(&model.rebuilt(), &texts));
        // The order of each session, read from the links, is the model's.
        for docs in model.sessions.values() {
            let mut read = vec![docs[0]];
            while let Some(next) = read.last().map(|doc| index.sessions().of(*doc).next)
                && read.len() <= docs.len()
                && docs.contains(&next)
            {
                read.push(next);
            }
            prop_assert_eq!(&read, docs);
        }
    }
}
