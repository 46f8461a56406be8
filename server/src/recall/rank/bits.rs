//! A set of docs, a bit each.

const BITS: usize = u64::BITS as usize;

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

    /// Inserts docs that hardly ever leave the word of the one before, at the price of one write a
    /// word.
    pub(super) fn extend(&mut self, docs: impl Iterator<Item = u32>) {
        let (mut at, mut bits) = (0, 0);
        for doc in docs.map(|doc| doc as usize) {
            if doc / BITS != at {
                self.add(at, bits);
                (at, bits) = (doc / BITS, 0);
            }
            bits |= 1 << (doc % BITS);
        }
        self.add(at, bits);
    }

    fn add(&mut self, at: usize, bits: u64) {
        if let Some(word) = self.words.get_mut(at) {
            *word |= bits;
        }
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Takes out every doc, in order, up to the first error of `take`.
    pub(super) fn drain<E>(&mut self, mut take: impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        for (at, word) in self.words.iter_mut().enumerate() {
            let mut bits = std::mem::take(word);
            while bits != 0 {
                let doc = at * BITS + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                // Fits: it was inserted as one.
                take(doc as u32)?;
            }
        }
        Ok(())
    }
}
