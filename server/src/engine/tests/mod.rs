//! What happens between two steps of a write, stopped there.

mod races;
mod slow_sync;
