//! Where an endpoint listens.

use std::net::IpAddr;
use std::str::FromStr;

use http::Uri;

/// Where an endpoint listens.
///
/// A URL with the path `…/embeddings` is asked as it stands; to one that ends in `/v1`, `/embeddings` is
/// added; to any other, `/v1/embeddings`. So `http://localhost:11434`, `http://localhost:11434/v1` and
/// `http://localhost:11434/v1/embeddings` are one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
    host: String,
}

/// Why a URL can't be asked. The URL itself isn't repeated: it may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not a URL.
    #[error("it must start with http:// or https:// and name a host")]
    NotHttp,
    /// A name and a password in it would end up in logs.
    #[error("it must hold no password; give the key with --embedder-key-file")]
    Password,
    /// A query, in which some servers take a key.
    #[error("it must have no '?'; give the key with --embedder-key-file")]
    Query,
}

impl Address {
    /// The full URL of the requests.
    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// Host, with the port where the URL has one: for names and messages.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether requests stay on this machine.
    pub fn is_loopback(&self) -> bool {
        let host = self.uri.host().unwrap_or_default().trim_matches(['[', ']']);
        host.eq_ignore_ascii_case("localhost")
            || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Whether what is sent can be read on the way.
    pub(super) fn is_plain(&self) -> bool {
        self.uri.scheme_str() == Some("http")
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let given: Uri = text.parse().map_err(|_| AddressError::NotHttp)?;
        let scheme = given.scheme_str().filter(|scheme| matches!(*scheme, "http" | "https"));
        let (Some(scheme), Some(authority)) = (scheme, given.authority()) else {
            return Err(AddressError::NotHttp);
        };
        if authority.as_str().contains('@') {
            return Err(AddressError::Password);
        }
        if given.query().is_some() {
            return Err(AddressError::Query);
        }
        if authority.host().is_empty() {
            return Err(AddressError::NotHttp);
        }
        let path = given.path().trim_end_matches('/');
        let added = match path.rsplit('/').next() {
            Some("embeddings") => "",
            Some("v1") => "/embeddings",
            _ => "/v1/embeddings",
        };
        let uri = format!("{scheme}://{authority}{path}{added}");
        let uri = uri.parse().map_err(|_| AddressError::NotHttp)?;
        Ok(Self { uri, host: authority.as_str().to_ascii_lowercase() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, AddressError};

    fn asked(url: &str) -> String {
        url.parse::<Address>().unwrap().uri().to_string()
    }

    #[test]
    fn a_url_is_taken_with_or_without_the_end_of_its_path() {
        for end in ["", "/", "/v1", "/v1/", "/v1/embeddings", "/v1/embeddings/"] {
            let url = format!("http://localhost:11434{end}");
            assert_eq!(asked(&url), "http://localhost:11434/v1/embeddings", "{url}");
        }
        assert_eq!(asked("https://host/llm"), "https://host/llm/v1/embeddings");
        assert_eq!(
            asked("https://host/v1beta/openai/embeddings"),
            "https://host/v1beta/openai/embeddings"
        );
    }

    #[test]
    fn what_is_no_http_url_is_refused() {
        for url in
            ["", "localhost:11434", "ftp://host", "http://", "/v1", "http://:80", "http://a b"]
        {
            assert_eq!(url.parse::<Address>(), Err(AddressError::NotHttp), "{url}");
        }
    }

    #[test]
    fn a_url_with_a_secret_in_it_is_refused() {
        assert_eq!("http://me:pw@host".parse::<Address>(), Err(AddressError::Password));
        assert_eq!("http://host/v1?key=pw".parse::<Address>(), Err(AddressError::Query));
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (url, loopback) in [
            ("http://localhost:1", true),
            ("http://127.0.0.2", true),
            ("http://[::1]:8080/v1", true),
            ("http://localhost.example.org", false),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(url.parse::<Address>().unwrap().is_loopback(), loopback, "{url}");
        }
    }
}
