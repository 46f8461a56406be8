//! Umlauts of German as they are written without the letters for them: Mueller, Koeln, Maerz.

use std::borrow::Cow;

/// `stem` with one vowel for each two that may be a transcribed umlaut, so that it equals what
/// folding leaves of the letter. Between consonants only: Dauer, Poesie and Frauen keep theirs.
pub(super) fn without_transcribed_umlauts(stem: &str) -> Cow<'_, str> {
    let Some(first) = transcription(stem, 0) else {
        return Cow::Borrowed(stem);
    };
    let mut changed = String::with_capacity(stem.len());
    let mut copied = 0;
    let mut next = Some(first);
    while let Some(at) = next {
        changed.push_str(&stem[copied..=at]);
        copied = at + 2;
        next = transcription(stem, copied);
    }
    changed.push_str(&stem[copied..]);
    Cow::Owned(changed)
}

/// The byte of the next transcribed umlaut at or after `from`.
fn transcription(stem: &str, from: usize) -> Option<usize> {
    let bytes = stem.as_bytes();
    let is_consonant = |at: usize| bytes.get(at).is_some_and(|byte| !b"aeiouyq".contains(byte));
    (from..bytes.len().saturating_sub(2)).find(|&at| {
        matches!(bytes[at], b'a' | b'o' | b'u')
            && bytes[at + 1] == b'e'
            && (at == 0 || is_consonant(at - 1))
            && is_consonant(at + 2)
    })
}

#[cfg(test)]
mod tests {
    use super::without_transcribed_umlauts;

    #[test]
    fn a_transcribed_umlaut_is_one_vowel() {
        for (stem, folded) in [
            ("mueller", "muller"),
            ("koeln", "koln"),
            ("uebung", "ubung"),
            ("maerchenfuehrer", "marchenfuhrer"),
            ("dauer", "dauer"),
            ("frauen", "frauen"),
            ("quelle", "quelle"),
            ("issue", "issue"),
            ("ue", "ue"),
            ("e", "e"),
            ("", ""),
        ] {
            assert_eq!(without_transcribed_umlauts(stem), folded);
        }
    }
}
