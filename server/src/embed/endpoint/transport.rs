//! One request to an endpoint, and what became of it.

use std::io::Read;
use std::time::{Duration, Instant};

use chrono::Utc;
use http::header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, Response};
use ureq::{Agent, Body};

use super::address::Address;
use super::message::{REFUSAL_BYTES, message};
use super::patience::retry_after;
use crate::embed::{AnswerFault, EmbedError, OpenError, Secret};

/// The longest answer taken, in bytes.
const ANSWER_BYTES: u64 = 64 * 1024 * 1024;
/// The longest a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends requests to one address.
pub(super) struct Transport {
    address: Address,
    /// Keeps connections open between requests.
    agent: Agent,
    authorization: Option<HeaderValue>,
    /// To know it again in what a server says.
    key: Option<Secret>,
}

impl Transport {
    pub(super) fn new(address: Address, key: Option<&Secret>) -> Result<Self, OpenError> {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect would take texts and key to a place that nobody configured.
            .max_redirects(0)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .user_agent(concat!("memoryd/", env!("CARGO_PKG_VERSION")));
        // The proxy of the environment knows no loopback of ours.
        let config = if address.is_loopback() { config.proxy(None) } else { config };
        let authorization = key
            .map(|key| HeaderValue::try_from(format!("Bearer {}", key.expose())))
            .transpose()
            .map_err(|_| OpenError::Address("the key can't be sent in a header".to_owned()))?
            .map(|mut value| {
                value.set_sensitive(true);
                value
            });
        let agent = config.build().new_agent();
        Ok(Self { address, agent, authorization, key: key.cloned() })
    }

    pub(super) fn host(&self) -> &str {
        self.address.host()
    }

    /// Sends `body`, which holds `texts`; the answer of a success. `timeout` is for everything, from
    /// resolving the name to the last byte.
    pub(super) fn post(
        &self,
        body: &[u8],
        texts: &[&str],
        timeout: Duration,
    ) -> Result<Vec<u8>, EmbedError> {
        let start = Instant::now();
        let mut request = self
            .agent
            .post(self.address.uri())
            .config()
            .timeout_global(Some(timeout))
            .build()
            .header(CONTENT_TYPE, "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        let failed = |error| self.failed(error, start);
        let response = request.send(body).map_err(failed)?;
        if !response.status().is_success() {
            return Err(self.refused(response, texts));
        }
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        let mut answer = Vec::new();
        reader
            .take(ANSWER_BYTES + 1)
            .read_to_end(&mut answer)
            .map_err(|error| failed(ureq::Error::from(error)))?;
        if answer.len() as u64 > ANSWER_BYTES {
            let fault = AnswerFault::TooLong { most: ANSWER_BYTES };
            return Err(EmbedError::Answer { host: self.host().to_owned(), fault });
        }
        Ok(answer)
    }

    /// A request without an answer. What ureq says of it holds names and addresses, no contents.
    fn failed(&self, error: ureq::Error, start: Instant) -> EmbedError {
        let host = self.host().to_owned();
        match error {
            ureq::Error::Timeout(_) => EmbedError::TimedOut { host, waited: start.elapsed() },
            ureq::Error::Io(cause) => EmbedError::Unreachable { host, cause: cause.to_string() },
            other => EmbedError::Unreachable { host, cause: other.to_string() },
        }
    }

    /// An answer that says no.
    fn refused(&self, response: Response<Body>, texts: &[&str]) -> EmbedError {
        let host = self.host().to_owned();
        let status = response.status().as_u16();
        let asked_for = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after = asked_for.and_then(|value| retry_after(value, Utc::now()));
        let mut body = Vec::new();
        let reader = response.into_body().into_with_config().limit(u64::MAX).reader();
        // A body that breaks off takes nothing from what the status says.
        drop(reader.take(REFUSAL_BYTES).read_to_end(&mut body));
        let secrets: Vec<&str> =
            texts.iter().copied().chain(self.key.as_ref().map(Secret::expose)).collect();
        let message = message(&body, &secrets);
        match status {
            408 | 429 | 500..=599 => EmbedError::Busy { host, status, message, retry_after },
            300..=399 => {
                let message = "it redirects, which is not followed: give the new URL".to_owned();
                EmbedError::Refused { host, status, message }
            }
            _ => EmbedError::Refused { host, status, message },
        }
    }
}
