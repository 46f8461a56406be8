//! Terms of surfaces: n-grams, stems, cuts.

use std::borrow::Cow;

use super::arabic::light_stem;
use super::english::EnglishStemmer;
use super::hindi;
use super::korean::short_noun;
use super::script::Script;
use super::stop_words::is_stop_word;
use super::surface::{Surface, SurfaceKind, for_each_surface};
use super::umlaut::without_transcribed_umlauts;
use crate::recall::constants::{
    BIGRAM_CHARS, CUT_LETTERS, LONGEST_TERM_CHARS, SHORTEST_CUT_CHARS, TRIGRAM_CHARS,
};

/// Consonants that follow such a vowel in endings: домом, домах, φίλος, γάτων. On Russian sentences
/// and paragraphs nDCG@10 stayed as it was, .829 and .960.
const FINAL_CONSONANTS: [char; 4] = ['м', 'х', 'σ', 'ν'];

/// Vowels of Cyrillic and Greek that endings begin with, without accents, and the soft sign.
const FINAL_VOWELS: [char; 18] =
    ['а', 'е', 'и', 'о', 'у', 'ы', 'э', 'ю', 'я', 'ь', 'і', 'α', 'ε', 'η', 'ι', 'ο', 'υ', 'ω'];

/// Vowels of Greek endings that are written with two letters.
const GREEK_DIPHTHONGS: [&str; 4] = ["ου", "οι", "αι", "ει"];

#[derive(Clone, Copy, Debug)]
pub(super) struct Term<'a> {
    pub text: &'a str,
    /// The surface it was made of; of an n-gram, the n-gram itself.
    pub word: &'a str,
    pub stop: bool,
    /// Another form of a word beside it, which adds nothing to the length of the text.
    pub hint: bool,
}

/// Calls `visit` with the terms of `text` in order.
pub(super) fn for_each_term(text: &str, visit: &mut dyn FnMut(Term<'_>)) {
    let stemmer = EnglishStemmer::new();
    let mut whole_term = String::new();
    for_each_surface(text, &mut |surface| match surface.kind {
        SurfaceKind::Word | SurfaceKind::Member => {
            whole_term.clear();
            if is_stop_word(surface.folded) {
                visit(Term { text: surface.folded, word: surface.folded, stop: true, hint: false });
                return;
            }
            let term = word_term(&stemmer, &surface);
            whole_term.push_str(&term);
            visit(Term { text: &term, word: surface.folded, stop: false, hint: false });
        }
        SurfaceKind::Hint => {
            let term = word_term(&stemmer, &surface);
            if !is_stop_word(surface.folded) {
                visit(Term { text: &term, word: surface.folded, stop: false, hint: true });
            }
        }
        SurfaceKind::Part => {
            let term = word_term(&stemmer, &surface);
            // The cut makes one term of `camelCase` and `camel`, which the text holds but once.
            if *term != whole_term && !is_stop_word(surface.folded) {
                visit(Term { text: &term, word: surface.folded, stop: false, hint: false });
            }
        }
        SurfaceKind::Ideographs => {
            visit_ngrams(surface.folded, 1, visit);
            visit_ngrams(surface.folded, BIGRAM_CHARS, visit);
        }
        SurfaceKind::Hangul => {
            visit_ngrams_or_whole(surface.folded, BIGRAM_CHARS, visit);
            if let Some(noun) = short_noun(surface.folded) {
                visit(Term { text: noun, word: noun, stop: false, hint: true });
            }
        }
        SurfaceKind::Unspaced => visit_ngrams_or_whole(surface.folded, TRIGRAM_CHARS, visit),
        SurfaceKind::Pictograph => {
            visit(Term { text: surface.folded, word: surface.folded, stop: false, hint: false });
        }
    });
}

/// Whether a surface is made of nothing but stop words, so that it decides nothing.
pub(super) fn is_stop_surface(surface: &Surface<'_>) -> bool {
    if is_stop_word(surface.folded) {
        return true;
    }
    let mut all_stop = surface.kind == SurfaceKind::Hangul;
    if all_stop {
        visit_ngrams_or_whole(surface.folded, BIGRAM_CHARS, &mut |term| all_stop &= term.stop);
    }
    all_stop
}

/// The term of one spaced word.
fn word_term<'a>(stemmer: &EnglishStemmer, surface: &Surface<'a>) -> Cow<'a, str> {
    let word = first_chars(surface.folded, LONGEST_TERM_CHARS);
    if word.chars().any(|c| matches!(c, '_' | '.' | ':' | '@' | '+' | '#') || c.is_numeric()) {
        return Cow::Borrowed(word);
    }
    match surface.script {
        Some(Script::Latin) if word.is_ascii() => match stemmer.stem(word) {
            Cow::Borrowed(stem) => cut(stem),
            Cow::Owned(stem) => Cow::Owned(cut(&stem).into_owned()),
        },
        Some(Script::Latin) => cut(word),
        Some(Script::Cyrillic | Script::Greek) => {
            Cow::Borrowed(without_final_vowel(first_chars(word, CUT_LETTERS)))
        }
        Some(Script::Arabic) => Cow::Borrowed(light_stem(word)),
        Some(Script::Other) if hindi::is_devanagari(word) => Cow::Owned(hindi::stem(word)),
        Some(Script::Other) | None => Cow::Borrowed(word),
    }
}

/// What the cut leaves of a Latin word.
fn cut(stem: &str) -> Cow<'_, str> {
    match without_transcribed_umlauts(stem) {
        Cow::Borrowed(stem) => Cow::Borrowed(first_chars(stem, CUT_LETTERS)),
        Cow::Owned(stem) => Cow::Owned(first_chars(&stem, CUT_LETTERS).to_owned()),
    }
}

/// A cut word without the vowel at its end, if three letters are left: школа, школе and школой
/// differ within the cut. A consonant of an ending goes along with its vowel.
fn without_final_vowel(cut: &str) -> &str {
    let keeps_enough = |shorter: &str| shorter.chars().nth(SHORTEST_CUT_CHARS - 1).is_some();
    let vowel_last = cut.strip_suffix(FINAL_CONSONANTS).unwrap_or(cut);
    let without = |word: &'_ str, ending: &str| word.strip_suffix(ending).map(str::len);
    let shorter = [vowel_last, cut].into_iter().find_map(|word| {
        let diphthongs = GREEK_DIPHTHONGS.iter().filter_map(|ending| without(word, ending));
        let vowel = word.strip_suffix(FINAL_VOWELS).map(str::len);
        diphthongs.chain(vowel).map(|length| &cut[..length]).find(|shorter| keeps_enough(shorter))
    });
    shorter.unwrap_or(cut)
}

fn first_chars(text: &str, count: usize) -> &str {
    if text.len() <= count {
        return text;
    }
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

fn visit_ngrams_or_whole(run: &str, chars: usize, visit: &mut dyn FnMut(Term<'_>)) {
    if run.chars().nth(chars).is_some() {
        visit_ngrams(run, chars, visit);
    } else {
        visit(Term { text: run, word: run, stop: is_stop_word(run), hint: false });
    }
}

fn visit_ngrams(run: &str, chars: usize, visit: &mut dyn FnMut(Term<'_>)) {
    let bounds = || run.char_indices().map(|(at, _)| at).chain([run.len()]);
    for (start, end) in bounds().zip(bounds().skip(chars)) {
        let ngram = &run[start..end];
        visit(Term { text: ngram, word: ngram, stop: is_stop_word(ngram), hint: false });
    }
}
