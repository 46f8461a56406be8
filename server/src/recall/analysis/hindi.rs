//! Spelling and endings of Hindi, after Larkey, Connell and Abduljaleel, "Hindi CLIR in Thirty
//! Days" (2003), and Ramanathan and Rao, "A Lightweight Stemmer for Hindi" (2003).

use std::sync::LazyLock;

/// Sign of a consonant without its vowel.
const VIRAMA: char = '\u{94d}';

/// Dot above that stands for a nasal of any class.
const ANUSVARA: char = '\u{902}';

/// Endings, longer ones first, in the spelling of [`spelled`].
const ENDINGS: &str = "\
    ाएंगि ाएंगे ाउंगि ाउंगा ाइयां ाइयों ाएगि ाएगा ाओगि ाओगे एंगि ेंगि एंगे ेंगे ुंगि ुंगा ातिं \
    नाओं नाएं ताओं ताएं ियां ियों ाकर ाइए ाइं ाया ेगि ेगा ोगि ोगे ाने ाना ाते ाति ाता तिं ाओं ाएं \
    ुओं ुएं ुअं कर ाओ िए ाइ ाए ने नि ना ते िं ति ता ां ों ें ो े ु ि ा";

/// The endings by their last sign.
static BY_LAST_SIGN: LazyLock<Vec<(char, Vec<&str>)>> = LazyLock::new(|| {
    let mut by_last_sign: Vec<(char, Vec<&str>)> = Vec::new();
    for ending in ENDINGS.split_ascii_whitespace() {
        let Some(last) = ending.chars().next_back() else {
            continue;
        };
        match by_last_sign.iter_mut().find(|(sign, _)| *sign == last) {
            Some((_, endings)) => endings.push(ending),
            None => by_last_sign.push((last, vec![ending])),
        }
    }
    by_last_sign
});

/// Letters and signs that must be left when an ending goes.
const SHORTEST_STEM: usize = 2;

/// Whether a folded word is written in Devanagari.
pub(super) fn is_devanagari(folded: &str) -> bool {
    folded.starts_with(|first| ('\u{900}'..='\u{97f}').contains(&first))
}

/// A folded word in one of its spellings and without its ending.
pub(super) fn stem(folded: &str) -> String {
    let mut stem = spelled(folded);
    let last = stem.chars().next_back();
    let alike = BY_LAST_SIGN.iter().find(|(sign, _)| Some(*sign) == last);
    let without_ending = alike.into_iter().flat_map(|(_, endings)| endings).find_map(|ending| {
        let shorter = stem.strip_suffix(ending)?;
        shorter.chars().nth(SHORTEST_STEM - 1).map(|_| shorter.len())
    });
    if let Some(length) = without_ending {
        stem.truncate(length);
    }
    stem
}

/// One spelling for those of long and short vowels, and of nasals, that writers mix.
fn spelled(folded: &str) -> String {
    let mut spelled = String::with_capacity(folded.len());
    let mut rest = folded.chars();
    while let Some(c) = rest.next() {
        let mut following = rest.clone();
        if following.next() == Some(VIRAMA)
            && following.next().is_some_and(|stop| is_nasal_of(c, stop))
        {
            spelled.push(ANUSVARA);
            rest.next();
            continue;
        }
        spelled.push(match c {
            'ऍ' | 'ऎ' | 'ऐ' => 'ए',
            'ऑ' | 'ऒ' | 'औ' => 'ओ',
            'आ' => 'अ',
            'ई' => 'इ',
            'ऊ' => 'उ',
            'ॅ' | 'ॆ' | 'ै' => 'े',
            'ॉ' | 'ॊ' | 'ौ' => 'ो',
            'ी' => 'ि',
            'ू' => 'ु',
            _ => c,
        });
    }
    spelled
}

/// Whether `nasal` is the one that is said with `stop`: हिन्दी is हिंदी, but तुम्हारा stays.
fn is_nasal_of(nasal: char, stop: char) -> bool {
    matches!(
        (nasal, stop),
        ('ङ', 'क'..='घ')
            | ('ञ', 'च'..='झ')
            | ('ण', 'ट'..='ढ')
            | ('न', 'त'..='ध')
            | ('म', 'प'..='भ')
    )
}
