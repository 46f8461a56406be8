//! Identifiers: opaque strings with a length and nothing else (contract, section 1).

use std::fmt;
use std::sync::Arc;

use super::limits::Limits;

/// Why a string is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Nothing there. A client that forgot to fill a field must not get answers that look right.
    #[error("must not be empty")]
    Empty,
    /// Longer than its kind may be.
    #[error("must be at most {limit} {unit} long, is {actual}")]
    TooLong {
        /// The longest allowed.
        limit: usize,
        /// What the length is counted in.
        unit: &'static str,
        /// The length found.
        actual: usize,
    },
    /// NUL ends strings in too many systems to be let in.
    #[error("must not contain NUL (U+0000)")]
    Nul,
}

fn check_bytes(value: &str, limit: usize) -> Result<(), IdError> {
    if value.is_empty() {
        return Err(IdError::Empty);
    }
    if value.len() > limit {
        return Err(IdError::TooLong { limit, unit: "bytes", actual: value.len() });
    }
    check_nul(value)
}

fn check_nul(value: &str) -> Result<(), IdError> {
    if value.contains('\0') { Err(IdError::Nul) } else { Ok(()) }
}

fn check_id(value: &str) -> Result<(), IdError> {
    check_bytes(value, Limits::ID_BYTES)
}

fn check_project_id(value: &str) -> Result<(), IdError> {
    if value.is_empty() {
        return Err(IdError::Empty);
    }
    let actual = value.chars().count();
    if actual > Limits::PROJECT_ID_CHARS {
        return Err(IdError::TooLong {
            limit: Limits::PROJECT_ID_CHARS,
            unit: "characters",
            actual,
        });
    }
    check_nul(value)
}

fn check_author(value: &str) -> Result<(), IdError> {
    if value.len() > Limits::AUTHOR_BYTES {
        return Err(IdError::TooLong {
            limit: Limits::AUTHOR_BYTES,
            unit: "bytes",
            actual: value.len(),
        });
    }
    Ok(())
}

macro_rules! identifier {
    ($(#[$documentation:meta])* $name:ident, $check:ident) => {
        $(#[$documentation])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks and takes an identifier.
            ///
            /// # Errors
            ///
            /// When the string is empty (unless the kind allows it), too long, or holds a NUL.
            pub fn new(value: impl Into<Arc<str>>) -> Result<Self, IdError> {
                let value = value.into();
                $check(&value)?;
                Ok(Self(value))
            }

            /// The identifier, byte for byte as it came.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, formatter)
            }
        }
    };
}

identifier!(
    /// The application that owns a memory.
    AppName,
    check_id
);
identifier!(
    /// The user whom a memory is about.
    UserId,
    check_id
);
identifier!(
    /// A session within a scope.
    SessionId,
    check_id
);
identifier!(
    /// An entry within a scope.
    EntryId,
    check_id
);
identifier!(
    /// A project of a user.
    ProjectId,
    check_project_id
);
identifier!(
    /// Who said something; may be empty.
    Author,
    check_author
);

/// Bytes of the digest that a derived entry id shows.
pub const DERIVED_ID_BYTES: usize = 16;

impl EntryId {
    /// The id that a digest stands for: 26 lower-case letters and digits.
    pub fn derived(digest: &[u8; DERIVED_ID_BYTES]) -> Self {
        let mut text = data_encoding::BASE32_NOPAD.encode(digest);
        text.make_ascii_lowercase();
        Self(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s1_ids_are_one_to_512_bytes_without_nul() {
        assert_eq!(UserId::new(""), Err(IdError::Empty));
        assert!(UserId::new("u".repeat(512)).is_ok());
        assert!(matches!(UserId::new("u".repeat(513)), Err(IdError::TooLong { actual: 513, .. })));
        assert_eq!(UserId::new("a\0b"), Err(IdError::Nul));
    }

    #[test]
    fn s1_project_ids_are_counted_in_characters() {
        assert!(ProjectId::new("日".repeat(256)).is_ok());
        assert!(matches!(ProjectId::new("é".repeat(257)), Err(IdError::TooLong { .. })));
        assert_eq!(ProjectId::new(""), Err(IdError::Empty));
    }

    #[test]
    fn adk_python_7063_no_identifier_is_reserved() {
        for id in
            ["user", "g", "global", "__direct__", "default", "null", " ", "..", "%", "a:b/c|d"]
        {
            assert_eq!(SessionId::new(id).map(|session| session.to_string()), Ok(id.to_owned()));
        }
    }
}
