//! Builds the double array that [`super::trie`] walks; the build script uses it too.
//!
//! A unit is 32 bits: the lowest 8 the byte that leads to it, the highest the flag that a key ends
//! here, the 23 between them the base of its children. The child for byte `c` is unit `base ^ c`;
//! the one for 0 holds the value of the key that ends. No two parents share a base, so a byte is
//! proof enough. After S. Yata's darts-clone.

/// Bit of a unit at which a key ends.
pub(crate) const ENDS: u32 = 1 << 31;

/// Units that one array can have.
const MOST_UNITS: usize = 1 << 23;

/// Byte of a unit that nobody uses; UTF-8 never holds it.
const NOBODY: u32 = 0xff;

/// Units that a parent's children are spread over.
const BLOCK: usize = 256;

/// Blocks whose gaps are still filled; older ones are full but for a few units.
const OPEN_BLOCKS: usize = 16;

/// Keys that share their first `depth` bytes, and the unit that those lead to.
struct Branch {
    unit: usize,
    depth: usize,
    from: usize,
    to: usize,
}

/// The double array of `keys`, which are sorted, distinct, not empty and without zero bytes; a
/// value is below 2^23. Nothing if there are too many of them.
pub(crate) fn build(keys: &[(&[u8], u32)]) -> Option<Vec<u32>> {
    let mut array = Array::default();
    array.add_block();
    array.take(0);
    let mut todo = vec![Branch { unit: 0, depth: 0, from: 0, to: keys.len() }];
    let mut labels: Vec<(u8, usize)> = Vec::new();
    while let Some(Branch { unit, depth, from, to }) = todo.pop() {
        labels.clear();
        for (index, (key, _)) in keys.iter().enumerate().take(to).skip(from) {
            let label = key.get(depth).copied().unwrap_or(0);
            if labels.last().is_none_or(|&(last, _)| last != label) {
                labels.push((label, index));
            }
        }
        let Some(&(first, first_key)) = labels.first() else { continue };
        let base = array.place(first, &labels);
        if base + BLOCK > MOST_UNITS {
            return None;
        }
        array.units[unit] |= (base as u32) << 8;
        for (position, &(label, start)) in labels.iter().enumerate() {
            let child = base ^ usize::from(label);
            array.take(child);
            array.units[child] = u32::from(label);
            let end = labels.get(position + 1).map_or(to, |&(_, next)| next);
            if label != 0 {
                todo.push(Branch { unit: child, depth: depth + 1, from: start, to: end });
            }
        }
        if first == 0 {
            array.units[unit] |= ENDS;
            array.units[base] = keys[first_key].1 << 8;
        }
    }
    Some(array.units)
}

#[derive(Default)]
struct Array {
    units: Vec<u32>,
    /// Whether a unit is somebody's child.
    taken: Vec<bool>,
    /// Whether a base is somebody's.
    based: Vec<bool>,
    /// Units of the open blocks that nobody has taken, in order.
    free: std::collections::BTreeSet<usize>,
}

impl Array {
    fn add_block(&mut self) {
        let start = self.units.len();
        let end = start + BLOCK;
        self.units.resize(end, NOBODY);
        self.taken.resize(end, false);
        self.based.resize(end, false);
        self.free = self.free.split_off(&end.saturating_sub(OPEN_BLOCKS * BLOCK));
        self.free.extend(start..end);
    }

    fn take(&mut self, unit: usize) {
        self.taken[unit] = true;
        self.free.remove(&unit);
    }

    /// A base whose units for all `labels` are free.
    fn place(&mut self, first: u8, labels: &[(u8, usize)]) -> usize {
        let fits = |base: usize| {
            !self.based[base]
                && labels.iter().all(|&(label, _)| !self.taken[base ^ usize::from(label)])
        };
        let found = self.free.iter().map(|unit| unit ^ usize::from(first)).find(|&base| fits(base));
        let base = found.unwrap_or_else(|| {
            self.add_block();
            self.units.len() - BLOCK
        });
        self.based[base] = true;
        base
    }
}
