//! Entries whose vector is still to come, in the order in which they were added.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::store::{EntryDigest, ScopeDigest, UserKey};

/// Entries that wait in memory at most, about 64 bytes each; of more it is only known that they are
/// there, and the store is looked through for them when these are done.
const MOST_WAITING: usize = 65_536;

/// How long an entry that couldn't be indexed waits before it is tried again.
const ASIDE_FOR: Duration = Duration::from_secs(300);

/// Where an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct EntryPlace {
    pub(super) user: UserKey,
    pub(super) scope: ScopeDigest,
    pub(super) entry: EntryDigest,
}

/// What the indexer has to do.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Index these.
    Entries(Vec<EntryPlace>),
    /// Look through the store for entries that aren't indexed.
    LookThrough,
    /// End.
    Stop,
}

/// Entries whose vector is still to come.
#[derive(Debug, Default)]
pub(super) struct Backlog {
    state: Mutex<State>,
    /// Told when there is work, or none any more for ever.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<EntryPlace>,
    /// Entries that were taken and aren't done yet.
    taken: usize,
    /// Entries that found no room.
    beyond: u64,
    /// Entries that couldn't be indexed, and when they are tried again, soonest first: they must not
    /// hold up the others.
    aside: VecDeque<(Instant, EntryPlace)>,
    /// The same without the times: looking through the store finds them again.
    aside_places: HashSet<EntryPlace>,
    /// Entries in front that are taken one by one, to find which of them fails.
    singly: usize,
    /// Whether the store is to be looked through.
    look_through: bool,
    /// Whether that is being done.
    looking: bool,
    closed: bool,
}

