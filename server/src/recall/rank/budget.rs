//! When to ask whether to go on.

use super::Interrupted;
use crate::recall::constants::RANK_INTERRUPT_POSTINGS;

/// Asks the caller's interrupt, which may read a clock, only now and then.
pub(super) struct InterruptBudget<'a> {
    interrupt: &'a dyn Fn() -> bool,
    /// Postings read since it was asked, and what counts like them.
    spent: usize,
}

impl<'a> InterruptBudget<'a> {
    pub(super) fn new(interrupt: &'a dyn Fn() -> bool) -> Self {
        Self { interrupt, spent: 0 }
    }

    pub(super) fn spend(&mut self, work: usize) -> Result<(), Interrupted> {
        self.spent += work;
        if self.spent < RANK_INTERRUPT_POSTINGS {
            return Ok(());
        }
        self.spent = 0;
        if (self.interrupt)() { Err(Interrupted) } else { Ok(()) }
    }
}
