//! Telling work on another thread that nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that long work looks at now and then.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    raised: Arc<AtomicBool>,
}

/// Raises its [`Interrupt`] when dropped: the caller went away, or its deadline passed.
#[derive(Debug)]
pub(super) struct InterruptOnDrop(Interrupt);

impl Interrupt {
    /// Whether the work is to stop.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    /// Asks the work to stop.
    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    pub(super) fn on_drop(&self) -> InterruptOnDrop {
        InterruptOnDrop(self.clone())
    }
}

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}