impl Backlog {
    /// Adds entries, the newest last.
    pub(super) fn add(&self, places: impl IntoIterator<Item = EntryPlace>) {
        let mut state = self.state.lock();
        for place in places {
            // What was set aside waits for its time, also when it is found again.
            if state.aside_places.contains(&place) {
                continue;
            }
            if state.waiting.len() < MOST_WAITING {
                state.waiting.push_back(place);
            } else {
                state.beyond += 1;
                state.look_through = true;
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Has the store looked through when what waits is done.
    pub(super) fn look_through(&self) {
        self.state.lock().look_through = true;
        self.changed.notify_all();
    }

    /// Waits for work and takes at most `most` entries.
    pub(super) fn take(&self, most: usize) -> Work {
        let mut state = self.state.lock();
        loop {
            if state.closed {
                return Work::Stop;
            }
            let now = Instant::now();
            while state.aside.front().is_some_and(|(due, _)| *due <= now) {
                if let Some((_, place)) = state.aside.pop_front() {
                    state.aside_places.remove(&place);
                    state.waiting.push_back(place);
                }
            }
            if !state.waiting.is_empty() {
                let most = if state.singly > 0 { 1 } else { most };
                state.singly = state.singly.saturating_sub(1);
                let count = most.min(state.waiting.len());
                state.taken += count;
                return Work::Entries(state.waiting.drain(..count).collect());
            }
            if state.look_through {
                state.look_through = false;
                state.looking = true;
                // Whatever had no room is found again.
                state.beyond = 0;
                return Work::LookThrough;
            }
            match state.aside.front().map(|(due, _)| *due) {
                Some(due) => drop(self.changed.wait_until(&mut state, due)),
                None => self.changed.wait(&mut state),
            }
        }
    }

    /// Notes that the store has been looked through, or couldn't be.
    pub(super) fn looked_through(&self) {
        self.state.lock().looking = false;
    }

    /// Notes that entries that were taken are done.
    pub(super) fn done(&self, count: usize) {
        let mut state = self.state.lock();
        state.taken = state.taken.saturating_sub(count);
    }

    /// Puts entries that were taken back in front.
    pub(super) fn give_back(&self, places: &[EntryPlace]) {
        let mut state = self.state.lock();
        state.taken = state.taken.saturating_sub(places.len());
        for place in places.iter().rev() {
            state.waiting.push_front(*place);
        }
    }

    /// As [`Backlog::give_back`], to be taken one by one: one of them fails.
    pub(super) fn give_back_singly(&self, places: &[EntryPlace]) {
        self.give_back(places);
        self.state.lock().singly = places.len();
    }

    /// Puts entries that were taken aside for a while.
    pub(super) fn set_aside(&self, places: &[EntryPlace]) {
        let mut state = self.state.lock();
        state.taken = state.taken.saturating_sub(places.len());
        let due = Instant::now() + ASIDE_FOR;
        for place in places {
            if state.aside_places.insert(*place) {
                state.aside.push_back((due, *place));
            }
        }
    }

    /// How many entries wait for their vector. While the store is being looked through, those found so
    /// far, and one more for what may still be found.
    pub(super) fn pending(&self) -> u64 {
        let state = self.state.lock();
        let known = state.waiting.len() + state.taken + state.aside.len();
        known as u64 + state.beyond + u64::from(state.looking || state.look_through)
    }

    /// Whether the work is to end.
    pub(super) fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    /// Ends the work; what waits is found again at the next start.
    pub(super) fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_all();
    }

    /// Sleeps until `pause` is over or the backlog is closed; whether it is closed.
    pub(super) fn sleep(&self, pause: Duration) -> bool {
        let mut state = self.state.lock();
        let until = Instant::now() + pause;
        while !state.closed && !self.changed.wait_until(&mut state, until).timed_out() {}
        state.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(number: u8) -> EntryPlace {
        EntryPlace {
            user: UserKey([0; 24]),
            scope: ScopeDigest([0; 16]),
            entry: EntryDigest([number; 16]),
        }
    }

    #[test]
    fn entries_come_in_order_and_count_until_they_are_done() {
        let backlog = Backlog::default();
        backlog.add([place(1), place(2), place(3)]);
        assert_eq!(backlog.take(2), Work::Entries(vec![place(1), place(2)]));
        assert_eq!(backlog.pending(), 3);
        backlog.give_back(&[place(2)]);
        backlog.done(1);
        assert_eq!(backlog.pending(), 2);
        assert_eq!(backlog.take(9), Work::Entries(vec![place(2), place(3)]));
    }

    #[test]
    fn what_finds_no_room_is_counted_and_looked_for() {
        let backlog = Backlog::default();
        backlog.add((0..MOST_WAITING + 5).map(|_| place(1)));
        assert_eq!(backlog.pending(), MOST_WAITING as u64 + 5 + 1, "more may be found");
        let Work::Entries(taken) = backlog.take(usize::MAX) else { panic!("no entries") };
        backlog.done(taken.len());
        assert_eq!(backlog.pending(), 6);
        assert_eq!(backlog.take(1), Work::LookThrough);
        assert_eq!(backlog.pending(), 1, "more may be found");
        backlog.looked_through();
        assert_eq!(backlog.pending(), 0);
    }

    #[test]
    fn one_that_fails_holds_up_no_other() {
        let backlog = Backlog::default();
        backlog.add([place(1), place(2), place(3)]);
        let Work::Entries(taken) = backlog.take(2) else { panic!("no entries") };
        backlog.give_back_singly(&taken);
        assert_eq!(backlog.take(9), Work::Entries(vec![place(1)]));
        backlog.set_aside(&[place(1)]);
        assert_eq!(backlog.take(9), Work::Entries(vec![place(2)]));
        assert_eq!(backlog.take(9), Work::Entries(vec![place(3)]));
        backlog.done(2);
        assert_eq!(backlog.pending(), 1, "it is tried again");
    }

    #[test]
    fn closing_ends_the_work_and_every_pause() {
        let backlog = Backlog::default();
        backlog.add([place(1)]);
        backlog.close();
        assert_eq!(backlog.take(1), Work::Stop);
        assert!(backlog.sleep(Duration::from_secs(600)));
    }
}
