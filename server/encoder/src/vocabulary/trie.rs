//! Which pieces a text starts with: a walk through the double array.

use super::builder::ENDS;

/// A double array as [`super::builder`] lays it out, little-endian.
#[derive(Clone, Copy)]
pub(crate) struct Trie<'a>(&'a [[u8; 4]]);

impl<'a> Trie<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    fn unit(self, index: u32) -> Option<u32> {
        self.0.get(index as usize).map(|&bytes| u32::from_le_bytes(bytes))
    }

    /// Calls `found` with length in bytes and value of every key that `text` starts with, the
    /// shortest first.
    pub(crate) fn prefixes(self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let Some(mut unit) = self.unit(0) else { return };
        for (at, &byte) in text.iter().enumerate() {
            let base = base(unit);
            match self.unit(base ^ u32::from(byte)) {
                Some(child) if byte != 0 && child & 0xff == u32::from(byte) => unit = child,
                _ => return,
            }
            if unit & ENDS != 0
                && let Some(value) = self.unit(self::base(unit))
            {
                found(at + 1, value >> 8);
            }
        }
    }
}

fn base(unit: u32) -> u32 {
    (unit & !ENDS) >> 8
}
