//! Parts of identifiers: `snake_case`, `camelCase`, `HTTPServer`; short forms of hashes.

use crate::recall::constants::SHORTEST_PART_CHARS;

/// Calls `visit` with each proper part of a word as written, none if it is one piece.
pub(super) fn for_each_part<'a>(raw: &'a str, visit: &mut impl FnMut(&'a str)) {
    let mut visit_long_enough = |part: &'a str| {
        if part.chars().nth(SHORTEST_PART_CHARS - 1).is_some() {
            visit(part);
        }
    };
    for segment in raw.split('_').filter(|segment| !segment.is_empty()) {
        if segment.len() < raw.len() {
            visit_long_enough(segment);
        }
        for_each_hump(segment, &mut visit_long_enough);
    }
}

/// Calls `visit` with each piece between changes of case, none if there is no such change.
fn for_each_hump<'a>(segment: &'a str, visit: &mut impl FnMut(&'a str)) {
    let mut piece_start = 0;
    let mut chars = segment.char_indices();
    let Some((_, mut previous)) = chars.next() else {
        return;
    };
    while let Some((at, c)) = chars.next() {
        if c.is_uppercase() {
            let mut following = chars.clone().map(|(_, next)| next.is_lowercase());
            let starts_capitalised =
                following.next() == Some(true) && following.next() == Some(true);
            if previous.is_lowercase() || starts_capitalised {
                visit(&segment[piece_start..at]);
                piece_start = at;
            }
        }
        previous = c;
    }
    if piece_start > 0 {
        visit(&segment[piece_start..]);
    }
}

/// Digits of a hash that its short form keeps, as git writes it.
const SHORT_HASH_DIGITS: usize = 7;

/// Calls `visit` with another form of a word as written: the short form of a hash.
pub(super) fn for_each_other_form<'a>(raw: &'a str, visit: &mut impl FnMut(&'a str)) {
    // Abbreviated by hand, SHA-1 and SHA-256; 32 digits are another kind of number.
    if matches!(raw.len(), 8..=12 | 40 | 64)
        && raw.bytes().all(|byte| byte.is_ascii_hexdigit())
        && raw.bytes().any(|byte| byte.is_ascii_digit())
        && raw.bytes().any(|byte| byte.is_ascii_alphabetic())
        && let Some(short) = raw.get(..SHORT_HASH_DIGITS)
    {
        visit(short);
    }
}
