//! Texts no longer than a model can make use of.

/// The longest start of `text` that has at most `most` bytes and ends between two characters.
pub(super) fn cut(text: &str, most: usize) -> &str {
    // floor_char_boundary answers the length for an index beyond it.
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_cut_never_falls_inside_a_character() {
        assert_eq!(cut("déjà", 2), "d");
        assert_eq!(cut("déjà", 3), "dé");
        assert_eq!(cut("用户", 2), "");
        assert_eq!(cut("用户", 100), "用户");
        assert_eq!(cut("", 0), "");
    }
}
