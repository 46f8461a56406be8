//! A key that no log, error or debug output ever shows.

use std::fmt;

use zeroize::Zeroizing;

/// The key of an endpoint.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes `text` without the white space around it, such as the line end of a file.
    ///
    /// `None` if nothing is left, or a character that a header can't carry: only visible ASCII can be
    /// sent.
    pub fn new(text: &str) -> Option<Self> {
        let key = text.trim();
        let sendable = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        sendable.then(|| Self(Zeroizing::new(key.to_owned())))
    }

    /// The key itself, for the one header it is sent in.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Secret;

    #[test]
    fn a_key_is_taken_without_its_line_end_and_never_shown() {
        let key = Secret::new(" sk-1234\r\n").unwrap();
        assert_eq!(key.expose(), "sk-1234");
        assert!(!format!("{key:?}").contains("1234"));
    }

    #[test]
    fn what_a_header_cannot_carry_is_no_key() {
        for text in ["", " \n", "two words", "line\nline", "schlüssel", "nul\0"] {
            assert_eq!(Secret::new(text), None, "{text:?}");
        }
    }
}
