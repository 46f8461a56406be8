//! The stable reasons of `google.rpc.ErrorInfo`, with the domain `memoryd`.

/// Why a call failed, for machines. A reason once published keeps its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    InvalidArgument,
    InvalidPageToken,
    UndecodableMessage,
    MessageTooLarge,
    EntryNotFound,
    NoEmbedder,
    EmbedderUnavailable,
    Unimplemented,
    DeadlineExceeded,
    Cancelled,
    Overloaded,
    DiskFull,
    Contended,
    StoreUnavailable,
    EntryDamaged,
    KeyDamaged,
    Internal,
}

impl Reason {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::InvalidPageToken => "INVALID_PAGE_TOKEN",
            Self::UndecodableMessage => "UNDECODABLE_MESSAGE",
            Self::MessageTooLarge => "MESSAGE_TOO_LARGE",
            Self::EntryNotFound => "ENTRY_NOT_FOUND",
            Self::NoEmbedder => "NO_EMBEDDER",
            Self::EmbedderUnavailable => "EMBEDDER_UNAVAILABLE",
            Self::Unimplemented => "UNIMPLEMENTED",
            Self::DeadlineExceeded => "DEADLINE_EXCEEDED",
            Self::Cancelled => "CANCELLED",
            Self::DiskFull => "DISK_FULL",
            Self::Overloaded => "OVERLOADED",
            Self::Contended => "CONTENDED",
            Self::StoreUnavailable => "STORE_UNAVAILABLE",
            Self::EntryDamaged => "ENTRY_DAMAGED",
            Self::KeyDamaged => "KEY_DAMAGED",
            Self::Internal => "INTERNAL",
        }
    }
}
