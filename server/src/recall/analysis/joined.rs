//! Names of several words with signs between them: `node.js`, `std::fs`, `bob@example.com`,
//! `U.S.`, `covid-19`, identifiers of 128 bits, account numbers.

use super::script::{starts_within_word, word_end};

/// A joined name at the start of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// As a word of its own, not folded yet.
    pub whole: String,
    /// Byte after it.
    pub end: usize,
    /// What the words in it are.
    pub inside: Inside,
}

/// What the words of a joined name are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    /// Nothing: the name takes their place.
    Nothing,
    /// Names that an entry holds too.
    Names,
    /// Bits of a code, which mean nothing without the others.
    Bits,
}

/// Digits of the groups of a universally unique identifier (RFC 9562).
const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// Characters of an international bank account number (ISO 13616), the shortest and the longest.
const IBAN_CHARS: std::ops::RangeInclusive<usize> = 15..=34;

/// The name that begins with the word `first` at the start of `text`, and ends after it.
pub(super) fn read_joined(before: &str, first: &str, text: &str) -> Option<Joined> {
    // Most words end before a space or a comma.
    match text.as_bytes().get(first.len()) {
        Some(b'-') => uuid(first, text),
        Some(b'.' | b'@' | b':') => dotted(before, first, text),
        Some(b'+' | b'#') => with_sign(first, text),
        Some(b' ') if first.len() == 4 => account(first, text),
        _ => dot_first(before, first),
    }
    .or_else(|| dot_first(before, first))
}

/// Words with dots, at signs or double colons between them.
fn dotted(before: &str, first: &str, text: &str) -> Option<Joined> {
    let mut end = first.len();
    let mut all_initials = is_initial(first);
    while let Some(next) = next_word(text, end) {
        let next_end = word_end(text, next);
        let word = &text[next..next_end];
        // A full stop whose space is missing.
        if text[..next].ends_with('.') && is_capitalised(word) {
            break;
        }
        all_initials &= is_initial(word) && text[..next].ends_with('.');
        end = next_end;
    }
    if end == first.len() {
        return None;
    }
    if all_initials {
        let whole = text[..end].chars().filter(|&c| c != '.').collect();
        end += usize::from(text[end..].starts_with('.'));
        return Some(Joined { whole, end, inside: Inside::Nothing });
    }
    let dot = if begins_with_dot(before) { "." } else { "" };
    let whole = format!("{dot}{}", &text[..end]);
    Some(Joined { whole, end, inside: Inside::Names })
}

/// The byte of the word that a sign joins to what ends at `end`.
fn next_word(text: &str, end: usize) -> Option<usize> {
    let after = &text[end..];
    let sign = ["::", ".", "@"].into_iter().find(|sign| after.starts_with(sign))?;
    starts_within_word(&after[sign.len()..]).then_some(end + sign.len())
}

fn is_initial(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

fn is_capitalised(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.next().is_some_and(char::is_lowercase)
}

/// `.NET`, `.env`.
fn dot_first(before: &str, first: &str) -> Option<Joined> {
    let is_name = begins_with_dot(before)
        && first.chars().all(|c| c.is_ascii_alphabetic())
        && !is_capitalised(first);
    is_name.then(|| Joined { whole: format!(".{first}"), end: first.len(), inside: Inside::Names })
}

/// Whether a dot that ends no sentence and no word stands before.
fn begins_with_dot(before: &str) -> bool {
    before.strip_suffix('.').is_some_and(|before| {
        before.chars().next_back().is_none_or(|c| matches!(c, ' ' | '\n' | '(' | '"' | '`' | '/'))
    })
}

/// `C++` and `C#`.
fn with_sign(first: &str, text: &str) -> Option<Joined> {
    let sign = if text[first.len()..].starts_with("++") {
        "++"
    } else if text[first.len()..].starts_with('#') && is_initial(first) {
        "#"
    } else {
        return None;
    };
    let end = first.len() + sign.len();
    let ends_there = first.chars().all(char::is_alphabetic) && !starts_within_word(&text[end..]);
    ends_there.then(|| Joined { whole: text[..end].to_owned(), end, inside: Inside::Nothing })
}

fn uuid(first: &str, text: &str) -> Option<Joined> {
    if first.len() != UUID_GROUPS[0] {
        return None;
    }
    let end = UUID_GROUPS.iter().sum::<usize>() + UUID_GROUPS.len() - 1;
    let written = text.get(..end)?;
    let mut groups = written.split('-');
    let is_uuid = UUID_GROUPS.iter().all(|&length| {
        let group = groups.next().unwrap_or("");
        group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    (is_uuid && !starts_within_word(&text[end..])).then(|| Joined {
        whole: written.replace('-', ""),
        end,
        inside: Inside::Bits,
    })
}

/// `DE89 3704 0044 0532 0130 00`
fn account(first: &str, text: &str) -> Option<Joined> {
    let is_start = first.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && first.bytes().skip(2).all(|byte| byte.is_ascii_digit());
    if !is_start {
        return None;
    }
    let mut whole = first.to_owned();
    let mut end = first.len();
    // Groups of four, the last one perhaps shorter.
    while whole.len().is_multiple_of(4)
        && whole.len() < *IBAN_CHARS.end()
        && text[end..].starts_with(' ')
    {
        let group_end = word_end(text, end + 1);
        let group = &text[end + 1..group_end];
        let is_group = (1..=4).contains(&group.len())
            && group.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        if !is_group {
            break;
        }
        whole.push_str(group);
        end = group_end;
    }
    IBAN_CHARS.contains(&whole.len()).then_some(Joined { whole, end, inside: Inside::Bits })
}

/// `1.2.3` of `v1.2.3`.
pub(super) fn without_letter_of_version(whole: &str) -> Option<&str> {
    let version = whole.strip_prefix(['v', 'V'])?;
    let is_version = version.chars().all(|c| c == '.' || c.is_ascii_digit());
    (is_version && version.contains('.')).then_some(version)
}

/// Letters of the halves of `wi-fi` and `sci-fi`, which are words of their own in no text.
const SHORT_HALF: usize = 3;

/// `covid-19` and `e-mail` without their hyphens, as others write them.
pub(super) fn without_hyphens(first: &str, text: &str) -> Option<String> {
    if !text[first.len()..].starts_with('-') || !first.chars().all(char::is_alphabetic) {
        return None;
    }
    let mut joined = first.to_owned();
    let mut end = first.len();
    let mut numbered = 0;
    let mut words = 1;
    while text[end..].starts_with('-') && starts_within_word(&text[end + 1..]) {
        if words == 4 {
            return None;
        }
        let next_end = word_end(text, end + 1);
        let word = &text[end + 1..next_end];
        numbered += usize::from(word.chars().any(char::is_numeric));
        words += 1;
        joined.push_str(word);
        end = next_end;
    }
    let is_short = |word: &str| word.chars().count() <= SHORT_HALF;
    // Where there is no case, what is short and joined is said twice, as in Hindi.
    let halves_of_word = words == 2
        && first.chars().all(|c| c.is_lowercase() || c.is_uppercase())
        && (is_initial(first) || (is_short(first) && is_short(&joined[first.len()..])));
    (words > 1 && (numbered == words - 1 || (numbered == 0 && halves_of_word))).then_some(joined)
}
