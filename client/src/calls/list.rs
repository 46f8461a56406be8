//! Listing by time.

use memoryd_proto::v1::{Entry, ListEntriesRequest, ListEntriesResponse};

use super::filter::Filter;
use crate::client::MemoryClient;
use crate::error::Error;
use crate::scope::Scope;

/// The server's own ceiling of a page, in entries.
const MAX_PAGE_SIZE: u32 = 1_000;

/// A call that lists entries, newest first; made by [`Scope::list`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct ListEntries {
    client: MemoryClient,
    request: ListEntriesRequest,
}

impl ListEntries {
    pub(crate) fn new(scope: &Scope) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        let request =
            ListEntriesRequest { app_name, user_id, project_id, ..ListEntriesRequest::default() };
        Self { client, request }
    }

    /// Only entries that pass this filter.
    pub fn filter(mut self, filter: Filter) -> Self {
        self.request.filter = Some(filter.into());
        self
    }

    /// How many entries a page holds at most: 1 to 1,000. Default: 100. A page may hold fewer.
    pub fn page_size(mut self, entries: u32) -> Self {
        self.request.page_size = entries;
        self
    }

    /// Goes on after the page that gave this token. Everything else, the page's size apart, must be
    /// as it was in that call.
    pub fn after(mut self, next_page_token: impl Into<String>) -> Self {
        self.request.page_token = next_page_token.into();
        self
    }

    /// Leaves blobs out; their size and digest stay.
    pub fn omit_blobs(mut self) -> Self {
        self.request.omit_blobs = true;
        self
    }

    /// Reads one page. Only an empty `next_page_token` tells that it was the last one.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; one of code `InvalidArgument` for a token of another listing.
    pub async fn send(self) -> Result<ListEntriesResponse, Error> {
        let Self { client, request } = self;
        page(&client, request).await
    }

    /// Reads as many pages as it takes to have `limit` entries, or all. Each page is a call with a
    /// time limit of its own.
    ///
    /// # Errors
    ///
    /// Any [`Error`] of any page.
    pub async fn take(self, limit: usize) -> Result<Vec<Entry>, Error> {
        let Self { client, mut request } = self;
        let mut entries = Vec::new();
        while entries.len() < limit {
            let missing = u32::try_from(limit - entries.len()).unwrap_or(u32::MAX);
            request.page_size = missing.min(MAX_PAGE_SIZE);
            let answer = page(&client, request.clone()).await?;
            entries.extend(answer.entries);
            if answer.next_page_token.is_empty() {
                break;
            }
            request.page_token = answer.next_page_token;
        }
        // A server with a larger page than asked for would be wrong, not harmful.
        entries.truncate(limit);
        Ok(entries)
    }
}

async fn page(
    client: &MemoryClient,
    request: ListEntriesRequest,
) -> Result<ListEntriesResponse, Error> {
    client
        .unary("ListEntries", request, |lease, request| async move {
            lease.memory().list_entries(request).await
        })
        .await
}
