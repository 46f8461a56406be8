//! Reading one entry.

use memoryd_proto::v1::{Entry, GetEntryRequest};

use crate::client::MemoryClient;
use crate::error::Error;
use crate::scope::Scope;

/// A call that reads one entry; made by [`Scope::entry`].
#[derive(Debug, Clone)]
#[must_use = "a call does nothing until it is sent"]
pub struct GetEntry {
    client: MemoryClient,
    request: GetEntryRequest,
}

impl GetEntry {
    pub(crate) fn new(scope: &Scope, entry_id: String) -> Self {
        let Scope { client, app_name, user_id, project_id } = scope.clone();
        let request =
            GetEntryRequest { app_name, user_id, project_id, entry_id, omit_blobs: false };
        Self { client, request }
    }

    /// Leaves blobs out; their size and digest stay.
    pub fn omit_blobs(mut self) -> Self {
        self.request.omit_blobs = true;
        self
    }

    /// Sends the call.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; one of code `NotFound` when this scope has no such entry.
    pub async fn send(self) -> Result<Entry, Error> {
        let Self { client, request } = self;
        let answer = client
            .unary("GetEntry", request, |lease, request| async move {
                lease.memory().get_entry(request).await
            })
            .await?;
        answer.entry.ok_or_else(|| Error::InvalidReply("GetEntry without an entry".to_owned()))
    }
}
