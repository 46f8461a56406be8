//! What is wrong with a request, all of it at once.

/// One bad field of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Path of the field, such as `entries[2].content.parts[0].inline_data.data`.
    pub field: String,
    /// What is wrong and what would be right, for a person.
    pub description: String,
}

/// Collects the violations of one request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    found: Vec<Violation>,
    /// How many there were beyond [`Violations::MAX_KEPT`].
    dropped: usize,
}

impl Violations {
    /// How many violations are kept: an answer's trailers have little room.
    pub const MAX_KEPT: usize = 16;

    /// Notes a violation.
    pub fn add(&mut self, field: impl Into<String>, description: impl Into<String>) {
        if self.found.len() == Self::MAX_KEPT {
            self.dropped += 1;
            return;
        }
        self.found.push(Violation { field: field.into(), description: description.into() });
    }

    /// Notes the error of a check and turns its value into an option.
    pub fn check<T, E: std::fmt::Display>(
        &mut self,
        field: &str,
        checked: Result<T, E>,
    ) -> Option<T> {
        match checked {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(field, error.to_string());
                None
            }
        }
    }

    /// Whether nothing was wrong.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The violations that were kept, in the order of their discovery.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.found.iter()
    }

    /// How many violations were found beyond those kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }
}

impl std::fmt::Display for Violations {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, violation) in self.found.iter().enumerate() {
            if position > 0 {
                formatter.write_str("; ")?;
            }
            write!(formatter, "{}: {}", violation.field, violation.description)?;
        }
        if self.dropped > 0 {
            write!(formatter, "; and {} more", self.dropped)?;
        }
        Ok(())
    }
}
