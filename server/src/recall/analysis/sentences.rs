//! Where a long question comes to its point: its last sentence.

use crate::recall::constants::LONG_QUESTION_SENTENCES;

/// Ends of sentences in scripts that put no space behind them.
const WIDE_ENDS: [char; 4] = ['。', '！', '？', '｡'];

/// Ends of sentences unless a letter or digit follows, as in 3.5 or a file's name.
const ENDS: [char; 5] = ['.', '!', '?', '؟', '।'];

/// The last sentence of a text that has at least [`LONG_QUESTION_SENTENCES`]. An abbreviation ends a
/// sentence too: telling them apart would take a list for every language.
pub(super) fn last_of_many(text: &str) -> Option<&str> {
    let (mut sentences, mut start, mut last) = (0, 0, None);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek();
        let ends = next.is_none()
            || WIDE_ENDS.contains(&character)
            || (ENDS.contains(&character) && next.is_some_and(|(_, next)| !next.is_alphanumeric()));
        if !ends {
            continue;
        }
        let end = at + character.len_utf8();
        let sentence = text.get(start..end).unwrap_or_default();
        start = end;
        if sentence.chars().any(char::is_alphanumeric) {
            sentences += 1;
            last = Some(sentence);
        }
    }
    last.filter(|_| sentences >= LONG_QUESTION_SENTENCES)
}

#[cfg(test)]
mod tests {
    use super::last_of_many;

    #[test]
    fn the_last_of_at_least_three_sentences_is_found() {
        for (text, last) in [
            ("We met. It rained! Where was it?", Some(" Where was it?")),
            ("We met. It rained! Where was it", Some(" Where was it")),
            ("下雨了。我们见了面！在哪里？", Some("在哪里？")),
            ("التقينا. أمطرت. أين كان ذلك؟", Some(" أين كان ذلك؟")),
            ("One. Two. Three... ?!", Some(" Three.")),
            ("We met. Where was it?", None),
            ("Which of 3.5, main.rs and 1.2.3 is it?", None),
            ("?!...", None),
            ("", None),
        ] {
            assert_eq!(last_of_many(text), last, "{text}");
        }
    }
}
