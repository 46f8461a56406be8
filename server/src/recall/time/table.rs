//! The form of a language's date words: data, not code.

/// A writing system, to pass by the languages that a text can't be in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Greek,
    Cyrillic,
    Arabic,
    Devanagari,
    Thai,
    Hangul,
    Kana,
    Han,
}

/// Words of a language. A field holds alternatives parted by `|`; a pair holds those that stand
/// ahead of the date and those behind it. All are folded before they are compared. `~` marks an
/// expression that counts only beside a word that tells the language: "hier" is yesterday in French.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// A text with any of these is read in this language; none: every text.
    pub scripts: &'static [Script],
    /// A text with any of these is not.
    pub unless: &'static [Script],
    /// January first. `?` marks a name that needs a preposition or a number, `#` one that needs a
    /// number.
    pub months: [&'static str; 12],
    /// Monday first.
    pub weekdays: [&'static str; 7],
    /// Spring first.
    pub seasons: [&'static str; 4],
    pub weekend: &'static str,
    /// Whole expressions by days from the reference.
    pub days: &'static [(i64, &'static str)],
    /// Whole expressions: weeks, months and years from the reference's own.
    pub weeks: &'static [(i64, &'static str)],
    pub month_offsets: &'static [(i64, &'static str)],
    pub years: &'static [(i64, &'static str)],
    /// Day, week, month, year, in every number and case.
    pub units: [&'static str; 4],
    /// Forms that mean one unit without a numeral.
    pub one_unit: [&'static str; 4],
    /// Forms that mean two.
    pub two_units: [&'static str; 4],
    /// One to twelve.
    pub numbers: [&'static str; 12],
    pub last: (&'static str, &'static str),
    pub this: (&'static str, &'static str),
    pub next: (&'static str, &'static str),
    pub ago: (&'static str, &'static str),
    /// Prepositions of months and years.
    pub within: (&'static str, &'static str),
    /// Prepositions of weekdays and days.
    pub on: (&'static str, &'static str),
    pub since: (&'static str, &'static str),
    pub until: (&'static str, &'static str),
    pub before: (&'static str, &'static str),
    pub after: (&'static str, &'static str),
    pub year_mark: (&'static str, &'static str),
    pub month_mark: (&'static str, &'static str),
    pub day_mark: (&'static str, &'static str),
    pub decade: (&'static str, &'static str),
    /// What is added to a year of an era.
    pub eras: &'static [(i32, &'static str)],
    pub of: &'static str,
    pub article: &'static str,
    pub ordinal: &'static str,
    pub between: &'static str,
    pub and: &'static str,
    pub from: &'static str,
    pub to: &'static str,
    pub early: &'static str,
    pub mid: &'static str,
    pub late: &'static str,
    /// Words ahead that make a date no particular one: every, the same year's.
    pub unbound: &'static str,
    /// Expressions that hold date words but are no dates.
    pub nothing: &'static str,
    /// Endings that a word of this language may have, with or without an apostrophe.
    pub suffixes: &'static str,
    /// Whether a name with `?` beside a day must be capitalised.
    pub capital_months: bool,
    /// Whether "May 5" is written, the day behind the month.
    pub month_day: bool,
    /// Whether a weekday's name needs no preposition.
    pub weekdays_alone: bool,
    /// What a number of four digits may count, so that it is no year.
    pub amounts: &'static str,
    /// Words that tell that a text is in this language.
    pub telling: &'static str,
    /// Whether a year needs no preposition, as in "wer gewann 1972 die Wahl", if the language is told.
    pub years_alone: bool,
    /// Whether numbers are written 二〇二三 and 二十三.
    pub han_numerals: bool,
    /// Whether years are counted in the Buddhist era.
    pub buddhist: bool,
    /// Whether accents tell words apart.
    pub keeps_accents: bool,
}

/// A language without words: dates in digits.
pub(super) const DIGITS_ONLY: Table = Table {
    scripts: &[],
    unless: &[],
    months: [""; 12],
    weekdays: [""; 7],
    seasons: [""; 4],
    weekend: "",
    days: &[],
    weeks: &[],
    month_offsets: &[],
    years: &[],
    units: [""; 4],
    one_unit: [""; 4],
    two_units: [""; 4],
    numbers: [""; 12],
    last: ("", ""),
    this: ("", ""),
    next: ("", ""),
    ago: ("", ""),
    within: ("", ""),
    on: ("", ""),
    since: ("", ""),
    until: ("", ""),
    before: ("", ""),
    after: ("", ""),
    year_mark: ("", ""),
    month_mark: ("", ""),
    day_mark: ("", ""),
    decade: ("", ""),
    eras: &[],
    of: "",
    article: "",
    ordinal: "",
    between: "",
    and: "",
    from: "",
    to: "",
    early: "",
    mid: "",
    late: "",
    unbound: "",
    nothing: "",
    suffixes: "",
    capital_months: false,
    month_day: false,
    weekdays_alone: false,
    amounts: "",
    telling: "",
    years_alone: false,
    han_numerals: false,
    buddhist: false,
    keeps_accents: false,
};
