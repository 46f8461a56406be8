//! What can go wrong below the wire, by family: reads, writes, opening.

use super::record::RecordError;
use crate::domain::EntryId;
use crate::store::{CommitError, DamagedRecord, KeyRingError, OpenError, SealError};

/// Why something couldn't be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The caller went away or its deadline passed.
    #[error("the call was given up")]
    Interrupted,
    /// There is no such entry.
    #[error("there is no entry {0:?} in this scope")]
    NotFound(EntryId),
    /// A page token that this server didn't give for this request.
    #[error("the page token is not one that this server gave for this request")]
    PageToken,
    /// A search by meaning on a server that has no embedder.
    #[error("this server has no embedder, so it can't search by meaning; search by words instead")]
    NoEmbedder,
    /// A search by meaning, while the embedder doesn't answer.
    #[error("the query can't be embedded now, search by words or try again: {0}")]
    Embedder(#[from] crate::embed::EmbedError),
    /// A record is damaged; the other entries can be read.
    #[error("the record of entry {name} is damaged: {damage}")]
    Damaged {
        /// The entry's id, or its digest where the id can't be read.
        name: String,
        /// What is wrong with it.
        damage: Damage,
    },
    /// The user's data key is there but can't be used.
    #[error(transparent)]
    Key(#[from] KeyRingError),
    /// The store doesn't answer.
    #[error(transparent)]
    Store(#[from] crate::store::ReadError),
    /// The read had to wait for writes, which failed.
    #[error(transparent)]
    Writes(Box<WriteError>),
    /// A bug, or a thread that couldn't run.
    #[error("{0}")]
    Internal(String),
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// Its seal is broken.
    #[error(transparent)]
    Seal(#[from] DamagedRecord),
    /// Its seal is whole but it can't be decoded.
    #[error(transparent)]
    Record(#[from] BadRecord),
    /// Its content can't be decoded.
    #[error("its content can't be decoded")]
    Undecodable,
    /// A part of it isn't there.
    #[error("a part of it is missing")]
    Incomplete,
}

/// A record whose seal is whole but that can't be decoded.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadRecord(String);

impl From<RecordError> for Damage {
    fn from(error: RecordError) -> Self {
        Self::Record(BadRecord(error.to_string()))
    }
}

/// Why something couldn't be written or deleted.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Other writers of the same entries always came first.
    #[error("other writes of the same entries keep coming first; try again in a moment")]
    Contended,
    /// There is hardly any room left on the disk.
    #[error("the disk is nearly full; free some space or delete entries")]
    DiskFull,
    /// The store refused it.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// What had to be read first couldn't be.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The entries couldn't be sealed.
    #[error(transparent)]
    Seal(#[from] SealError),
}

impl From<WriteError> for ReadError {
    /// Why a read that had to wait for writes failed.
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Read(error) => error,
            other => Self::Writes(Box::new(other)),
        }
    }
}

impl From<KeyRingError> for WriteError {
    fn from(error: KeyRingError) -> Self {
        Self::Read(error.into())
    }
}

impl From<crate::store::ReadError> for WriteError {
    fn from(error: crate::store::ReadError) -> Self {
        Self::Read(error.into())
    }
}

/// Why the engine couldn't start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The store didn't open.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Erasures that a crash interrupted couldn't be finished.
    #[error("an interrupted erasure could not be finished: {0}")]
    Resume(WriteError),
    /// The indexer's thread couldn't be started.
    #[error("the indexer's thread could not be started: {0}")]
    Thread(std::io::Error),
}
