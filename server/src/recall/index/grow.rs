//! Columns: a value for each doc number.

/// Makes room for `at`. Grows by an eighth: doubling would cost a scope up to half of its memory.
pub(super) fn make_room<T: Clone>(column: &mut Vec<T>, at: usize, nothing: T) {
    if at < column.len() {
        return;
    }
    let wanted = at + 1;
    if wanted > column.capacity() {
        let ahead = (wanted / 8).max(8);
        column.reserve_exact(wanted + ahead - column.len());
    }
    column.resize(wanted, nothing);
}
