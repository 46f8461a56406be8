//! Times of the wire.

use prost_types::Timestamp as WireTimestamp;

use crate::domain::{Timestamp, Violations};

/// A time that may be unset.
pub(super) fn optional_time(
    wire: Option<WireTimestamp>,
    field: &str,
    violations: &mut Violations,
) -> Option<Timestamp> {
    let WireTimestamp { seconds, nanos } = wire?;
    violations.check(field, Timestamp::new(seconds, nanos))
}
