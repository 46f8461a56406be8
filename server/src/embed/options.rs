//! Which embedder, and how to treat it, as values.

use std::time::Duration;

use super::choice::EmbedderChoice;
use super::secret::Secret;

/// Which embedder, and how to treat it.
#[derive(Debug, Clone)]
pub struct EmbedOptions {
    /// Which one.
    pub choice: EmbedderChoice,
    /// The model that an endpoint is asked for; it must be told.
    pub model: Option<String>,
    /// The key of an endpoint, sent as a bearer token.
    pub key: Option<Secret>,
    /// Numbers in a vector that an endpoint is asked for, 1 to [`Self::MOST_DIMENSIONS`]; unset: as the model has.
    pub dimensions: Option<usize>,
    /// The likeness (cosine, above 0, at most 1) from which on an entry is a hit by its meaning alone; unset: as
    /// measured for built-in models, [`Self::ENDPOINT_FLOOR`] for an endpoint.
    pub floor: Option<f64>,
    /// How long one request to an endpoint may take while entries are embedded.
    pub entry_timeout: Duration,
    /// How long a search waits for an endpoint, all in all; then words find alone.
    pub query_timeout: Duration,
}

impl EmbedOptions {
    /// Floor of an endpoint: models differ, so it is on the careful side of those that spread their
    /// cosines. Models that press all cosines into .7 to 1 need a higher one.
    pub const ENDPOINT_FLOOR: f64 = 0.40;
    /// The longest vectors taken: one must fit a row of the store, at a byte for each number.
    pub const MOST_DIMENSIONS: usize = 3_584;
    /// Default of [`Self::entry_timeout`].
    pub const ENTRY_TIMEOUT: Duration = Duration::from_secs(30);
    /// Default of [`Self::query_timeout`].
    pub const QUERY_TIMEOUT: Duration = Duration::from_secs(2);

    /// All that is wrong with the options together, in words for whoever set them.
    pub fn mistakes(&self) -> Vec<String> {
        let Self { choice, model, key, dimensions, floor, entry_timeout, query_timeout } = self;
        let mut mistakes = Vec::new();
        let mut unless = |fine: bool, mistake: &str| {
            if !fine {
                mistakes.push(mistake.to_owned());
            }
        };
        if matches!(choice, EmbedderChoice::Endpoint(_)) {
            unless(
                model.as_ref().is_some_and(|name| !name.trim().is_empty()),
                "--embedder-model must be given with --embedder openai:URL, such as text-embedding-3-small",
            );
        } else {
            let only = |option| format!("{option} is for --embedder openai:URL only");
            unless(model.is_none(), &only("--embedder-model"));
            unless(dimensions.is_none(), &only("--embedder-dimensions"));
            unless(key.is_none(), &only("--embedder-key-file"));
        }
        unless(
            dimensions.is_none_or(|count| (1..=Self::MOST_DIMENSIONS).contains(&count)),
            "--embedder-dimensions must be from 1 to 3584",
        );
        unless(
            floor.is_none_or(|floor| floor > 0.0 && floor <= 1.0),
            "--embedder-floor must be above 0, at most 1",
        );
        unless(
            floor.is_none() || *choice != EmbedderChoice::None,
            "--embedder-floor needs an embedder, --embedder is 'none'",
        );
        unless(!entry_timeout.is_zero(), "--embedder-timeout-seconds must be above 0");
        unless(!query_timeout.is_zero(), "--embedder-query-timeout-ms must be above 0");
        mistakes
    }
}

impl Default for EmbedOptions {
    fn default() -> Self {
        Self {
            choice: EmbedderChoice::default(),
            model: None,
            key: None,
            dimensions: None,
            floor: None,
            entry_timeout: Self::ENTRY_TIMEOUT,
            query_timeout: Self::QUERY_TIMEOUT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EmbedOptions;
    use crate::embed::{EmbedderChoice, Secret};

    fn endpoint() -> EmbedOptions {
        EmbedOptions {
            choice: "openai:https://api.openai.com".parse().unwrap(),
            model: Some("text-embedding-3-small".to_owned()),
            ..EmbedOptions::default()
        }
    }

    #[test]
    fn the_defaults_fit_together() {
        assert_eq!(EmbedOptions::default().mistakes(), Vec::<String>::new());
        assert_eq!(endpoint().mistakes(), Vec::<String>::new());
    }

    #[test]
    fn an_endpoint_needs_a_model() {
        for model in [None, Some(" ".to_owned())] {
            let told = EmbedOptions { model, ..endpoint() }.mistakes();
            assert!(told.iter().any(|mistake| mistake.contains("--embedder-model")), "{told:?}");
        }
    }

    #[test]
    fn options_of_an_endpoint_without_one_are_all_told() {
        let choice = EmbedderChoice::None;
        let key = Secret::new("k");
        let told = EmbedOptions { choice, key, dimensions: Some(3), ..endpoint() }.mistakes();
        assert_eq!(told.len(), 3, "{told:?}");
    }

    #[test]
    fn numbers_out_of_range_are_told() {
        for floor in [f64::NAN, 0.0, -0.1, 1.1] {
            assert_eq!(EmbedOptions { floor: Some(floor), ..endpoint() }.mistakes().len(), 1);
        }
        for dimensions in [0, 3_585] {
            let options = EmbedOptions { dimensions: Some(dimensions), ..endpoint() };
            assert_eq!(options.mistakes().len(), 1);
        }
    }
}
