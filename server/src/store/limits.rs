//! Every size and time of the store, with its unit and its reason.

use std::time::Duration;

/// Largest value the embedded engines store, in bytes: a leaf of sled holds up to about twenty rows, and a leaf over
/// 128 KiB would go to a file that sled never syncs.
pub const MAX_VALUE_BYTES: usize = 4096;
/// Largest batch the embedded engines take, in bytes: the largest request, sealed in chunks, with room to spare.
pub const MAX_BATCH_BYTES: usize = 64 * 1024 * 1024;
/// Most proposals that one group takes.
pub const MAX_GROUP_PROPOSALS: usize = 256;
/// Most bytes of keys and values that a group of several proposals takes.
pub const MAX_GROUP_BYTES: usize = 1024 * 1024;
/// Most bytes of keys and values that wait for the committer; above it proposals are refused as overload.
pub const MAX_QUEUED_BYTES: usize = 256 * 1024 * 1024;
/// A batch that takes longer than this makes [`Store::health`](super::Store::health) report a disk that doesn't answer.
pub const STALLED_AFTER: Duration = Duration::from_secs(30);
/// How long written batches gather under [`Durability::Relaxed`](super::Durability::Relaxed) before they are flushed: half of the half second that
/// is promised, so that the flush itself has the other half.
pub const RELAXED_FLUSH_INTERVAL: Duration = Duration::from_millis(250);
