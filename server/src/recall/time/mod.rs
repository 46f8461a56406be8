//! Time: date words of a question become days.
//!
//! ```text
//! question ─ folded characters ─ tokens of each language ─ matches ─ periods of days
//!            (text)              (lexicon, token, digits)  (lead, written, year, relative, range)
//! ```
//!
//! A language is a table of words; the grammar is one for all. What may be a date or not is none:
//! a date that is missed leaves a question as it was, one that is invented hides its answer.

mod calendar;
pub mod constants;
mod digits;
mod lead;
mod lexicon;
mod numeral;
mod period;
mod range;
mod reader;
mod relative;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod token;
mod word;
mod written;
mod year;

use constants::{LONGEST_QUESTION_BYTES, MOST_PASSES, MOST_PERIODS};
use lexicon::lexicons;
use period::Period;
use reader::{Match, Reader, Source};
use text::{BREAK, Text};

/// Date words of a question, and the question without them.
#[derive(Clone, Debug)]
pub struct DateWords {
    rest: String,
    /// At least one.
    periods: Vec<Period>,
}

/// Where date words stand in the normal text, in bytes, and what they mean.
struct Place {
    start: usize,
    end: usize,
    found: Match,
}

impl DateWords {
    /// Reads a question. `reference_day` is the day that "today" means, in days since 1970-01-01
    /// UTC. None: it holds no date words, or is longer than [`constants::LONGEST_QUESTION_BYTES`].
    pub fn find(question: &str, reference_day: i32) -> Option<Self> {
        if question.len() > LONGEST_QUESTION_BYTES {
            return None;
        }
        let mut all = Vec::new();
        let mut rest = None;
        // What is left may be in fewer scripts, and so be read in a language that it wasn't before.
        for _ in 0..MOST_PASSES {
            let text = Text::of(rest.as_deref().unwrap_or(question));
            let places = places(&text, i64::from(reference_day));
            if places.is_empty() {
                break;
            }
            let without_places = without(&text.normal, &places);
            all.extend(places.into_iter().map(|place| place.found));
            rest = Some(without_places);
        }
        Some(Self { rest: rest?, periods: periods(all) })
    }

    /// The question in NFKC, each run of date words replaced by a paragraph separator.
    pub fn rest(&self) -> &str {
        &self.rest
    }

    /// How well an event of a day, in days since 1970-01-01, agrees: 0 to 1.
    pub fn agreement(&self, day: i32) -> f64 {
        let day = i64::from(day);
        self.periods.iter().map(|period| period.agreement(day)).fold(0.0, f64::max)
    }
}

/// All date words, in order of the text and apart from each other.
fn places(text: &Text<'_>, reference_day: i64) -> Vec<Place> {
    let today = reference_day.clamp(calendar::FIRST, calendar::LAST);
    let mut found: Vec<Place> = Vec::new();
    for lexicon in lexicons() {
        let table = lexicon.table;
        let of_language = table.scripts.is_empty() || text.has_script(table.scripts);
        if !of_language || text.has_script(table.unless) {
            continue;
        }
        let tokens = token::tokens(text, lexicon);
        let reader = Reader::of(&tokens, table, today);
        if !reader.may_hold_dates() {
            continue;
        }
        let mut at = 0;
        while at < tokens.len() {
            let Some(next) = reader.expression(at).or_else(|| reader.no_date(at)) else {
                at += 1;
                continue;
            };
            let span = tokens.get(at).zip(tokens.get(next.end.saturating_sub(1)));
            at = next.end.max(at + 1);
            if let Some((first, last)) = span {
                found.push(Place { start: first.start, end: last.end, found: next });
            }
        }
    }
    // The longest reading of a place wins; readings of the same words all count.
    found.sort_by_key(|place| {
        (place.start, std::cmp::Reverse(place.end), !place.found.periods.is_empty())
    });
    let mut apart: Vec<Place> = Vec::new();
    for place in found {
        match apart.last_mut() {
            Some(last) if place.start < last.end => {
                let same = (place.start, place.end) == (last.start, last.end);
                if same && !last.found.periods.is_empty() {
                    last.found.periods.extend(place.found.periods);
                }
            }
            _ => apart.push(place),
        }
    }
    apart.retain(|place| !place.found.periods.is_empty());
    apart
}

/// The periods of all places. Beside a full date other words refer to it, not to today: "what did
/// we do last week, as of 3 May 2023?"
fn periods(matches: Vec<Match>) -> Vec<Period> {
    let dated = matches.iter().any(|found| matches!(found.source, Source::FullDate(_)));
    let counts = |found: &Match| !(dated && found.source == Source::Reference);
    let mut periods: Vec<Period> = Vec::new();
    for period in matches.into_iter().filter(counts).flat_map(|found| found.periods) {
        if periods.len() < MOST_PERIODS && !periods.contains(&period) {
            periods.push(period);
        }
    }
    periods
}

fn without(normal: &str, places: &[Place]) -> String {
    let mut rest = String::with_capacity(normal.len());
    let mut kept_to = 0;
    for place in places {
        rest.push_str(normal.get(kept_to..place.start).unwrap_or_default());
        rest.push(BREAK);
        kept_to = place.end;
    }
    rest.push_str(normal.get(kept_to..).unwrap_or_default());
    rest
}
