//! The file `table.bin`, little-endian: `SEM4`, rows n, values of a row d and 0 as 32 bits each, n
//! scales as binary16, then d/2 bytes a row: value k in the low half of byte k, value k + d/2 in
//! the high one, each + 8.

use std::borrow::Cow;

use super::StaticTable;
use super::rows::Rows;
use crate::error::ModelError;
use crate::half::is_finite_binary16;

const MAGIC: u32 = u32::from_le_bytes(*b"SEM4");

/// Bytes before the scales.
const HEADER: usize = 16;

/// Checks a table; nothing is copied.
pub(super) fn read(file: Cow<'static, [u8]>) -> Result<Rows, ModelError> {
    let header = file.first_chunk::<HEADER>().map(|bytes| bytes.as_chunks::<4>().0);
    let Some(&[magic, rows, dimensions, reserved]) = header else {
        return Err(ModelError::Table("it is shorter than its header"));
    };
    if u32::from_le_bytes(magic) != MAGIC || u32::from_le_bytes(reserved) != 0 {
        return Err(ModelError::Table("it doesn't start as a table does"));
    }
    let rows = u32::from_le_bytes(rows) as usize;
    let dimensions = u32::from_le_bytes(dimensions) as usize;
    if !(2..=StaticTable::MOST_DIMENSIONS).contains(&dimensions) || !dimensions.is_multiple_of(2) {
        return Err(ModelError::Table("a row has an even number of values from 2 to 4096"));
    }
    let values_at = rows.checked_mul(2).and_then(|scales| scales.checked_add(HEADER));
    let values = rows.checked_mul(dimensions / 2);
    let size = values_at.zip(values).and_then(|(start, values)| start.checked_add(values));
    let Some(values_at) = values_at.filter(|_| size == Some(file.len())) else {
        return Err(ModelError::Table("its size doesn't fit its header"));
    };
    let scales = file.get(HEADER..values_at).unwrap_or_default().as_chunks::<2>().0;
    if !scales.iter().all(|&scale| is_finite_binary16(scale)) {
        return Err(ModelError::NotFinite("a scale of the static table".into()));
    }
    Ok(Rows::Nibbles { dimensions, file, scales_at: HEADER, values_at })
}
