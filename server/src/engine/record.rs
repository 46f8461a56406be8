//! The form in which an entry is kept: a head that fits one row, and a body that may need several.
//!
//! A record is self-describing (it holds its ids in full, not digests) and versioned by protobuf's own
//! rules: fields are added, never reused. The body of a small entry lies in the head; the body of a
//! large one lies in chunk rows of one revision, so that readers of the revision before are never given
//! a mixture.

use bytes::Bytes;
use prost::Message;

use crate::domain::{Author, Entry, EntryBody, EntryId, ProjectId, SessionId, Timestamp};

/// Searchable text up to this many bytes is kept in the head of a chunked entry, so that loading a
/// tenant need not read its blobs.
const HEAD_TEXT_BYTES: usize = 1_024;

/// An entry as stored, but for the bytes of a chunked body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    pub(crate) id: EntryId,
    pub(crate) project_id: Option<ProjectId>,
    pub(crate) session_id: Option<SessionId>,
    pub(crate) author: Author,
    pub(crate) timestamp: Timestamp,
    pub(crate) create_time: Timestamp,
    pub(crate) expire_time: Option<Timestamp>,
    /// Place in the call that added it: entries of one session with one event time keep their order.
    pub(crate) ordinal: u32,
    /// Whether the event time was the caller's; otherwise the entry's identity leaves it out.
    pub(crate) timestamp_given: bool,
    /// Digest of all that the caller gave, to tell UNCHANGED from UPDATED.
    pub(crate) fingerprint: [u8; 32],
    pub(crate) body: StoredBody,
}

/// Where an entry's body is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StoredBody {
    /// In the record: an encoded [`BodyMessage`].
    Inline(Bytes),
    /// In chunk rows.
    Chunked {
        /// Which set of rows.
        revision: u64,
        /// How many rows.
        count: u32,
        /// Sum of the rows' contents, in bytes.
        bytes: u64,
        /// Bytes of each row's content but the last's.
        row_bytes: u32,
        /// How far metadata and text go: what loading and filtering read, without the blobs.
        front_bytes: u64,
        /// The searchable text, when it is short.
        text: Option<String>,
    },
}

/// A stored record that can't be decoded, though its seal was whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a stored record can't be decoded: {0}")]
pub(crate) struct RecordError(String);

#[derive(Clone, PartialEq, Message)]
struct HeadMessage {
    #[prost(string, tag = "1")]
    entry_id: String,
    #[prost(string, optional, tag = "2")]
    project_id: Option<String>,
    #[prost(string, optional, tag = "3")]
    session_id: Option<String>,
    #[prost(string, tag = "4")]
    author: String,
    #[prost(message, optional, tag = "5")]
    timestamp: Option<TimeMessage>,
    #[prost(message, optional, tag = "6")]
    create_time: Option<TimeMessage>,
    #[prost(message, optional, tag = "7")]
    expire_time: Option<TimeMessage>,
    #[prost(uint32, tag = "8")]
    ordinal: u32,
    #[prost(bytes = "vec", tag = "9")]
    fingerprint: Vec<u8>,
    #[prost(bytes = "bytes", optional, tag = "10")]
    inline_body: Option<Bytes>,
    #[prost(message, optional, tag = "11")]
    chunked_body: Option<ChunkedMessage>,
    #[prost(bool, tag = "12")]
    timestamp_given: bool,
}

#[derive(Clone, Copy, PartialEq, Message)]
struct TimeMessage {
    #[prost(sint64, tag = "1")]
    seconds: i64,
    #[prost(uint32, tag = "2")]
    nanos: u32,
}

#[derive(Clone, PartialEq, Message)]
struct ChunkedMessage {
    #[prost(fixed64, tag = "1")]
    revision: u64,
    #[prost(uint32, tag = "2")]
    count: u32,
    #[prost(uint64, tag = "3")]
    bytes: u64,
    #[prost(string, optional, tag = "4")]
    text: Option<String>,
    #[prost(uint32, tag = "5")]
    row_bytes: u32,
    #[prost(uint64, tag = "6")]
    front_bytes: u64,
}

/// The mark that an entry was deleted.
#[derive(Clone, PartialEq, Message)]
struct TombstoneMessage {
    #[prost(string, tag = "1")]
    entry_id: String,
    #[prost(string, optional, tag = "2")]
    session_id: Option<String>,
}

/// The mark of a deleted entry: it goes when its session goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tombstone {
    pub(crate) id: EntryId,
    pub(crate) session_id: Option<SessionId>,
}

