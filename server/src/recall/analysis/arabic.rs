//! Arabic affixes, after Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information
//! Retrieval" (2007), the stemmer called Light10, on folded letters.

/// Article, conjunction and prepositions that are written together with a word.
const PREFIXES: [&str; 7] = ["وال", "بال", "كال", "فال", "ال", "لل", "و"];

/// Endings, in the order in which each is taken off once; folding has made ه of ة.
const SUFFIXES: [&str; 8] = ["ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي"];

/// Letters that must be left when an affix goes.
const SHORTEST_STEM: usize = 2;

/// Letters that must be left when the single letter و goes, which is a root letter as often.
const SHORTEST_STEM_AFTER_WAW: usize = 3;

/// `folded` without its affixes.
pub(super) fn light_stem(folded: &str) -> &str {
    let mut stem = without_prefix(folded);
    for suffix in SUFFIXES {
        if let Some(shorter) = stem.strip_suffix(suffix)
            && has_letters(shorter, SHORTEST_STEM)
        {
            stem = shorter;
        }
    }
    stem
}

fn without_prefix(folded: &str) -> &str {
    for prefix in PREFIXES {
        let shortest = if prefix == "و" { SHORTEST_STEM_AFTER_WAW } else { SHORTEST_STEM };
        if let Some(stem) = folded.strip_prefix(prefix)
            && has_letters(stem, shortest)
        {
            return stem;
        }
    }
    folded
}

fn has_letters(text: &str, at_least: usize) -> bool {
    text.chars().nth(at_least - 1).is_some()
}
