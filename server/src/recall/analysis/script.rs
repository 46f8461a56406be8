//! What a character is to the splitter.

use unicode_normalization::char::is_combining_mark;

/// Scripts of spaced words, as far as words of them are treated differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    /// Any other spaced script; two of them in one word stay together.
    Other,
}

/// What a character does to the run it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharClass {
    Letter(Script),
    /// A digit or another number sign: part of a word of any script.
    Number,
    Underscore,
    /// Han, Kana, Bopomofo and Yi, written without spaces, a word being one or two letters.
    Ideograph,
    Hangul,
    /// Thai, Lao, Khmer and Myanmar letters, written without spaces.
    Unspaced,
    /// A combining mark, which belongs to what stands before it.
    Mark,
    /// Invisible inside a word or a picture: joiners, soft hyphen, selectors, skin tones.
    Invisible,
    Pictograph,
    /// Half of a flag.
    RegionalIndicator,
    Separator,
}

/// The class of `c`, which is expected to come from a text in NFKC.
pub(super) fn classify(c: char) -> CharClass {
    match c {
        'a'..='z' | 'A'..='Z' => CharClass::Letter(Script::Latin),
        '0'..='9' => CharClass::Number,
        '_' => CharClass::Underscore,
        '\0'..='\u{7f}' => CharClass::Separator,
        // The bulk of what is written, ahead of the table look-ups.
        '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{24f}' => {
            CharClass::Letter(Script::Latin)
        }
        '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}' => CharClass::Letter(Script::Cyrillic),
        '\u{620}'..='\u{64a}' => CharClass::Letter(Script::Arabic),
        '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' => {
            CharClass::Ideograph
        }
        '\u{ac00}'..='\u{d7a3}' => CharClass::Hangul,
        _ => classify_the_rest(c),
    }
}

/// Whether `c` goes on with a spaced word of any script.
pub(super) fn is_within_word(c: char) -> bool {
    matches!(
        classify(c),
        CharClass::Letter(_)
            | CharClass::Number
            | CharClass::Underscore
            | CharClass::Mark
            | CharClass::Invisible
    )
}

/// Whether `text` begins within a spaced word.
pub(super) fn starts_within_word(text: &str) -> bool {
    text.chars().next().is_some_and(is_within_word)
}

/// The byte after the spaced word that goes on at `start`.
pub(super) fn word_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or("");
    rest.find(|c| !is_within_word(c)).map_or(text.len(), |length| start + length)
}

fn classify_the_rest(c: char) -> CharClass {
    if is_invisible(c) {
        return CharClass::Invisible;
    }
    if decimal_digit(c).is_some() {
        return CharClass::Number;
    }
    if is_ideograph(c) {
        return CharClass::Ideograph;
    }
    if is_combining_mark(c) {
        return CharClass::Mark;
    }
    // The letter apostrophes look like, and are typed as, the apostrophe, which is a separator.
    if matches!(c, '\u{2b9}'..='\u{2bf}') {
        return CharClass::Separator;
    }
    if c.is_alphabetic() {
        return class_of_letter(c);
    }
    if c.is_numeric() {
        return CharClass::Number;
    }
    match c {
        '\u{1f1e6}'..='\u{1f1ff}' => CharClass::RegionalIndicator,
        _ if is_pictograph(c) => CharClass::Pictograph,
        _ => CharClass::Separator,
    }
}

fn class_of_letter(c: char) -> CharClass {
    match c {
        '\u{1100}'..='\u{11ff}'
        | '\u{3131}'..='\u{318e}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' => CharClass::Hangul,
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{a9e0}'..='\u{a9ff}'
        | '\u{aa60}'..='\u{aa7f}' => CharClass::Unspaced,
        _ => CharClass::Letter(script_of_letter(c)),
    }
}

fn script_of_letter(c: char) -> Script {
    match c {
        '\u{aa}'..='\u{2b8}'
        | '\u{1d00}'..='\u{1dbf}'
        | '\u{1e00}'..='\u{1eff}'
        | '\u{2c60}'..='\u{2c7f}'
        | '\u{a722}'..='\u{a7ff}'
        | '\u{ab30}'..='\u{ab69}' => Script::Latin,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Script::Greek,
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => {
            Script::Cyrillic
        }
        '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' | '\u{870}'..='\u{8ff}' => Script::Arabic,
        _ => Script::Other,
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3021}'..='\u{3029}'
        | '\u{3031}'..='\u{3035}'
        | '\u{3038}'..='\u{303c}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{3105}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a000}'..='\u{a48c}'
        | '\u{f900}'..='\u{faff}'
        | '\u{1aff0}'..='\u{1b16f}'
        | '\u{20000}'..='\u{3fffd}')
}

/// Whether folding drops `c` wherever it stands, without a trace and without parting a word.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}'
        | '\u{34f}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200c}'..='\u{200d}'
        | '\u{2060}'..='\u{2064}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// The emoji of Unicode's `Extended_Pictographic`, without arrows, squares and marks of trade.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{231a}'..='\u{231b}'
        | '\u{2328}'
        | '\u{23cf}'
        | '\u{23e9}'..='\u{23f3}'
        | '\u{23f8}'..='\u{23fa}'
        | '\u{2600}'..='\u{2605}'
        | '\u{2607}'..='\u{2612}'
        | '\u{2614}'..='\u{2685}'
        | '\u{2690}'..='\u{2705}'
        | '\u{2708}'..='\u{2712}'
        | '\u{2714}'
        | '\u{2716}'
        | '\u{271d}'
        | '\u{2721}'
        | '\u{2728}'
        | '\u{2733}'..='\u{2734}'
        | '\u{2744}'
        | '\u{2747}'
        | '\u{274c}'
        | '\u{274e}'
        | '\u{2753}'..='\u{2755}'
        | '\u{2757}'
        | '\u{2763}'..='\u{2767}'
        | '\u{2795}'..='\u{2797}'
        | '\u{27a1}'
        | '\u{27b0}'
        | '\u{27bf}'
        | '\u{2b50}'
        | '\u{2b55}'
        | '\u{1f000}'..='\u{1f0ff}'
        | '\u{1f170}'..='\u{1f1e5}'
        | '\u{1f200}'..='\u{1f3fa}'
        | '\u{1f400}'..='\u{1faff}')
}

/// Zeros of the decimal digits that people write numbers with beside the ASCII ones.
const ZEROS: [char; 18] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}',
    '\u{be6}', '\u{c66}', '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}',
    '\u{17e0}', '\u{1810}',
];

/// The ASCII digit of the same value, if `c` is a decimal digit of another script.
pub(super) fn decimal_digit(c: char) -> Option<char> {
    if !('\u{660}'..='\u{1819}').contains(&c) {
        return None;
    }
    let value = ZEROS
        .iter()
        .find_map(|&zero| u32::from(c).checked_sub(u32::from(zero)).filter(|&value| value < 10))?;
    char::from_digit(value, 10)
}
