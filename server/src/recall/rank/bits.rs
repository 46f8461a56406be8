//! A set of docs, a bit each.

pub(super) const BITS: usize = u64::BITS as usize;

#[derive(Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Makes room for docs below `docs`; never gives room back.
    pub(super) fn fit(&mut self, docs: usize) {
        let words = docs.div_ceil(BITS);
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
    }

    pub(super) fn insert(&mut self, doc: u32) {
        self.add(doc as usize / BITS, 1 << (doc as usize % BITS));
    }

    /// For inserting docs that hardly ever leave the run of the one before.
    pub(super) fn marker(&mut self) -> Marker<'_> {
        Marker { set: self, at: 0, bits: 0 }
    }

    fn add(&mut self, at: usize, bits: u64) {
        if let Some(word) = self.words.get_mut(at) {
            *word |= bits;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Takes out every doc, the last one first, up to the first error of `take`.
    pub(super) fn drain<E>(&mut self, mut take: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        self.drain_runs(|first, bits| {
            for bit in last_first(bits) {
                // Fits: it was inserted as one.
                take((first + bit) as u32)?;
            }
            Ok(())
        })
    }

    /// Takes out all docs, the last ones first, up to the first error of `take`: the docs of a run of
    /// 64, as its first number and a bit each.
    pub(super) fn drain_runs<E>(
        &mut self,
        mut take: impl FnMut(usize, u64) -> Result<(), E>,
    ) -> Result<(), E> {
        for (at, word) in self.words.iter_mut().enumerate().rev() {
            if *word != 0 {
                take(at * BITS, std::mem::take(word))?;
            }
        }
        Ok(())
    }
}

/// Inserts docs at the price of one write for 64; the last ones when it goes.
pub(super) struct Marker<'a> {
    set: &'a mut Bits,
    at: usize,
    bits: u64,
}

impl Marker<'_> {
    /// Inserts a doc if it is `live`.
    pub(super) fn mark(&mut self, doc: u32, live: bool) {
        let doc = doc as usize;
        if doc / BITS != self.at {
            self.set.add(self.at, self.bits);
            (self.at, self.bits) = (doc / BITS, 0);
        }
        self.bits |= u64::from(live) << (doc % BITS);
    }

    /// Inserts the docs from `first` on, `length` of them, at most 64.
    pub(super) fn mark_run(&mut self, first: u32, length: usize) {
        let (at, shift) = (first as usize / BITS, first as usize % BITS);
        let unused = BITS.saturating_sub(length);
        let bits = u128::from(u64::MAX.checked_shr(unused as u32).unwrap_or(0)) << shift;
        self.set.add(at, bits as u64);
        self.set.add(at + 1, (bits >> BITS) as u64);
    }
}

impl Drop for Marker<'_> {
    fn drop(&mut self) {
        self.set.add(self.at, self.bits);
    }
}

/// The places of the bits that are set, the last one first.
fn last_first(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let last = bits.checked_ilog2()?;
        bits ^= 1 << last;
        Some(last as usize)
    })
}
