//! Room on the disk. A store that meets a full disk in the middle of a commit has to stop; so additions
//! are refused a little before that, while deletions, which make room, still work.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// How long an answer of the operating system is good for.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Watches the room on the store's disk.
#[derive(Debug)]
pub(super) struct DiskGuard {
    /// A folder on the disk; `None` for a store in memory.
    folder: Option<PathBuf>,
    /// What must stay free, in bytes.
    least_free: u64,
    last: Mutex<Option<(Instant, bool)>>,
}

impl DiskGuard {
    pub(super) fn new(folder: Option<PathBuf>, least_free: u64) -> Self {
        Self { folder, least_free, last: Mutex::new(None) }
    }

    /// Whether there is room for additions. Blocks shortly, about once a second.
    pub(super) fn has_room(&self) -> bool {
        let Some(folder) = &self.folder else { return true };
        let mut last = self.last.lock();
        if let Some((at, room)) = *last
            && at.elapsed() < CHECK_INTERVAL
        {
            return room;
        }
        let room = match fs2::available_space(folder) {
            Ok(free) => free >= self.least_free,
            Err(error) => {
                tracing::warn!(%error, "the room on the disk can't be told");
                true
            }
        };
        if !room {
            tracing::warn!(least_free = self.least_free, "the disk is nearly full");
        }
        *last = Some((Instant::now(), room));
        room
    }
}
