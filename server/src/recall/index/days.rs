//! The day of each entry.

use std::collections::BTreeMap;

use super::grow::make_room;

/// Stands for a doc number without an entry.
pub(in crate::recall) const NO_ENTRY: i32 = i32::MIN;

/// Bytes of a day in the map: key, count, and a share of the node.
const DAY_BYTES: usize = 12;

/// The day of each entry, and how many entries a day has: dates are compared day by day, and a
/// scope has fewer days than entries.
#[derive(Clone, Debug, Default)]
pub(in crate::recall) struct Days {
    /// By doc.
    days: Vec<i32>,
    counts: BTreeMap<i32, u32>,
}

impl Days {
    pub(super) fn insert(&mut self, doc: u32, day: i32) {
        let day = day.max(NO_ENTRY + 1);
        make_room(&mut self.days, doc as usize, NO_ENTRY);
        if let Some(slot) = self.days.get_mut(doc as usize) {
            *slot = day;
            *self.counts.entry(day).or_default() += 1;
        }
    }

    pub(super) fn remove(&mut self, doc: u32) {
        let Some(slot) = self.days.get_mut(doc as usize) else { return };
        let day = std::mem::replace(slot, NO_ENTRY);
        if let Some(count) = self.counts.get_mut(&day) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&day);
            }
        }
    }

    /// The day of an entry, since 1970-01-01 UTC; [`NO_ENTRY`] if there is none.
    pub(in crate::recall) fn of(&self, doc: u32) -> i32 {
        self.days.get(doc as usize).copied().unwrap_or(NO_ENTRY)
    }

    /// The days by doc, [`NO_ENTRY`] where there is none.
    pub(in crate::recall) fn column(&self) -> &[i32] {
        &self.days
    }

    /// Each day that has entries, ascending, with their number.
    pub(in crate::recall) fn counts(&self) -> impl Iterator<Item = (i32, u32)> {
        self.counts.iter().map(|(day, count)| (*day, *count))
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.days.capacity() * size_of::<i32>() + self.counts.len() * DAY_BYTES
    }
}
