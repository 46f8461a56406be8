//! Who stands beside whom in a session.

use super::grow::make_room;

/// Stands for no neighbour.
pub(in crate::recall) const NO_DOC: u32 = u32::MAX;

/// Stands for no session.
pub(in crate::recall) const NO_SESSION: u32 = u32::MAX;

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::recall) struct Place {
    /// Number of the session, or [`NO_SESSION`].
    pub session: u32,
    /// The entry before it in the session, or [`NO_DOC`].
    pub previous: u32,
    /// The entry behind it in the session, or [`NO_DOC`].
    pub next: u32,
}

impl Place {
    /// The place of an entry without a session.
    pub(in crate::recall) const NONE: Self =
        Self { session: NO_SESSION, previous: NO_DOC, next: NO_DOC };
}

#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    length: u64,
    entries: u32,
}

/// Sessions as linked lists, so that adding in the middle costs the same as adding at the end.
#[derive(Clone, Debug, Default)]
pub(in crate::recall) struct Sessions {
    /// By doc.
    places: Vec<Place>,
    /// By session.
    totals: Vec<Totals>,
    /// Sessions that have entries.
    count: u64,
    /// Tokens of all sessions.
    length: u64,
}

impl Sessions {
    /// Puts an entry between two neighbours, of which one is enough; none begins a session.
    pub(super) fn place(
        &mut self,
        doc: u32,
        length: u64,
        session: u32,
        previous: Option<u32>,
        next: Option<u32>,
    ) {
        if session == NO_SESSION || doc == NO_DOC {
            return;
        }
        // The links themselves tell the other side, so a list never contradicts itself.
        let within = |other: &u32| *other != doc && self.of(*other).session == session;
        let (previous, next) = match (previous.filter(within), next.filter(within)) {
            (Some(previous), _) => (previous, self.of(previous).next),
            (None, Some(next)) => (self.of(next).previous, next),
            (None, None) => (NO_DOC, NO_DOC),
        };
        self.set(doc, length, Place { session, previous, next });
        self.link(previous, doc);
        self.link(doc, next);
    }

    /// Gives the entries of a session, all of them, with their lengths, their order.
    pub(super) fn order(&mut self, session: u32, entries: impl Iterator<Item = (u32, u64)>) {
        if session == NO_SESSION {
            return;
        }
        let mut last = NO_DOC;
        for (doc, length) in entries.filter(|(doc, _)| *doc != NO_DOC) {
            if self.of(doc).session == session {
                self.set_next(doc, NO_DOC);
            } else {
                self.remove(doc, length);
                self.set(doc, length, Place { session, previous: NO_DOC, next: NO_DOC });
            }
            self.set_previous(doc, NO_DOC);
            self.link(last, doc);
            last = doc;
        }
    }

    /// Takes an entry out of its session; answers where it stood.
    pub(super) fn remove(&mut self, doc: u32, length: u64) -> Place {
        let place = self.of(doc);
        if place.session == NO_SESSION {
            return Place::NONE;
        }
        if let Some(slot) = self.places.get_mut(doc as usize) {
            *slot = Place::NONE;
        }
        if self.of(place.previous).next == doc {
            self.set_next(place.previous, place.next);
        }
        if self.of(place.next).previous == doc {
            self.set_previous(place.next, place.previous);
        }
        if let Some(totals) = self.totals.get_mut(place.session as usize) {
            totals.length = totals.length.saturating_sub(length);
            totals.entries = totals.entries.saturating_sub(1);
            self.length = self.length.saturating_sub(length);
            if totals.entries == 0 {
                self.count = self.count.saturating_sub(1);
            }
        }
        place
    }

    fn set(&mut self, doc: u32, length: u64, place: Place) {
        make_room(&mut self.places, doc as usize, Place::NONE);
        make_room(&mut self.totals, place.session as usize, Totals::default());
        if let Some(slot) = self.places.get_mut(doc as usize) {
            *slot = place;
        }
        if let Some(totals) = self.totals.get_mut(place.session as usize) {
            self.count += u64::from(totals.entries == 0);
            totals.entries += 1;
            totals.length += length;
            self.length += length;
        }
    }

    fn link(&mut self, previous: u32, next: u32) {
        self.set_next(previous, next);
        self.set_previous(next, previous);
    }

    fn set_next(&mut self, doc: u32, next: u32) {
        if let Some(place) = self.places.get_mut(doc as usize) {
            place.next = next;
        }
    }

    fn set_previous(&mut self, doc: u32, previous: u32) {
        if let Some(place) = self.places.get_mut(doc as usize) {
            place.previous = previous;
        }
    }

    /// Where an entry stands; [`Place::NONE`] if it has no session or isn't there.
    pub(in crate::recall) fn of(&self, doc: u32) -> Place {
        self.places.get(doc as usize).copied().unwrap_or(Place::NONE)
    }

    /// The places by doc; shorter than the docs if the last ones have no session.
    pub(in crate::recall) fn places(&self) -> &[Place] {
        &self.places
    }

    /// Tokens of a session.
    pub(in crate::recall) fn length_of(&self, session: u32) -> u64 {
        self.totals.get(session as usize).map_or(0, |totals| totals.length)
    }

    /// Sessions that have entries.
    pub(in crate::recall) fn count(&self) -> u64 {
        self.count
    }

    /// Tokens of all sessions.
    pub(in crate::recall) fn total_length(&self) -> u64 {
        self.length
    }

    /// One more than the largest number of a session.
    pub(in crate::recall) fn numbers(&self) -> usize {
        self.totals.len()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>() + self.totals.capacity() * size_of::<Totals>()
    }
}
