//! Units behind a number, and signs of currency before it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fold::fold_word;
use super::script::{CharClass, classify, word_end};

/// A unit a line: its form in the index, then what people write for it.
const LIST: &str = include_str!("units.txt");

/// The longest run of an unspaced script that is looked up as a unit, in letters.
const LONGEST_UNSPACED: usize = 10;

struct Units {
    /// From the folded spelling to the form of the index.
    forms: HashMap<String, &'static str>,
    /// Bytes of the longest folded spelling.
    longest: usize,
}

static UNITS: LazyLock<Units> = LazyLock::new(|| {
    let mut forms = HashMap::new();
    for line in LIST.lines() {
        let mut words = line.split(' ');
        let Some(form) = words.next() else {
            continue;
        };
        for word in words {
            let mut folded = String::new();
            fold_word(word, &mut folded);
            forms.insert(folded, form);
        }
    }
    let longest = forms.keys().map(String::len).max().unwrap_or(0);
    Units { forms, longest }
});

/// The unit that `after`, what follows a number at once or after a space or hyphen, begins with.
pub(super) fn unit_behind(after: &str) -> Option<&'static str> {
    let after = after.strip_prefix([' ', '-']).unwrap_or(after);
    unit_at_start(after).map(|(form, _)| form)
}

/// Whether a unit stands at the start of `text` as a word of its own.
pub(super) fn starts_with_unit(text: &str) -> bool {
    unit_at_start(text).is_some()
}

/// The form of a word, folded, that is a unit.
pub(super) fn unit_form(folded: &str) -> Option<&'static str> {
    if folded.len() > UNITS.longest { None } else { UNITS.forms.get(folded).copied() }
}

/// The unit whose sign stands directly, or before a space, at the end of `before`.
pub(super) fn currency_before(before: &str) -> Option<&'static str> {
    let last = before.strip_suffix(' ').unwrap_or(before).chars().next_back()?;
    let is_currency = matches!(last, '$' | '£' | '¥' | '\u{20a0}'..='\u{20cf}');
    if is_currency { unit_form(last.encode_utf8(&mut [0; 4])) } else { None }
}

fn unit_at_start(text: &str) -> Option<(&'static str, usize)> {
    let first = text.chars().next()?;
    match classify(first) {
        CharClass::Letter(_) => spaced_unit(text),
        CharClass::Ideograph | CharClass::Hangul | CharClass::Unspaced => unspaced_unit(text),
        CharClass::Separator => {
            let form = unit_form(first.encode_utf8(&mut [0; 4]))?;
            Some((form, first.len_utf8()))
        }
        _ => None,
    }
}

fn spaced_unit(text: &str) -> Option<(&'static str, usize)> {
    let end = word_end(text, 0);
    // However a word folds, one that long is no unit.
    if end > 2 * UNITS.longest {
        return None;
    }
    let mut folded = String::new();
    fold_word(&text[..end], &mut folded);
    unit_form(&folded).map(|form| (form, end))
}

/// The longest unit that an unspaced text begins with.
fn unspaced_unit(text: &str) -> Option<(&'static str, usize)> {
    let mut ends = [0; LONGEST_UNSPACED];
    let mut count = 0;
    let bounds = text.char_indices().map(|(at, _)| at).skip(1).chain([text.len()]);
    for (place, end) in ends.iter_mut().zip(bounds) {
        *place = end;
        count += 1;
    }
    ends.iter().take(count).rev().find_map(|&end| {
        let form = unit_form(&text[..end])?;
        Some((form, end))
    })
}
