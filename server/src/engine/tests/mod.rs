//! What happens between two steps of a write, stopped there.

mod footprint;
mod index_rows;
mod races;
mod slow_sync;
