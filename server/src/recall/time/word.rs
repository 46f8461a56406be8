//! What a word of a language does in a date.

/// A unit that time is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// In the order of the tables.
pub(super) const UNITS: [Unit; 4] = [Unit::Day, Unit::Week, Unit::Month, Unit::Year];

/// What else must stand beside the name of a month before it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    /// A preposition or a number: "May".
    Context,
    /// A number: "Mar".
    Number,
}

/// What a word does to the date beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Last,
    This,
    Next,
    Ago,
    /// Makes a month or a number of four digits a date.
    In,
    /// Makes the name of a weekday a date.
    On,
    Since,
    Until,
    Before,
    After,
    YearMark,
    MonthMark,
    DayMark,
    Decade,
}

/// Where a word with a role stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Ahead,
    Behind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// 1 to 12.
    Month(u32, Needs),
    /// Days after Monday.
    Weekday(i64),
    Weekend,
    /// 0 is spring.
    Season(u32),
    /// Days from the reference.
    Day(i64),
    /// Units from the reference's own.
    Period(Unit, i64),
    Unit(Unit),
    /// So many units in one word: "неделю", "يومين".
    Units(u32, Unit),
    Number(u32),
    Mark(Role, Side),
    /// What is added to a year of this era.
    Era(i32),
    Of,
    Article,
    Ordinal,
    Between,
    And,
    From,
    To,
    Early,
    Mid,
    Late,
    Unbound,
    /// Tells that a text is in the language.
    Telling,
    /// The expression counts only if the language is told.
    Doubtful,
    Amount,
    /// No date, though it looks like one.
    Nothing,
}

impl Word {
    /// Whether it names a time or a unit of it, as some word of every date does that isn't written
    /// in digits alone.
    pub(super) fn names_time(self) -> bool {
        matches!(
            self,
            Self::Month(..)
                | Self::Weekday(_)
                | Self::Weekend
                | Self::Season(_)
                | Self::Day(_)
                | Self::Period(..)
                | Self::Unit(_)
                | Self::Units(..)
                | Self::Mark(Role::MonthMark, _)
                | Self::Era(_)
                | Self::Nothing
        )
    }
}
