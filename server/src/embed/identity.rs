//! Who made a vector.

use std::sync::OnceLock;

/// Who made a vector, and how long it is.
///
/// Two vectors may be compared if name and length agree. The name alone isn't enough: a server can put
/// another model behind the same name.
#[derive(Debug, Clone)]
pub struct EmbedderIdentity {
    name: String,
    /// Known from the start for models at hand; of an endpoint without configured dimensions the first
    /// answer tells, and later ones must agree.
    dims: OnceLock<usize>,
}

impl EmbedderIdentity {
    /// An embedder named `name`, whose vectors are `dims` long if that is known already.
    pub(crate) fn new(name: String, dims: Option<usize>) -> Self {
        Self { name, dims: dims.map_or_else(OnceLock::new, OnceLock::from) }
    }

    /// The name: of a built-in model its own, which ends in a part of its digest; `file:` and a part of
    /// the digest; `openai:<model>@<host>`, with `/<dimensions>` where they were asked for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Numbers in a vector; `None` before an endpoint has answered for the first time.
    pub fn dims(&self) -> Option<usize> {
        self.dims.get().copied()
    }

    /// Holds `dims` against what is known, or takes it as known. `Err` has the length that was expected.
    pub(super) fn learn(&self, dims: usize) -> Result<(), usize> {
        let known = *self.dims.get_or_init(|| dims);
        if known == dims { Ok(()) } else { Err(known) }
    }
}

#[cfg(test)]
mod tests {
    use super::EmbedderIdentity;

    #[test]
    fn the_first_length_that_is_learned_stays() {
        let identity = EmbedderIdentity::new("openai:m@host".to_owned(), None);
        assert_eq!(identity.dims(), None);
        assert_eq!(identity.learn(3), Ok(()));
        assert_eq!(identity.learn(4), Err(3));
        assert_eq!(identity.dims(), Some(3));
    }

    #[test]
    fn a_configured_length_is_known_before_any_answer() {
        let identity = EmbedderIdentity::new("openai:m@host/8".to_owned(), Some(8));
        assert_eq!(identity.dims(), Some(8));
        assert_eq!(identity.learn(9), Err(8));
    }
}
