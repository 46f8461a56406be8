//! Terms as keys, most of them without an allocation of their own.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// Bytes of a term that fit into the key itself: five Cyrillic letters, four Han ones, and a key is
/// still as large as two words.
const INLINE_BYTES: usize = 14;

/// An owned term. Equal to, and hashed like, its bytes.
#[derive(Clone, Debug)]
pub(super) enum TermKey {
    Short {
        length: u8,
        bytes: [u8; INLINE_BYTES],
    },
    /// Boxed twice: a pointer with its length would make every short key half as large again.
    Long(Box<Box<[u8]>>),
}

impl TermKey {
    pub(super) fn of(term: &str) -> Self {
        let source = term.as_bytes();
        let mut bytes = [0; INLINE_BYTES];
        match (bytes.get_mut(..source.len()), u8::try_from(source.len())) {
            (Some(inline), Ok(length)) => {
                inline.copy_from_slice(source);
                Self::Short { length, bytes }
            }
            _ => Self::Long(Box::new(source.into())),
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short { length, bytes } => &bytes[..usize::from(*length)],
            Self::Long(bytes) => bytes,
        }
    }

    /// Bytes held outside of the key.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::Short { .. } => 0,
            Self::Long(bytes) => size_of::<Box<[u8]>>() + bytes.len(),
        }
    }
}

impl Borrow<[u8]> for TermKey {
    fn borrow(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl PartialEq for TermKey {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for TermKey {}

impl Hash for TermKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_bytes().hash(state);
    }
}
