//! Which entries a search or a listing looks at.

use std::time::SystemTime;

use memoryd_proto::v1::{EntryFilter, MetadataCondition};

/// Narrows a search or a listing. Each kind of condition that is given must hold; several values
/// of one kind are alternatives. A filter applies before any limit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    wire: EntryFilter,
}

impl Filter {
    /// A filter that lets everything pass.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Entries of this session; call again for alternatives.
    #[must_use]
    pub fn session(mut self, session_id: impl Into<String>) -> Self {
        self.wire.session_ids.push(session_id.into());
        self
    }

    /// Entries of this author, compared exactly; call again for alternatives.
    #[must_use]
    pub fn author(mut self, author: impl Into<String>) -> Self {
        self.wire.authors.push(author.into());
        self
    }

    /// Entries said at this time or later.
    #[must_use]
    pub fn since(mut self, time: SystemTime) -> Self {
        self.wire.start_time = Some(time.into());
        self
    }

    /// Entries said before this time.
    #[must_use]
    pub fn before(mut self, time: SystemTime) -> Self {
        self.wire.end_time = Some(time.into());
        self
    }

    /// Entries whose metadata object has this member, equal to one of these JSON values given as
    /// text, or with any value when none is given. Several conditions must all hold.
    #[must_use]
    pub fn metadata<V: Into<String>>(
        mut self,
        key: impl Into<String>,
        values_json: impl IntoIterator<Item = V>,
    ) -> Self {
        self.wire.metadata.push(MetadataCondition {
            key: key.into(),
            values_json: values_json.into_iter().map(Into::into).collect(),
        });
        self
    }
}

impl From<Filter> for EntryFilter {
    fn from(filter: Filter) -> Self {
        filter.wire
    }
}

impl From<EntryFilter> for Filter {
    fn from(wire: EntryFilter) -> Self {
        Self { wire }
    }
}
