//! Sealed values: they open where they belong, and nowhere else.

use super::*;

fn key(entry: u8) -> StorageKey {
    StorageKey::entry(&UserKey([1; 24]), &ScopeDigest([2; 16]), &EntryDigest([entry; 16]))
}

fn stored(data_key: &DataKey, content: &[u8]) -> Vec<u8> {
    let sealed = seal(data_key, &key(1), RecordType::Entry, content).unwrap();
    assert_eq!(sealed.stored_bytes(), content.len() + SEAL_OVERHEAD_BYTES);
    sealed.stamp(&key(1), 0x0102_0304_0506_0708)
}

#[test]
fn what_was_sealed_comes_back() {
    let data_key = DataKey::random(0).unwrap();
    for content in [&b""[..], b"content", &[0; MAX_VALUE_BYTES - SEAL_OVERHEAD_BYTES]] {
        let value = stored(&data_key, content);
        let header = RecordHeader {
            record_type: RecordType::Entry,
            generation: 0,
            commit: 0x0102_0304_0506_0708,
        };
        assert_eq!(read_header(key(1).as_bytes(), &value).unwrap(), header);
        let record = open(&data_key, key(1).as_bytes(), &value).unwrap();
        assert_eq!(record.header, header);
        assert_eq!(record.content, content);
    }
}

#[test]
fn the_same_content_is_never_stored_alike() {
    let data_key = DataKey::random(0).unwrap();
    assert_ne!(stored(&data_key, b"content"), stored(&data_key, b"content"));
}

#[test]
fn every_changed_bit_is_noticed() {
    let data_key = DataKey::random(0).unwrap();
    let value = stored(&data_key, b"content");
    for bit in 0..value.len() * 8 {
        let mut damaged = value.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(open(&data_key, key(1).as_bytes(), &damaged).is_err(), "bit {bit}");
    }
    for length in 0..value.len() {
        let cut = &value[..length];
        assert!(open(&data_key, key(1).as_bytes(), cut).is_err(), "length {length}");
    }
}

#[test]
fn a_value_moved_to_another_key_does_not_open() {
    let data_key = DataKey::random(0).unwrap();
    let value = stored(&data_key, b"content");
    assert_eq!(open(&data_key, key(2).as_bytes(), &value), Err(DamagedRecord::Header));
    // Even when somebody mends the checksum, which has no secret.
    let mended = SealedValue { bytes: value }.stamp(&key(2), 1);
    assert_eq!(open(&data_key, key(2).as_bytes(), &mended), Err(DamagedRecord::Undecipherable));
}

#[test]
fn a_value_read_as_another_type_or_format_does_not_open() {
    let data_key = DataKey::random(0).unwrap();
    let with_first_bytes = |format: u8, record_type: u8| {
        let mut bytes = stored(&data_key, b"content");
        bytes[0] = format;
        bytes[1] = record_type;
        let value = SealedValue { bytes }.stamp(&key(1), 1);
        open(&data_key, key(1).as_bytes(), &value)
    };
    assert!(with_first_bytes(1, RecordType::Entry as u8).is_ok());
    assert_eq!(
        with_first_bytes(1, RecordType::Tombstone as u8),
        Err(DamagedRecord::Undecipherable)
    );
    assert_eq!(with_first_bytes(1, 99), Err(DamagedRecord::UnknownType(99)));
    assert_eq!(with_first_bytes(2, 1), Err(DamagedRecord::UnknownFormat(2)));
}

#[test]
fn another_key_does_not_open() {
    let value = stored(&DataKey::random(0).unwrap(), b"content");
    assert_eq!(
        open(&DataKey::random(0).unwrap(), key(1).as_bytes(), &value),
        Err(DamagedRecord::Undecipherable)
    );
}

#[test]
fn a_value_tells_the_generation_of_its_key_and_opens_under_no_other() {
    let bytes = zeroize::Zeroizing::new([0xAB; 32]);
    let [old, new] = [0, 0x0102].map(|generation| DataKey::new(generation, bytes.clone()));
    let value = stored(&new, b"content");
    assert_eq!(value[2..4], [0x01, 0x02]);
    assert_eq!(read_header(key(1).as_bytes(), &value).unwrap().generation, 0x0102);
    assert_eq!(open(&new, key(1).as_bytes(), &value).unwrap().content, b"content");
    let other = Err(DamagedRecord::OtherKey { generation: 0x0102 });
    assert_eq!(open(&old, key(1).as_bytes(), &value), other);
    // Even with the same key bytes, a mended header doesn't make it another generation's.
    let mut changed = value;
    changed[2..4].copy_from_slice(&[0, 0]);
    let mended = SealedValue { bytes: changed }.stamp(&key(1), 1);
    assert_eq!(open(&old, key(1).as_bytes(), &mended), Err(DamagedRecord::Undecipherable));
}

#[test]
fn a_data_key_is_never_printed() {
    let data_key = DataKey::new(0, zeroize::Zeroizing::new([0xAB; 32]));
    assert_eq!(format!("{data_key:?}"), "DataKey(..)");
}
