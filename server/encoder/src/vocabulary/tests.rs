//! Segmentation against the reference's way of doing it, and vocabularies that are none.

use std::collections::HashMap;
use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::normal::marked;

const SMALL: &str =
    "<unk>\t0\n<s>\t0\n</s>\t0\n▁\t-3\na\t-4\nb\t-5\nab\t-6\n▁a\t-5.5\nabab\t-11\n語\t-7\n";

/// The reference's algorithm, word for word: every substring is looked up.
fn by_definition(tsv: &str, marked: &str) -> Vec<u32> {
    let lines: Vec<(&str, f64)> = tsv
        .lines()
        .map(|line| line.split_once('\t').unwrap())
        .map(|(piece, score)| (piece, score.parse().unwrap()))
        .collect();
    let vocabulary: HashMap<&str, u32> = lines.iter().map(|line| line.0).zip(0..).collect();
    let unknown =
        lines.iter().map(|line| line.1).filter(|&score| score < 0.0).fold(0.0, f64::min) - 10.0;
    let ends: Vec<usize> = marked.char_indices().map(|(at, _)| at).chain([marked.len()]).collect();
    let mut best = vec![(-1e18, 0, 0); ends.len()];
    best[0].0 = 0.0;
    for start in 0..ends.len() - 1 {
        for end in start + 1..ends.len().min(start + 17) {
            let piece = vocabulary.get(&marked[ends[start]..ends[end]]).filter(|&&piece| piece > 2);
            let candidate = match piece {
                Some(&piece) => (best[start].0 + lines[piece as usize].1, start, piece),
                None if end == start + 1 => (best[start].0 + unknown, start, 0),
                None => continue,
            };
            if candidate.0 > best[end].0 {
                best[end] = candidate;
            }
        }
    }
    let mut pieces = Vec::new();
    let mut end = ends.len() - 1;
    while end > 0 {
        let (_, start, piece) = best[end];
        if piece != 0 || pieces.last() != Some(&0) {
            pieces.push(piece);
        }
        end = start;
    }
    pieces.reverse();
    pieces
}

#[test]
fn pieces_with_the_likeliest_product_are_taken() {
    let vocabulary = Vocabulary::from_tsv(SMALL).unwrap();
    assert_eq!(vocabulary.len(), 10);
    let segment = |text: &str| vocabulary.segment(&marked(text));
    assert_eq!(segment("a"), [7]);
    assert_eq!(segment("ab ab"), [3, 6, 3, 6]);
    assert_eq!(segment("abab"), [3, 8]);
    assert!(segment("").is_empty());
}

#[test]
fn unknown_characters_in_a_row_are_one_piece() {
    let vocabulary = Vocabulary::from_tsv(SMALL).unwrap();
    assert_eq!(vocabulary.segment(&marked("xyz語q")), [3, 0, 9, 0]);
}

#[test]
fn marks_of_the_model_are_not_read_out_of_a_text() {
    let vocabulary = Vocabulary::from_tsv(SMALL).unwrap();
    assert_eq!(vocabulary.segment("<s>"), [0]);
}

#[test]
fn a_piece_that_starts_with_another_is_told_apart() {
    let mut tsv = SMALL.to_owned();
    for length in 2..60 {
        writeln!(tsv, "{}\t-{length}", "é".repeat(length)).unwrap();
    }
    let vocabulary = Vocabulary::from_tsv(&tsv).unwrap();
    let mut found = Vec::new();
    vocabulary
        .trie()
        .prefixes("é".repeat(70).as_bytes(), |length, piece| found.push((length, piece)));
    let expected: Vec<(usize, u32)> = (2..60).map(|length| 2 * length).zip(10..).collect();
    assert_eq!(found, expected);
}

#[test]
fn lists_that_are_no_vocabulary_are_told_why() {
    let marks = "<unk>\t0\n<s>\t0\n</s>\t0\n";
    for (rest, expected) in [
        ("a\t-1\nb", PrepareError::Line(4)),
        ("a\tx\n", PrepareError::Line(3)),
        ("a\t-inf\n", PrepareError::Score(3)),
        ("a\tNaN\n", PrepareError::Score(3)),
        ("\t-1\n", PrepareError::Piece(3)),
        ("a\0b\t-1\n", PrepareError::Piece(3)),
        ("a\t-1\nb\t-1\na\t-2\n", PrepareError::Twice(5)),
        ("a\t1\n", PrepareError::NoScores),
        ("", PrepareError::NoScores),
    ] {
        match Vocabulary::from_tsv(&format!("{marks}{rest}")) {
            Err(ModelError::Vocabulary(error)) => assert_eq!(error, expected, "{rest:?}"),
            other => panic!("{rest:?}: {other:?}"),
        }
    }
}

#[cfg(any(feature = "encoder", feature = "static"))]
#[test]
fn the_prepared_vocabulary_is_the_one_of_the_file() {
    let tsv = include_str!("../../model/mse-128-int4/vocab.tsv");
    let (built, read) = (Vocabulary::builtin(), Vocabulary::from_tsv(tsv).unwrap());
    assert_eq!(built.len(), 128_000);
    assert!(built.trie == read.trie && built.scores == read.scores);
    for (line, piece) in tsv.lines().zip(0..).skip(3) {
        let (text, _) = line.split_once('\t').unwrap();
        let mut last = None;
        built.trie().prefixes(text.as_bytes(), |length, piece| last = Some((length, piece)));
        assert_eq!(last, Some((text.len(), piece)));
    }
}

proptest! {
    #[test]
    fn small_vocabulary_cuts_as_the_reference_does(text in "[ab語x ]{0,40}") {
        let vocabulary = Vocabulary::from_tsv(SMALL).unwrap();
        let text = marked(&text);
        prop_assert_eq!(vocabulary.segment(&text), by_definition(SMALL, &text));
    }
}

#[cfg(any(feature = "encoder", feature = "static"))]
#[test]
fn builtin_vocabulary_cuts_as_the_reference_does() {
    let tsv = include_str!("../../model/mse-128-int4/vocab.tsv");
    for text in [
        "Tomorrow's rehearsal starts at 7:45pm, bring the violins!",
        "Die Straßenbahnhaltestellenbeschilderung wurde überklebt.",
        "明日の朝、図書館で会いましょう。カメラも忘れずに。",
        "ข้าวเหนียวมะม่วงอร่อยมากที่สุด",
        "Ёжики в тумане… а где медвежонок?",
        "متى تصل الحافلة إلى محطة القطار؟",
        "내일 아침 일찍 도서관에서 만나요",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "ᚠᚢᚦ xᚠyᚢ extra_token_id_1",
    ] {
        let text = marked(text);
        assert_eq!(Vocabulary::builtin().segment(&text), by_definition(tsv, &text), "{text}");
    }
}
