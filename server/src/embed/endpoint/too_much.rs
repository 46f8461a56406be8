//! Requests that are more than the server takes at once.
//!
//! How many tokens a text has, how many texts a server takes, and how fast it is, only the server knows;
//! and one text too long fails all that were sent with it, now and at every later attempt. So such a
//! request is made again in parts, and a text that stands alone and is still too long is halved: its
//! start is embedded, as other servers cut by themselves.

use crate::embed::EmbedError;
use crate::embed::cut::cut;

/// A text of so many bytes isn't halved any more: every model takes it, something else is wrong.
const SHORT_BYTES: usize = 256;

/// What to send instead of `texts`, which failed like this; `None` if less of it would fail as well.
pub(super) fn parts<'a>(texts: &[&'a str], error: &EmbedError) -> Option<Vec<Vec<&'a str>>> {
    let of = |count: usize| {
        let most = texts.len().div_ceil(count);
        Some(texts.chunks(most).map(<[&str]>::to_vec).collect())
    };
    match texts {
        [] => None,
        [text] if is_too_much(error) && text.len() > SHORT_BYTES => {
            Some(vec![vec![cut(text, text.len() / 2)]])
        }
        [_] => None,
        // Each part may take as long again: few steps down to one.
        _ if matches!(error, EmbedError::TimedOut { .. }) => of(4),
        _ if is_too_much(error) => of(2),
        _ => None,
    }
}

/// Whether a server refuses because of how much it got. There is no code for it: 413 means it, and of the
/// general refusals those that talk of tokens or batches (OpenAI, vLLM, llama.cpp, TEI).
fn is_too_much(error: &EmbedError) -> bool {
    match error {
        EmbedError::Refused { status: 413, .. } => true,
        EmbedError::Refused { status: 400 | 422, message, .. }
        | EmbedError::Busy { status: 500, message, .. } => {
            let message = message.to_lowercase();
            ["token", "context length", "batch"].iter().any(|word| message.contains(word))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::parts;
    use crate::embed::EmbedError;

    fn refused(status: u16, message: &str) -> EmbedError {
        let (host, message) = ("host".to_owned(), message.to_owned());
        EmbedError::Refused { host, status, message }
    }

    #[test]
    fn only_a_refusal_that_speaks_of_size_is_made_again_in_parts() {
        for error in [
            refused(413, "no message"),
            refused(400, "This model's maximum context length is 8192 tokens"),
            refused(422, "`inputs` must have less than 512 tokens. Given: 600"),
            refused(422, "batch size 64 > maximum allowed batch size 32"),
        ] {
            assert_eq!(parts(&["a", "b", "c"], &error), Some(vec![vec!["a", "b"], vec!["c"]]));
        }
        for error in [refused(400, "no such model"), refused(401, "bad token")] {
            assert_eq!(parts(&["a", "b"], &error), None, "{error}");
        }
    }

    #[test]
    fn a_text_alone_is_halved_until_it_is_short() {
        let error = refused(413, "no message");
        let long = "ö".repeat(400);
        assert_eq!(parts(&[&long], &error), Some(vec![vec!["ö".repeat(200).as_str()]]));
        assert_eq!(parts(&["short"], &error), None);
        assert_eq!(parts(&[], &error), None);
    }

    #[test]
    fn a_batch_that_takes_too_long_is_quartered_and_a_text_alone_is_not() {
        let error = EmbedError::TimedOut { host: "host".to_owned(), waited: Duration::ZERO };
        let texts = vec!["text"; 10];
        let sizes: Vec<_> = parts(&texts, &error).unwrap().iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 3, 3, 1]);
        assert_eq!(parts(&["x".repeat(9999).as_str()], &error), None);
    }
}
