//! Sums of some thousand neighbouring docs at a time: no memory that grows with the index, and no
//! sorting, since docs come out in order.

use crate::recall::constants::RANK_WINDOW_DOCS;
use crate::recall::lexical::Posting;

const DOCS: usize = RANK_WINDOW_DOCS as usize;
const BITS: usize = u64::BITS as usize;

/// One term's postings that haven't been read yet.
pub(super) struct Cursor<'a> {
    pub idf: f64,
    pub rest: &'a [Posting],
}

impl Cursor<'_> {
    pub(super) fn next_doc(&self) -> Option<u32> {
        self.rest.first().map(|posting| posting.doc)
    }
}

pub(super) struct Window {
    /// Doc of the first sum.
    start: u32,
    /// All zero between two windows.
    sums: Box<[f64; DOCS]>,
    /// A bit for each sum that a posting went into.
    touched: [u64; DOCS / BITS],
}

impl Window {
    pub(super) fn new() -> Self {
        Self { start: 0, sums: Box::new([0.0; DOCS]), touched: [0; DOCS / BITS] }
    }

    /// Moves to the window that holds `doc`.
    pub(super) fn start_at(&mut self, doc: u32) {
        self.start = doc - doc % RANK_WINDOW_DOCS;
    }

    /// Adds the postings of this window, of which the cursor has none before it; how many it read.
    pub(super) fn take_in(
        &mut self,
        cursor: &mut Cursor<'_>,
        weight: impl Fn(&Posting) -> f64,
    ) -> usize {
        let mut read = 0;
        for posting in cursor.rest {
            let place = posting.doc.wrapping_sub(self.start) as usize;
            if place >= DOCS {
                break;
            }
            read += 1;
            if posting.count > 0 {
                self.sums[place] += weight(posting);
                self.touched[place / BITS] |= 1 << (place % BITS);
            }
        }
        cursor.rest = &cursor.rest[read..];
        read
    }

    /// Gives each doc that was touched with its sum, in order, and is empty again.
    pub(super) fn drain(&mut self, mut give: impl FnMut(u32, f64)) {
        for (word, bits) in self.touched.iter_mut().enumerate() {
            while *bits != 0 {
                let place = word * BITS + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                let sum = std::mem::take(&mut self.sums[place]);
                // Fits: a window has 4,096 docs.
                give(self.start + place as u32, sum);
            }
        }
    }
}
