//! What every engine must do, asserted of each.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::sled::SledKeyspace;
use super::*;

/// Runs the test over every engine.
fn over_every_engine(test: impl Fn(&dyn Keyspace)) {
    test(&MemoryKeyspace::default());
    for durability in [Durability::Always, Durability::Relaxed] {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("rows");
        test(&SledKeyspace::open(&folder, 1 << 20, durability, false).unwrap());
    }
}

fn put(key: &[u8], value: &[u8]) -> Mutation {
    Mutation::Put { key: key.to_vec(), value: value.to_vec() }
}

fn delete(key: &[u8]) -> Mutation {
    Mutation::Delete { key: key.to_vec() }
}

#[test]
fn rows_come_in_the_order_of_their_bytes() {
    over_every_engine(|keyspace| {
        let keys: [&[u8]; 6] = [b"", b"\0", b"a", b"a\0", b"ab", b"\xFF\xFF"];
        let batch: Vec<_> = keys.iter().rev().map(|key| put(key, key)).collect();
        keyspace.apply(&batch).unwrap();
        let rows = keyspace.scan(b"", b"\xFF\xFF\xFF", 100).unwrap();
        assert_eq!(rows, keys.map(|key| (key.to_vec(), key.to_vec())).to_vec());
        let names = keyspace.scan_keys(b"", b"\xFF\xFF\xFF", 100).unwrap();
        assert_eq!(names, keys.map(<[u8]>::to_vec).to_vec());
    });
}

#[test]
fn a_range_holds_its_start_but_not_its_end() {
    over_every_engine(|keyspace| {
        keyspace.apply(&[put(b"a", b"1"), put(b"b", b"2"), put(b"c", b"3")]).unwrap();
        let keys = |from: &[u8], until: &[u8], limit| {
            let rows = keyspace.scan(from, until, limit).unwrap();
            let names = keyspace.scan_keys(from, until, limit).unwrap();
            assert_eq!(names, rows.iter().map(|row| row.0.clone()).collect::<Vec<_>>());
            names.concat()
        };
        assert_eq!(keys(b"a", b"c", 10), b"ab");
        assert_eq!(keys(b"a\0", b"c\0", 10), b"bc");
        assert_eq!(keys(b"a", b"c", 1), b"a");
        assert_eq!(keys(b"a", b"c", 0), b"");
        assert_eq!(keys(b"b", b"b", 10), b"");
        assert_eq!(keys(b"c", b"a", 10), b"");
    });
}

#[test]
fn paging_gives_each_row_once() {
    over_every_engine(|keyspace| {
        let batch: Vec<_> =
            (0..2_500_u32).map(|number| put(&number.to_be_bytes(), b"value")).collect();
        keyspace.apply(&batch).unwrap();
        let mut seen = Vec::new();
        let mut from = Vec::new();
        loop {
            let page = keyspace.scan(&from, b"\xFF", 97).unwrap();
            let Some((last, _)) = page.last() else { break };
            from = last.clone();
            from.push(0);
            seen.extend(page.into_iter().map(|(key, _)| key));
        }
        let expected: Vec<_> = (0..2_500_u32).map(|number| number.to_be_bytes().to_vec()).collect();
        assert_eq!(seen, expected);
    });
}

#[test]
fn the_last_change_to_a_key_counts() {
    over_every_engine(|keyspace| {
        keyspace.apply(&[put(b"kept", b"1"), delete(b"kept"), put(b"kept", b"2")]).unwrap();
        keyspace.apply(&[put(b"gone", b"1"), delete(b"gone"), delete(b"never there")]).unwrap();
        assert_eq!(keyspace.get(b"kept").unwrap(), Some(b"2".to_vec()));
        assert_eq!(keyspace.get(b"gone").unwrap(), None);
    });
}

