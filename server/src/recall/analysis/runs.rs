//! Splitting a text into runs of one script.

use super::clitic::{is_elided, without_ending};
use super::script::{CharClass, Script, classify};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunKind {
    /// A spaced word; no script as long as it consists of numbers and underscores.
    Word(Option<Script>),
    Ideographs,
    Hangul,
    Unspaced,
    Pictograph,
    /// The first half of a flag, waiting for the second.
    HalfFlag,
}

impl RunKind {
    fn starting_with(class: CharClass) -> Option<Self> {
        match class {
            CharClass::Letter(script) => Some(Self::Word(Some(script))),
            CharClass::Number | CharClass::Underscore => Some(Self::Word(None)),
            CharClass::Ideograph => Some(Self::Ideographs),
            CharClass::Hangul => Some(Self::Hangul),
            CharClass::Unspaced => Some(Self::Unspaced),
            CharClass::Pictograph => Some(Self::Pictograph),
            CharClass::RegionalIndicator => Some(Self::HalfFlag),
            CharClass::Mark | CharClass::Invisible | CharClass::Separator => None,
        }
    }

    /// The kind of this run with one more character; none if the run ends before it.
    fn extended_by(self, class: CharClass) -> Option<Self> {
        match (self, class) {
            (Self::Pictograph, _) => None,
            (Self::HalfFlag, CharClass::RegionalIndicator) => Some(Self::Pictograph),
            (Self::HalfFlag, _) => None,
            (_, CharClass::Mark | CharClass::Invisible) => Some(self),
            (Self::Word(_), CharClass::Number | CharClass::Underscore) => Some(self),
            (Self::Word(None), CharClass::Letter(script)) => Some(Self::Word(Some(script))),
            (Self::Word(Some(script)), CharClass::Letter(next)) if script == next => Some(self),
            (Self::Ideographs, CharClass::Ideograph)
            | (Self::Hangul, CharClass::Hangul)
            | (Self::Unspaced, CharClass::Unspaced) => Some(self),
            _ => None,
        }
    }
}

/// A stretch of text that is one word, or one line of a script without spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run<'a> {
    pub kind: RunKind,
    /// Its first byte in the text.
    pub start: usize,
    /// As written: case, accents and invisible characters are still there.
    pub raw: &'a str,
}

/// The runs of a text in NFKC, in order. What an apostrophe joins to a word, and is none, is left
/// out.
pub(super) struct Runs<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Runs<'a> {
    pub(super) fn of(normal_text: &'a str) -> Self {
        Self { text: normal_text, rest: normal_text }
    }

    /// Goes on after a word that ends before a byte of the text, the start of a character.
    pub(super) fn go_on_at(&mut self, byte: usize) {
        self.rest = without_ending(self.text.get(byte..).unwrap_or(""));
    }

    fn skip_to_run(&mut self) -> Option<RunKind> {
        let found = self
            .rest
            .char_indices()
            .find_map(|(at, c)| RunKind::starting_with(classify(c)).map(|kind| (at, kind)));
        let Some((at, kind)) = found else {
            self.rest = "";
            return None;
        };
        self.rest = &self.rest[at..];
        Some(kind)
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    fn next(&mut self) -> Option<Run<'a>> {
        loop {
            let run = self.next_run()?;
            let Run { kind, start: _, raw } = run;
            if !matches!(kind, RunKind::Word(None | Some(Script::Latin))) {
                return Some(run);
            }
            if !is_elided(raw, self.rest) {
                self.rest = without_ending(self.rest);
                return Some(run);
            }
        }
    }
}

impl<'a> Runs<'a> {
    fn next_run(&mut self) -> Option<Run<'a>> {
        let mut kind = self.skip_to_run()?;
        let mut end = self.rest.len();
        for (at, c) in self.rest.char_indices().skip(1) {
            let Some(extended) = kind.extended_by(classify(c)) else {
                end = at;
                break;
            };
            kind = extended;
        }
        let start = self.text.len() - self.rest.len();
        let (raw, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Run { kind, start, raw })
    }
}
