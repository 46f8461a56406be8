//! Ranking: what a text's words are, which entries hold them, how well an entry answers a query.
//!
//! Pure: no I/O, no clock, no knowledge of stores, of the wire or of embedders. The same data and the
//! same query give the same bits, whatever the order in which entries arrived.

pub mod analysis;
pub mod constants;
pub mod index;
pub mod rank;
pub mod score;
pub mod time;
pub mod vector;
