//! Late writes: one that began before a delete of its scope never appears after the delete has answered
//! (contract, section 4).
//!
//! Every write takes a ticket when its call arrives. A delete of a user, a project or a session holds the
//! user's gate alone, and when it is done it raises a fence at the newest ticket: a write with an older
//! ticket that comes to the gate afterwards is answered as if it had come just before the delete.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::RwLock;

use crate::domain::SessionId;
use crate::store::{ScopeDigest, UserKey};

/// What a delete took away, and what a write is aimed at.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum FenceTarget {
    User(UserKey),
    Scope(UserKey, ScopeDigest),
    Session(UserKey, ScopeDigest, SessionId),
}

/// When a write began. Held until it has ended, so that fences can be taken down after it.
#[derive(Debug)]
pub struct WriteTicket {
    number: u64,
    fences: Arc<Fences>,
}

/// The order of a user's writes and deletes: writes share it, deletes of scopes hold it alone.
pub(super) type Gate = RwLock<()>;

#[derive(Debug, Default)]
pub(super) struct Fences {
    state: Mutex<State>,
    gates: Mutex<HashMap<UserKey, Weak<Gate>>>,
}

#[derive(Debug, Default)]
struct State {
    /// The newest ticket.
    newest: u64,
    /// Tickets that are out.
    out: BTreeSet<u64>,
    /// The newest ticket at the end of the newest delete of each target.
    fences: HashMap<FenceTarget, u64>,
    /// The same by ticket, to take fences down in order.
    by_ticket: BTreeMap<u64, Vec<FenceTarget>>,
}

/// Gates are swept when their map has doubled since the last sweep, but not below this many.
const GATES_SWEPT_FROM: usize = 1_024;

impl Fences {
    /// The ticket of a write that begins now.
    pub(super) fn ticket(self: &Arc<Self>) -> WriteTicket {
        let mut state = self.state.lock();
        state.newest += 1;
        let number = state.newest;
        state.out.insert(number);
        WriteTicket { number, fences: Arc::clone(self) }
    }

    /// The gate of a user.
    pub(super) fn gate(&self, user: &UserKey) -> Arc<Gate> {
        let mut gates = self.gates.lock();
        if let Some(gate) = gates.get(user).and_then(Weak::upgrade) {
            return gate;
        }
        if gates.len() >= GATES_SWEPT_FROM && gates.len() == gates.capacity() {
            gates.retain(|_, gate| gate.strong_count() > 0);
        }
        let gate = Arc::new(Gate::default());
        gates.insert(*user, Arc::downgrade(&gate));
        gate
    }

    /// Marks the end of a delete, while it still holds the gate.
    pub(super) fn raise(&self, target: FenceTarget) {
        let mut state = self.state.lock();
        let newest = state.newest;
        if !state.out.is_empty() {
            state.by_ticket.entry(newest).or_default().push(target.clone());
            state.fences.insert(target, newest);
        }
    }

    /// Whether a delete of the write's user, scope or session ended after the write began.
    pub(super) fn suppresses(
        &self,
        ticket: &WriteTicket,
        user: UserKey,
        scope: ScopeDigest,
        session: Option<&SessionId>,
    ) -> bool {
        let state = self.state.lock();
        if state.fences.is_empty() {
            return false;
        }
        let fenced = |target| state.fences.get(&target).is_some_and(|at| *at >= ticket.number);
        fenced(FenceTarget::User(user))
            || fenced(FenceTarget::Scope(user, scope))
            || session
                .is_some_and(|session| fenced(FenceTarget::Session(user, scope, session.clone())))
    }
}

impl Drop for WriteTicket {
    fn drop(&mut self) {
        let mut guard = self.fences.state.lock();
        let State { newest: _, out, fences, by_ticket } = &mut *guard;
        out.remove(&self.number);
        // A fence below every ticket that is out can't stop a write any more.
        let oldest = out.first().copied().unwrap_or(u64::MAX);
        while let Some(lowest) = by_ticket.first_entry().filter(|lowest| *lowest.key() < oldest) {
            let at = *lowest.key();
            for target in lowest.remove() {
                // A later delete of the same target may have raised it.
                if fences.get(&target) == Some(&at) {
                    fences.remove(&target);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: UserKey = UserKey([1; 24]);
    const SCOPE: ScopeDigest = ScopeDigest([2; 16]);

    #[test]
    fn a_write_is_stopped_by_a_delete_that_ended_after_it_began_and_only_by_that() {
        let fences = Arc::new(Fences::default());
        let early = fences.ticket();
        let elsewhere = fences.ticket();
        fences.raise(FenceTarget::Scope(USER, SCOPE));
        let late = fences.ticket();
        assert!(fences.suppresses(&early, USER, SCOPE, None));
        assert!(!fences.suppresses(&late, USER, SCOPE, None));
        assert!(!fences.suppresses(&elsewhere, UserKey([3; 24]), SCOPE, None));
        assert!(!fences.suppresses(&elsewhere, USER, ScopeDigest([4; 16]), None));
    }

    #[test]
    fn fences_come_down_when_no_older_write_is_out() {
        let fences = Arc::new(Fences::default());
        let early = fences.ticket();
        fences.raise(FenceTarget::User(USER));
        assert_eq!(fences.state.lock().fences.len(), 1);
        drop(early);
        assert!(fences.state.lock().fences.is_empty());
    }
}
