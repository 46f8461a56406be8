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
        if let Some(word) = self.words.get_mut(doc as usize / BITS) {
            *word |= 1 << (doc as usize % BITS);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Takes out every doc, in order.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = u32> {
        self.words.iter_mut().enumerate().flat_map(|(at, word)| {
            let mut bits = std::mem::take(word);
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let doc = at * BITS + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                // Fits: it was inserted as one.
                Some(doc as u32)
            })
        })
    }
}
