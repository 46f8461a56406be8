//! English.

use crate::recall::time::table::{DIGITS_ONLY, Script, Table};

pub(super) static ENGLISH: Table = Table {
    scripts: &[Script::Latin],
    months: [
        "january|#jan",
        "february|#feb",
        "?march|#mar",
        "?april|#apr",
        "?may",
        "?june|#jun",
        "july|#jul",
        "?august|#aug",
        "september|#sep|#sept",
        "october|#oct",
        "november|#nov",
        "december|#dec",
    ],
    weekdays: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    seasons: ["spring", "summer", "autumn|fall", "winter"],
    weekend: "weekend|week-end",
    days: &[
        (-2, "the day before yesterday|day before yesterday"),
        (-1, "yesterday|yesterday's|last night|last evening"),
        (0, "today|today's|tonight|tonight's|this morning|this afternoon|this evening"),
        (1, "tomorrow|tomorrow's"),
        (2, "the day after tomorrow|day after tomorrow"),
    ],
    weeks: &[
        (-2, "the week before last|week before last"),
        (-1, "last week's"),
        (0, "this week's"),
    ],
    month_offsets: &[
        (-2, "the month before last|month before last"),
        (-1, "last month's"),
        (0, "this month's"),
    ],
    years: &[
        (-2, "the year before last|year before last"),
        (-1, "last year's"),
        (0, "this year's"),
    ],
    units: ["day|days", "week|weeks", "month|months", "year|years"],
    numbers: [
        "one|a|an",
        "two|a couple of|couple of",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    ],
    last: ("last|past|previous", ""),
    this: ("this|current", ""),
    next: ("next|coming|upcoming", ""),
    ago: ("", "ago|earlier today"),
    within: (
        "in|during|throughout|within|as of|in the month of|month of|in the year|of the year|by the year|by|of",
        "",
    ),
    on: ("on|over|during|at", ""),
    since: ("since|ever since", ""),
    until: ("until|till|up to", ""),
    before: ("before|prior to", ""),
    after: ("after|following", ""),
    year_mark: ("year|the year|ad", ""),
    decade: ("", "s|'s"),
    of: "of|of the|of the year|in the year",
    article: "the",
    ordinal: "st|nd|rd|th",
    between: "between",
    and: "and",
    from: "from",
    to: "to|until|till|through",
    early: "early|early in|beginning of|the beginning of|start of|the start of|first half of|first week of|\
            the first week of|first weekend of|the first weekend of|first days of|the first days of",
    mid: "mid|middle of|the middle of",
    late: "late|late in|end of|the end of|second half of|last week of|the last week of|\
           last two weeks of|the last two weeks of|last weekend of|the last weekend of|\
           last days of|the last days of",
    amounts: "people|persons|dollars|euros|pounds|miles|meters|metres|feet|km|times|steps|words|\
              students|men|women|calories|items|pages|percent|members|bucks|users|points",
    unbound: "every|each|any|same|per|that",
    nothing: "than it is today|than today|october revolution|july monarchy|september 11th attacks|march hare|april fool|\
              may fourth movement|sunday times|black friday|good friday|ash wednesday|palm sunday|easter sunday|\
              sunday school|cyber monday|super tuesday|shrove tuesday|day one|march on|march of|\
              this year old|this time|today show|may day|may be|of may be|following day|\
              next day|next week or so later|friday the 13th|in a day|on a day",
    capital_months: true,
    month_day: true,
    ..DIGITS_ONLY
};
