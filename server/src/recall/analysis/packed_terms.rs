//! The terms of an entry as bytes, so that they can be kept and need not be made again.
//!
//! ```text
//! length varint | for each term, in the order of bytes: shared varint | rest varint, bytes | count varint
//! ```
//!
//! `shared` is how many bytes a term has in common with the one before. Varints are those of
//! protobuf: seven bits a byte, lowest first.

use super::entry_terms::EntryTerms;

impl EntryTerms {
    /// The terms as bytes, about as many as the text has.
    pub fn to_packed(&self) -> Vec<u8> {
        let mut packed = Vec::new();
        push_varint(self.length(), &mut packed);
        let mut before: &[u8] = &[];
        for counted in self.iter() {
            let term = counted.term.as_bytes();
            let shared = term.iter().zip(before).take_while(|(left, right)| left == right).count();
            push_varint(shared as u64, &mut packed);
            push_varint((term.len() - shared) as u64, &mut packed);
            packed.extend_from_slice(&term[shared..]);
            push_varint(u64::from(counted.count), &mut packed);
            before = term;
        }
        packed
    }

    /// The terms that [`EntryTerms::to_packed`] made bytes of; `None` if these are other bytes.
    pub fn from_packed(packed: &[u8]) -> Option<Self> {
        let mut rest = packed;
        let length = take_varint(&mut rest)?;
        // Terms share beginnings, but seldom more than half; a count takes at least three bytes.
        let mut terms = PackedTerms {
            text: Vec::with_capacity(packed.len() * 3 / 2),
            counted: Vec::with_capacity(packed.len() / 5),
        };
        while !rest.is_empty() {
            let shared = usize::try_from(take_varint(&mut rest)?).ok()?;
            let own = usize::try_from(take_varint(&mut rest)?).ok()?;
            let (suffix, behind) = rest.split_at_checked(own)?;
            rest = behind;
            let count = u32::try_from(take_varint(&mut rest)?).ok()?;
            terms.push(shared, suffix, count)?;
        }
        Self::from_sorted(String::from_utf8(terms.text).ok()?, &terms.counted, length)
    }
}

/// Terms that are being unpacked.
struct PackedTerms {
    text: Vec<u8>,
    /// Start, end and count of each term.
    counted: Vec<(usize, usize, u32)>,
}

impl PackedTerms {
    fn push(&mut self, shared: usize, suffix: &[u8], count: u32) -> Option<()> {
        let (from, until, _) = self.counted.last().copied().unwrap_or_default();
        if shared > until - from {
            return None;
        }
        let start = self.text.len();
        self.text.extend_from_within(from..from + shared);
        self.text.extend_from_slice(suffix);
        self.counted.push((start, self.text.len(), count));
        Some(())
    }
}

fn push_varint(mut value: u64, bytes: &mut Vec<u8>) {
    while value >= 0x80 {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take_varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn listed(terms: &EntryTerms) -> Vec<(String, u32)> {
        terms.iter().map(|counted| (counted.term.to_owned(), counted.count)).collect()
    }

    #[test]
    fn front_coding_keeps_the_packed_form_short() {
        let text = "internal international internationally interned, 東京都の東京タワー";
        let terms = EntryTerms::of(text);
        assert!(terms.to_packed().len() < 2 * text.len());
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let packed = EntryTerms::of("alpha bravo bravo charlie").to_packed();
        assert!(EntryTerms::from_packed(&packed).is_some());
        assert!(EntryTerms::from_packed(&[]).is_none());
        for end in 1..packed.len() {
            let cut = EntryTerms::from_packed(&packed[..end]);
            assert!(cut.is_none_or(|terms| terms.iter().len() < 3), "{end}");
        }
    }

    proptest! {
        #[test]
        fn terms_come_back_as_they_were(text in "\\PC{0,200}") {
            let terms = EntryTerms::of(&text);
            let back = EntryTerms::from_packed(&terms.to_packed()).unwrap();
            prop_assert_eq!(listed(&back), listed(&terms));
            prop_assert_eq!(back.length(), terms.length());
        }

        #[test]
        fn any_bytes_are_refused_or_hold_sorted_terms(bytes: Vec<u8>) {
            if let Some(terms) = EntryTerms::from_packed(&bytes) {
                let terms = listed(&terms);
                prop_assert!(terms.windows(2).all(|pair| pair[0].0 < pair[1].0));
                prop_assert!(terms.iter().all(|(_, count)| *count > 0));
            }
        }
    }
}
