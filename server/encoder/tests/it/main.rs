//! The built-in models against their specification, and against text that nobody meant well with.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod files;
mod hostile;
mod meaning;
mod reference;
