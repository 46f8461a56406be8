//! One half of all questions to choose constants on, the other to report on.
//!
//! A question belongs to half A when the first byte of the SHA-256 digest of its id is even, else to
//! B. The id alone decides, so a question that several sets share is in the same half everywhere, in
//! every language.

use clap::ValueEnum;
use sha2::{Digest, Sha256};

/// A half of all questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Half {
    /// To choose constants on.
    #[value(name = "A")]
    A,
    /// To report on.
    #[value(name = "B")]
    B,
}

impl Half {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// Whether the question of this id belongs to it.
    pub(crate) fn holds(self, id: &str) -> bool {
        let digest = Sha256::digest(id.as_bytes());
        let is_even = digest.first().is_some_and(|byte| byte % 2 == 0);
        is_even == (self == Self::A)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_as_documented_and_stay_so() {
        // printf conv-26/q0 | sha256sum, and so on.
        for (id, half) in [
            ("conv-26/q0", Half::B),               // 23…
            ("conv-26/q1", Half::A),               // 16…
            ("56beb4343aeaaa14008c925b", Half::A), // 56…
            ("en4", Half::B),                      // 01…
            ("a10336p0q1", Half::B),               // 4d…
        ] {
            assert!(half.holds(id), "{id}");
        }
    }

    #[test]
    fn every_question_is_in_one_half_and_the_halves_are_alike() {
        let ids: Vec<_> = (0..2_000).map(|n| format!("q{n}")).collect();
        let in_a = ids.iter().filter(|id| Half::A.holds(id)).count();
        assert!((900..1_100).contains(&in_a), "{in_a}");
        assert!(ids.iter().all(|id| Half::A.holds(id) != Half::B.holds(id)));
    }
}
