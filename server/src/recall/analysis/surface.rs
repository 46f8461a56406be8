//! Surfaces: the words of a text, folded but whole.

use super::fold::{fold_unspaced, fold_word};
use super::identifier::for_each_part;
use super::normal::normal_form;
use super::runs::{Run, RunKind, Runs};
use super::script::Script;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum SurfaceKind {
    Word,
    /// A part of the identifier that was the last `Word`.
    Part,
    /// A line of Han and Kana.
    Ideographs,
    /// A word of Hangul, its particles included.
    Hangul,
    /// A line of Thai or another script without spaces.
    Unspaced,
    Pictograph,
}

/// A piece of a text as its reader sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surface<'a> {
    pub kind: SurfaceKind,
    /// The script of a word that has letters.
    pub script: Option<Script>,
    /// Never empty.
    pub folded: &'a str,
}

/// Calls `visit` with the surfaces of `text` in order.
pub(super) fn for_each_surface(text: &str, visit: &mut dyn FnMut(Surface<'_>)) {
    let normal_text = normal_form(text);
    let mut folded = String::new();
    for Run { kind, raw } in Runs::of(&normal_text) {
        match kind {
            RunKind::Word(script) => visit_word(raw, script, &mut folded, visit),
            RunKind::Ideographs => {
                visit_unspaced(raw, SurfaceKind::Ideographs, &mut folded, visit);
            }
            RunKind::Hangul => visit_unspaced(raw, SurfaceKind::Hangul, &mut folded, visit),
            RunKind::Unspaced => visit_unspaced(raw, SurfaceKind::Unspaced, &mut folded, visit),
            RunKind::Pictograph | RunKind::HalfFlag => {
                visit(Surface { kind: SurfaceKind::Pictograph, script: None, folded: raw });
            }
        }
    }
}

fn visit_word(
    raw: &str,
    script: Option<Script>,
    folded: &mut String,
    visit: &mut dyn FnMut(Surface<'_>),
) {
    let trimmed = raw.trim_matches('_');
    let mut visit_folded = |piece: &str, kind: SurfaceKind| {
        folded.clear();
        fold_word(piece, folded);
        if !folded.is_empty() {
            visit(Surface { kind, script, folded });
        }
    };
    visit_folded(trimmed, SurfaceKind::Word);
    for_each_part(trimmed, &mut |part| visit_folded(part, SurfaceKind::Part));
}

fn visit_unspaced(
    raw: &str,
    kind: SurfaceKind,
    folded: &mut String,
    visit: &mut dyn FnMut(Surface<'_>),
) {
    folded.clear();
    fold_unspaced(raw, folded);
    if !folded.is_empty() {
        visit(Surface { kind, script: None, folded });
    }
}
