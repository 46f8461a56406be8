//! How a term is written in the index.

/// Stands before a stop word in the index. Stop words are held unstemmed and apart from other
/// terms, or "willing", whose stem is "will", would find every entry that says "will". No word
/// holds this character, since it separates words.
const STOP_MARK: u8 = 0;

/// Appends the index's form of a term.
pub(super) fn push_index_form(text: &str, stop: bool, form: &mut String) {
    if stop {
        form.push(char::from(STOP_MARK));
    }
    form.push_str(text);
}

/// Whether an index form, given in bytes, is a stop word's.
pub(in crate::recall) fn is_stop_form(form: &[u8]) -> bool {
    form.first() == Some(&STOP_MARK)
}

/// The term of an index form as a reader should see it.
pub fn readable_term(form: &str) -> &str {
    form.trim_start_matches(char::from(STOP_MARK))
}
