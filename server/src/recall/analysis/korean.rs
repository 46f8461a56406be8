//! Particles of Korean, which are written together with the noun before them.

/// Particles, longer ones first.
const PARTICLES: [&str; 22] = [
    "에게서",
    "으로는",
    "에서는",
    "에서",
    "에게",
    "한테",
    "으로",
    "부터",
    "까지",
    "처럼",
    "보다",
    "하고",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "로",
    "도",
];

/// The noun of one syllable that a word of Hangul is, with its particle: 집 of 집에서. Pairs of
/// syllables find the longer ones.
pub(super) fn short_noun(word: &str) -> Option<&str> {
    let syllables = word.chars().take(5).count();
    if !(2..=4).contains(&syllables) {
        return None;
    }
    let noun = PARTICLES.iter().find_map(|particle| word.strip_suffix(particle))?;
    (noun.chars().count() == 1).then_some(noun)
}
