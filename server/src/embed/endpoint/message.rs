//! What a server says about a refusal, safe to log.

use serde::Deserialize;

use crate::embed::cut::cut;

/// What is kept of a server's message, in bytes.
const MESSAGE_BYTES: usize = 300;
/// What is read of a refusal, in bytes.
pub(super) const REFUSAL_BYTES: u64 = 64 * 1024;
/// A run of this many bytes of a message that is also in what was sent is taken for a quotation of it.
const QUOTED_BYTES: usize = 12;

/// The shapes of refusals: OpenAI's and most, vLLM's, FastAPI's, Ollama's.
#[derive(Deserialize)]
#[serde(untagged)]
enum Refusal {
    Nested { error: Inner },
    Flat { error: String },
    Message { message: String },
    Detail { detail: String },
}

#[derive(Deserialize)]
struct Inner {
    message: String,
}

/// The message in the body of a refusal, on one line and capped; never any other part of the body, which
/// may repeat what was sent, nor a message that quotes one of `secrets`, the texts and the key.
pub(super) fn message(body: &[u8], secrets: &[&str]) -> String {
    let said = match serde_json::from_slice(body) {
        Ok(Refusal::Nested { error: Inner { message } }) => message,
        Ok(Refusal::Flat { error: message })
        | Ok(Refusal::Message { message })
        | Ok(Refusal::Detail { detail: message }) => message,
        Err(_) => return "no message".to_owned(),
    };
    let said: String =
        said.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let said = cut(said.trim(), MESSAGE_BYTES);
    if quotes(said, secrets) {
        return "a message that quotes what was sent, left out here".to_owned();
    }
    said.to_owned()
}

/// Whether `said` repeats a secret, or a part of one that is longer than twice [`QUOTED_BYTES`].
fn quotes(said: &str, secrets: &[&str]) -> bool {
    let runs: Vec<&str> = said
        .char_indices()
        .scan(0, |next, (at, _)| {
            let due = at >= *next;
            if due {
                *next = at + QUOTED_BYTES;
            }
            Some(due.then_some(at))
        })
        .flatten()
        .filter_map(|at| said.get(at..said.ceil_char_boundary(at + QUOTED_BYTES)))
        .filter(|run| run.len() >= QUOTED_BYTES)
        .collect();
    secrets.iter().any(|secret| {
        let whole = secret.trim();
        (whole.len() > 3 && said.contains(whole)) || runs.iter().any(|run| secret.contains(run))
    })
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn the_message_is_found_in_every_known_shape() {
        for body in [
            r#"{"error":{"message":"no such model","type":"invalid_request_error"}}"#,
            r#"{"error":"no such model","error_type":"Validation"}"#,
            r#"{"object":"error","message":"no such model","code":404}"#,
            r#"{"detail":"no such model"}"#,
        ] {
            assert_eq!(message(body.as_bytes(), &[]), "no such model", "{body}");
        }
    }

    #[test]
    fn the_rest_of_a_refusal_is_never_told() {
        for body in [
            r#"{"detail":[{"msg":"bad","input":"my diary"}]}"#,
            "<html>my diary</html>",
            "my diary",
            "",
        ] {
            assert_eq!(message(body.as_bytes(), &["my diary"]), "no message");
        }
    }

    #[test]
    fn a_message_is_capped_and_on_one_line() {
        let body = format!(r#"{{"error":"a\nb{}"}}"#, "ü".repeat(5_000));
        let told = message(body.as_bytes(), &[]);
        assert!(told.len() <= 300 && told.starts_with("a b"), "{told}");
    }

    #[test]
    fn a_message_that_quotes_a_text_is_left_out() {
        let text = "Dear diary, today I met Ünal at the harbour and we talked for hours.";
        for quoted in [text, "today I met Ünal at the harbour", "met Ünal at the harbour and we"]
        {
            let body = format!(r#"{{"error":"can't read '{quoted}'"}}"#);
            let told = message(body.as_bytes(), &["other", text]);
            assert!(!told.contains("harbour"), "{told}");
        }
        let told = message(br#"{"error":"can't read 'tea!'"}"#, &["tea!"]);
        assert!(!told.contains("tea"), "{told}");
    }
}
