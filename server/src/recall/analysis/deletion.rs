//! Which entries a query deletes: those that hold its words as written.

use std::collections::{HashMap, HashSet};

use super::query::Query;
use super::surface::{Surface, SurfaceKind, for_each_surface};
use super::terms::is_stop_surface;
use crate::recall::constants::TRIGRAM_CHARS;

/// How many of a deletion's words an entry must hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WordMatch {
    /// Every one.
    #[default]
    All,
    /// At least one.
    Any,
}

/// The words of a query that deletes.
///
/// A word is held when the entry has it folded but whole, not stemmed: "internal" never deletes
/// "international". A run of a script without spaces is one word, held by every longer run it is
/// part of. An identifier is one word; the parts of the entry's identifiers count as its words.
/// Stop words decide nothing: a query of nothing else deletes nothing.
#[derive(Clone, Debug, Default)]
pub struct DeletionQuery {
    /// See [`DeletionQuery::candidates`].
    candidates: Query,
    /// Words that must equal a surface, with their number.
    words: HashMap<String, usize>,
    /// Runs that may stand within a longer one, by kind and first letter, with their number.
    runs: HashMap<(SurfaceKind, char), Vec<(String, usize)>>,
    /// How many words and runs there are.
    wanted: usize,
}

impl DeletionQuery {
    /// The words of any text: there is no syntax.
    pub fn parse(text: &str) -> Self {
        let mut deletion = Self { candidates: Query::parse(text), ..Self::default() };
        for_each_surface(text, &mut |surface| deletion.want(&surface));
        deletion
    }

    fn want(&mut self, surface: &Surface<'_>) {
        let &Surface { kind, script: _, folded } = surface;
        // The whole identifier is wanted, which implies its parts.
        let implied = matches!(kind, SurfaceKind::Member | SurfaceKind::Part | SurfaceKind::Hint);
        if implied || is_stop_surface(surface) {
            return;
        }
        if !may_stand_within(surface) {
            if !self.words.contains_key(folded) {
                self.words.insert(folded.to_owned(), self.wanted);
                self.wanted += 1;
            }
            return;
        }
        let Some(first) = folded.chars().next() else {
            return;
        };
        let same_start = self.runs.entry((kind, first)).or_default();
        if same_start.iter().all(|(run, _)| run != folded) {
            same_start.push((folded.to_owned(), self.wanted));
            self.wanted += 1;
        }
    }

    /// A query that every entry to be deleted matches, by which to look for them in the index.
    pub fn candidates(&self) -> &Query {
        &self.candidates
    }

    /// Whether no word is left that could decide, so that nothing is deleted.
    pub fn is_empty(&self) -> bool {
        self.wanted == 0
    }

    /// Whether an entry of these texts holds all, or any, of the words.
    pub fn is_held_by<'a>(
        &self,
        texts: impl IntoIterator<Item = &'a str>,
        word_match: WordMatch,
    ) -> bool {
        let mut held = HashSet::new();
        for text in texts {
            for_each_surface(text, &mut |surface| self.collect_held(&surface, &mut held));
        }
        match word_match {
            WordMatch::All => !self.is_empty() && held.len() == self.wanted,
            WordMatch::Any => !held.is_empty(),
        }
    }

    fn collect_held(&self, surface: &Surface<'_>, held: &mut HashSet<usize>) {
        let &Surface { kind, script: _, folded } = surface;
        if kind == SurfaceKind::Hint {
            return;
        }
        held.extend(self.words.get(folded));
        if self.runs.is_empty() || !may_stand_within(surface) {
            return;
        }
        for (at, first) in folded.char_indices() {
            let same_start = self.runs.get(&(kind, first)).into_iter().flatten();
            held.extend(
                same_start
                    .filter(|(run, _)| folded[at..].starts_with(run))
                    .map(|(_, number)| number),
            );
        }
    }
}

/// Whether the surface is long enough to be found within a longer one, as search would.
fn may_stand_within(surface: &Surface<'_>) -> bool {
    let at_least = match surface.kind {
        SurfaceKind::Ideographs => 1,
        SurfaceKind::Hangul => 2,
        SurfaceKind::Unspaced => TRIGRAM_CHARS,
        SurfaceKind::Word
        | SurfaceKind::Member
        | SurfaceKind::Part
        | SurfaceKind::Hint
        | SurfaceKind::Pictograph => return false,
    };
    surface.folded.chars().nth(at_least - 1).is_some()
}
