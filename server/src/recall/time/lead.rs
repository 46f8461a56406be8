//! What stands ahead of a date: prepositions, articles, "the end of", the weekday.

use super::period::Third;
use super::reader::{Context, Reader};
use super::word::{Role, Word};

/// Words ahead of a date that belong to it.
pub(super) struct Lead {
    pub end: usize,
    pub context: Context,
    /// Whether a preposition of days is among them.
    pub on: bool,
    pub third: Option<Third>,
    /// Whether one is the name of a weekday, which only a day may follow.
    pub weekday: bool,
}

/// More words than stand ahead of a date.
const MOST_LEADS: usize = 5;

impl Reader<'_> {
    pub(super) fn lead(&self, at: usize, context: Context) -> Lead {
        let mut lead = Lead { end: at, context, on: false, third: None, weekday: false };
        for _ in 0..MOST_LEADS {
            let at = lead.end;
            if let Some(third) = self.third(at) {
                lead.third = Some(third);
                lead.context = Context::Within;
                lead.end = self.skip(at + 1, 1, |at| self.is_sign(at, &['-']));
                continue;
            }
            if self.is_last_unit_of(at) {
                lead.third = Some(Third::Last);
                lead.context = Context::Within;
                lead.end = at + 2;
                continue;
            }
            if self.find(at, |word| matches!(word, Word::Weekday(_)).then_some(())).is_some() {
                lead.weekday = true;
                lead.end = self.skip(at + 1, 1, |at| self.is_sign(at, &[',']));
                continue;
            }
            let within = self.is_ahead(at, Role::In);
            let on = self.is_ahead(at, Role::On);
            let of = self.is(at, Word::Of) && lead.third.is_some();
            if !(within
                || on
                || of
                || self.is(at, Word::Article)
                || self.is_ahead(at, Role::DayMark))
            {
                break;
            }
            if within {
                lead.context = Context::Within;
            }
            lead.on |= on;
            lead.end = at + 1;
        }
        lead
    }

    /// "the last week" of a month.
    fn is_last_unit_of(&self, at: usize) -> bool {
        let of = self.is(at + 2, Word::Of) || self.is_ahead(at + 2, Role::In);
        let month_at = at + 2 + usize::from(of);
        self.is_ahead(at, Role::Last)
            && self.unit(at + 1).is_some()
            && self.find(month_at, |word| matches!(word, Word::Month(..)).then_some(())).is_some()
    }

    fn third(&self, at: usize) -> Option<Third> {
        self.find(at, |word| match word {
            Word::Early => Some(Third::First),
            Word::Mid => Some(Third::Middle),
            Word::Late => Some(Third::Last),
            _ => None,
        })
    }
}
