//! Searching.

use std::time::{Duration, SystemTime};

use memoryd_proto::v1::{self, SearchRequest};

use super::filter::Filter;
use crate::attempts::Deadline;
use crate::client::MemoryClient;
use crate::connection::Lease;
use crate::error::Error;
use crate::hits::Hits;
use crate::scope::Scope;

/// What a search goes by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// Words and meaning; by words only on a server without an embedder.
    #[default]
    Hybrid,
    /// Words only.
    Lexical,
    /// Meaning only. An error on a server without an embedder.
    Semantic,
}

impl From<SearchMode> for v1::SearchMode {
    fn from(mode: SearchMode) -> Self {
        match mode {
            SearchMode::Hybrid => Self::Hybrid,
            SearchMode::Lexical => Self::Lexical,
            SearchMode::Semantic => Self::Semantic,
        }
    }
}

/// A call that finds entries; made by [`Scope::search`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct Search {
    client: MemoryClient,
    request: SearchRequest,
    timeout: Duration,
}

impl Search {
    pub(crate) fn new(scope: &Scope, query: String) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        let request =
            SearchRequest { app_name, user_id, project_id, query, ..SearchRequest::default() };
        let timeout = client.settings().call_timeout;
        Self { client, request, timeout }
    }

    /// How many hits at most. Default: 10. With 0 only the totals come.
    pub fn limit(mut self, hits: u32) -> Self {
        self.request.limit = Some(hits);
        self
    }

    /// Only hits of at least this score, 0 to 1. From 0.5 on a hit is worth showing to an agent.
    pub fn min_score(mut self, score: f32) -> Self {
        self.request.min_score = Some(score);
        self
    }

    /// Goes by words, by meaning, or by both (the default).
    pub fn mode(mut self, mode: SearchMode) -> Self {
        self.request.mode = v1::SearchMode::from(mode).into();
        self
    }

    /// Only entries that pass this filter.
    pub fn filter(mut self, filter: Filter) -> Self {
        self.request.filter = Some(filter.into());
        self
    }

    /// Brings with each hit up to so many entries before and after it from its session: 0 to 5.
    pub fn context(mut self, entries: u32) -> Self {
        self.request.context = entries;
        self
    }

    /// Tells with each hit why it matched.
    pub fn explain(mut self) -> Self {
        self.request.explain = true;
        self
    }

    /// Leaves blobs out; their size and digest stay.
    pub fn omit_blobs(mut self) -> Self {
        self.request.omit_blobs = true;
        self
    }

    /// The time that words such as "last week" in the query refer to. Default: now.
    pub fn reference_time(mut self, time: SystemTime) -> Self {
        self.request.reference_time = Some(time.into());
        self
    }

    /// How long the search may take, to the last hit. Default: the client's call timeout.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sends the call, and returns when the first hit is there or it is known that there is none.
    ///
    /// # Errors
    ///
    /// Any [`Error`]. What fails before the first hit is retried; later errors come from the stream.
    pub async fn send(self) -> Result<Hits, Error> {
        let Self { client, request, timeout } = self;
        let deadline = Deadline::after(timeout);
        let attempt = |lease: Lease| {
            let question = deadline.stamp(request.clone());
            async move {
                let answer = lease.memory().search(question).await;
                let answer = answer.map_err(|status| deadline.error(status))?;
                Hits::begin(answer, deadline, lease).await
            }
        };
        client.attempts("Search", deadline, attempt).await
    }
}
