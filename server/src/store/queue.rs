//! What waits for the committer.

use std::collections::VecDeque;

use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use super::proposal::{CommitError, Committed, Operation, Proposal};
use super::{MAX_GROUP_BYTES, MAX_GROUP_PROPOSALS};

/// Where the answer to one proposal goes.
pub(super) type AnswerSender = oneshot::Sender<Result<Committed, CommitError>>;

/// A proposal and whom to answer.
pub(super) struct Waiting<T> {
    pub(super) proposal: Proposal<T>,
    pub(super) answer: AnswerSender,
}

/// A queue with one taker, who takes a group at a time and never waits for more than one proposal.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    /// Signalled when something was added or the queue was closed.
    changed: Condvar,
    /// Most bytes that wait.
    capacity_bytes: usize,
}

struct State<T> {
    /// In order of arrival, with the bytes of each.
    waiting: VecDeque<(Waiting<T>, usize)>,
    /// Sum of the bytes of what waits.
    bytes: usize,
    /// Nothing is added any more.
    closed: bool,
}

/// Why a proposal wasn't added; it comes back.
pub(super) enum Refused<T> {
    Closed(Waiting<T>),
    Full(Waiting<T>),
}

impl<T> Queue<T> {
    pub(super) fn new(capacity_bytes: usize) -> Self {
        Self {
            state: Mutex::new(State { waiting: VecDeque::new(), bytes: 0, closed: false }),
            changed: Condvar::new(),
            capacity_bytes,
        }
    }

    /// Adds a proposal, unless too much waits already; one that finds the queue empty is always taken.
    pub(super) fn add(&self, waiting: Waiting<T>) -> Result<(), Refused<T>> {
        let bytes = waiting.proposal.operations.iter().map(Operation::bytes).sum::<usize>();
        let mut state = self.state.lock();
        if state.closed {
            return Err(Refused::Closed(waiting));
        }
        if !state.waiting.is_empty() && state.bytes.saturating_add(bytes) > self.capacity_bytes {
            return Err(Refused::Full(waiting));
        }
        state.bytes += bytes;
        state.waiting.push_back((waiting, bytes));
        self.changed.notify_one();
        Ok(())
    }

    /// Waits until something is there, then takes what is there up to the limits of a group; a larger proposal is
    /// taken alone. `None` when the queue is closed and empty.
    pub(super) fn take_group(&self) -> Option<Vec<Waiting<T>>> {
        let mut state = self.state.lock();
        while state.waiting.is_empty() {
            if state.closed {
                return None;
            }
            self.changed.wait(&mut state);
        }
        let mut group = Vec::new();
        let mut group_bytes = 0;
        while group.len() < MAX_GROUP_PROPOSALS
            && let Some((_, bytes)) = state.waiting.front()
            && (group.is_empty() || group_bytes + bytes <= MAX_GROUP_BYTES)
            && let Some((waiting, bytes)) = state.waiting.pop_front()
        {
            state.bytes -= bytes;
            group_bytes += bytes;
            group.push(waiting);
        }
        Some(group)
    }

    /// Refuses what comes from now on; what waits is still taken.
    pub(super) fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }
}