impl Record {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let Self {
            id,
            project_id,
            session_id,
            author,
            timestamp,
            create_time,
            expire_time,
            ordinal,
            timestamp_given,
            fingerprint,
            body,
        } = self;
        let (inline_body, chunked_body) = match body {
            StoredBody::Inline(bytes) => (Some(bytes.clone()), None),
            StoredBody::Chunked { revision, count, bytes, row_bytes, front_bytes, text } => {
                let chunked = ChunkedMessage {
                    revision: *revision,
                    count: *count,
                    bytes: *bytes,
                    text: text.clone(),
                    row_bytes: *row_bytes,
                    front_bytes: *front_bytes,
                };
                (None, Some(chunked))
            }
        };
        HeadMessage {
            entry_id: id.to_string(),
            project_id: project_id.as_ref().map(ToString::to_string),
            session_id: session_id.as_ref().map(ToString::to_string),
            author: author.to_string(),
            timestamp: Some(TimeMessage::from(*timestamp)),
            create_time: Some(TimeMessage::from(*create_time)),
            expire_time: expire_time.map(TimeMessage::from),
            ordinal: *ordinal,
            fingerprint: fingerprint.to_vec(),
            inline_body,
            chunked_body,
            timestamp_given: *timestamp_given,
        }
        .encode_to_vec()
    }

    pub(crate) fn decode(bytes: Vec<u8>) -> Result<Self, RecordError> {
        let HeadMessage {
            entry_id,
            project_id,
            session_id,
            author,
            timestamp,
            create_time,
            expire_time,
            ordinal,
            fingerprint,
            inline_body,
            chunked_body,
            timestamp_given,
        } = HeadMessage::decode(Bytes::from(bytes)).map_err(RecordError::of)?;
        let body = match (inline_body, chunked_body) {
            (Some(inline), None) => StoredBody::Inline(inline),
            (None, Some(chunked)) => {
                let ChunkedMessage { revision, count, bytes, text, row_bytes, front_bytes } =
                    chunked;
                StoredBody::Chunked { revision, count, bytes, row_bytes, front_bytes, text }
            }
            _ => return Err(RecordError("it has no body, or two".to_owned())),
        };
        Ok(Self {
            id: EntryId::new(entry_id).map_err(RecordError::of)?,
            project_id: project_id.map(ProjectId::new).transpose().map_err(RecordError::of)?,
            session_id: session_id.map(SessionId::new).transpose().map_err(RecordError::of)?,
            author: Author::new(author).map_err(RecordError::of)?,
            timestamp: time(timestamp)?,
            create_time: time(create_time)?,
            expire_time: expire_time.map(|expiry| time(Some(expiry))).transpose()?,
            ordinal,
            timestamp_given,
            fingerprint: fingerprint
                .try_into()
                .map_err(|_| RecordError("its fingerprint has another length".to_owned()))?,
            body,
        })
    }

    /// The entry, with a body that was read.
    pub(crate) fn with_body(&self, body: EntryBody) -> Entry {
        let Self {
            id,
            project_id,
            session_id,
            author,
            timestamp,
            create_time,
            expire_time,
            ordinal: _,
            timestamp_given: _,
            fingerprint: _,
            body: _,
        } = self;
        Entry {
            id: id.clone(),
            project_id: project_id.clone(),
            session_id: session_id.clone(),
            author: author.clone(),
            timestamp: *timestamp,
            create_time: *create_time,
            expire_time: *expire_time,
            body,
        }
    }

    /// Bytes of the body that are in memory.
    pub(crate) fn body_bytes(&self) -> usize {
        match &self.body {
            StoredBody::Inline(bytes) => bytes.len(),
            StoredBody::Chunked { text, .. } => text.as_ref().map_or(0, String::len),
        }
    }

    /// Whether the entry is hidden because its time is over.
    pub(crate) fn is_expired(&self, now: Timestamp) -> bool {
        self.expire_time.is_some_and(|expiry| expiry <= now)
    }
}

impl StoredBody {
    /// The searchable text that a chunked entry keeps in its head, if it is short enough.
    pub(crate) fn head_text(text: &str) -> Option<String> {
        (text.len() <= HEAD_TEXT_BYTES).then(|| text.to_owned())
    }
}

impl Tombstone {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let Self { id, session_id } = self;
        TombstoneMessage {
            entry_id: id.to_string(),
            session_id: session_id.as_ref().map(ToString::to_string),
        }
        .encode_to_vec()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, RecordError> {
        let TombstoneMessage { entry_id, session_id } =
            TombstoneMessage::decode(bytes).map_err(RecordError::of)?;
        Ok(Self {
            id: EntryId::new(entry_id).map_err(RecordError::of)?,
            session_id: session_id.map(SessionId::new).transpose().map_err(RecordError::of)?,
        })
    }
}

impl RecordError {
    pub(super) fn of(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl From<Timestamp> for TimeMessage {
    fn from(timestamp: Timestamp) -> Self {
        Self { seconds: timestamp.seconds(), nanos: timestamp.nanos() }
    }
}

fn time(message: Option<TimeMessage>) -> Result<Timestamp, RecordError> {
    let TimeMessage { seconds, nanos } =
        message.ok_or_else(|| RecordError("a time is missing".to_owned()))?;
    let nanos = i32::try_from(nanos).map_err(RecordError::of)?;
    Timestamp::new(seconds, nanos).map_err(RecordError::of)
}