#[test]
fn a_batch_over_a_limit_leaves_everything_as_it_was() {
    over_every_engine(|keyspace| {
        let KeyspaceLimits { value_bytes, batch_bytes } = keyspace.limits();
        let largest = vec![7; value_bytes];
        keyspace.apply(&[put(b"largest", &largest)]).unwrap();
        assert_eq!(keyspace.get(b"largest").unwrap(), Some(largest.clone()));
        let larger = vec![7; value_bytes + 1];
        assert!(matches!(
            keyspace.apply(&[put(b"first", b""), put(b"second", &larger)]),
            Err(ApplyError::ValueTooLarge { bytes, limit }) if bytes == limit + 1
        ));
        let rows = batch_bytes / value_bytes + 1;
        let many: Vec<_> = (0..rows as u64).map(|row| put(&row.to_be_bytes(), &largest)).collect();
        assert!(matches!(keyspace.apply(&many), Err(ApplyError::BatchTooLarge { .. })));
        assert_eq!(keyspace.scan_keys(b"", b"\xFF", 10).unwrap().len(), 1);
        keyspace.health().unwrap();
    });
}

#[test]
fn a_scan_never_sees_half_of_a_batch() {
    const ROWS: u32 = 200;
    over_every_engine(|keyspace| {
        let done = AtomicBool::new(false);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                for round in 0..60_u32 {
                    let batch: Vec<_> = (0..ROWS)
                        .map(|row| put(&row.to_be_bytes(), &round.to_be_bytes()))
                        .collect();
                    keyspace.apply(&batch).unwrap();
                }
                done.store(true, Ordering::Release);
            });
            while !done.load(Ordering::Acquire) {
                let mut rounds: Vec<_> = keyspace
                    .scan(b"", b"\xFF", 1_000)
                    .unwrap()
                    .into_iter()
                    .map(|(_, round)| round)
                    .collect();
                assert!(rounds.is_empty() || rounds.len() == ROWS as usize);
                rounds.dedup();
                assert!(rounds.len() <= 1, "rows of {} batches", rounds.len());
            }
        });
    });
}

#[test]
fn sled_keeps_the_largest_rows_in_its_log() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("rows");
    let keyspace = SledKeyspace::open(&folder, 1 << 20, Durability::Always, false).unwrap();
    let value = vec![7; keyspace.limits().value_bytes];
    // Each user's key has a long common start, and rows come and go, so that leaves split and merge.
    for round in 0..4_u64 {
        let batch: Vec<_> = (0..1_000_u64)
            .map(|row| {
                let mut key = vec![9; 61];
                key.extend_from_slice(&(row * 7_919 % 1_000).to_be_bytes());
                match (row + round) % 4 {
                    0 => delete(&key),
                    _ => put(&key, &value),
                }
            })
            .collect();
        keyspace.apply(&batch).unwrap();
        let blobs = std::fs::read_dir(folder.join("blobs")).unwrap();
        assert_eq!(blobs.count(), 0);
    }
    assert!(keyspace.size_on_disk().unwrap() > 3_000 * 4_096);
}

#[test]
fn sled_opens_what_it_closed() {
    for durability in [Durability::Always, Durability::Relaxed] {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("rows");
        for round in 0..5_u32 {
            let keyspace = SledKeyspace::open(&folder, 1 << 20, durability, round > 0).unwrap();
            let rows = keyspace.scan_keys(b"", b"\xFF", 1_000).unwrap();
            assert_eq!(rows.len(), round as usize);
            keyspace.apply(&[put(&round.to_be_bytes(), b"")]).unwrap();
        }
    }
}

#[test]
fn sled_says_when_its_file_is_damaged_and_does_not_panic() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("rows");
    drop(SledKeyspace::open(&folder, 1 << 20, Durability::Always, false).unwrap());
    std::fs::write(folder.join("conf"), b"segment_size: much\nmore").unwrap();
    let error = SledKeyspace::open(&folder, 1 << 20, Durability::Always, true).err();
    assert!(matches!(error, Some(SledOpenError::Engine { .. })));
}
