//! Random operations on a store and on a plain map, with reopening in between: both must agree.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::super::sled::SledKeyspace;
use super::*;

#[derive(Debug, Clone)]
enum Step {
    Apply(Vec<Mutation>),
    Get(Vec<u8>),
    Scan(Vec<u8>, Vec<u8>, usize),
    Reopen,
}

/// Few and short keys, so that steps meet each other, many of them prefixes of one another.
fn key() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![Just(0_u8), Just(1), Just(0x7F), Just(0xFF)];
    proptest::collection::vec(byte, 0..5)
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let value = proptest::collection::vec(any::<u8>(), 0..600);
    prop_oneof![
        3 => (key(), value).prop_map(|(key, value)| Mutation::Put { key, value }),
        1 => key().prop_map(|key| Mutation::Delete { key }),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => proptest::collection::vec(mutation(), 0..40).prop_map(Step::Apply),
        3 => key().prop_map(Step::Get),
        3 => (key(), key(), 0..60_usize).prop_map(|(from, until, limit)| {
            Step::Scan(from, until, limit)
        }),
        1 => Just(Step::Reopen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn engines_agree_with_a_plain_map(steps in proptest::collection::vec(step(), 1..40)) {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("rows");
        let open_sled = || SledKeyspace::open(&folder, 1 << 20, Durability::Always, false).unwrap();
        let mut model = BTreeMap::<Vec<u8>, Vec<u8>>::new();
        let memory = MemoryKeyspace::default();
        let mut sled = Some(open_sled());
        for step in steps {
            if let Step::Reopen = step {
                drop(sled.take());
                sled = Some(open_sled());
                continue;
            }
            let engines: [&dyn Keyspace; 2] = [&memory, sled.as_ref().unwrap()];
            match step {
                Step::Apply(batch) => {
                    for engine in engines {
                        engine.apply(&batch).unwrap();
                    }
                    for mutation in batch {
                        match mutation {
                            Mutation::Put { key, value } => model.insert(key, value),
                            Mutation::Delete { key } => model.remove(&key),
                        };
                    }
                }
                Step::Get(key) => {
                    for engine in engines {
                        prop_assert_eq!(&engine.get(&key).unwrap(), &model.get(&key).cloned());
                    }
                }
                Step::Scan(from, until, limit) => {
                    let expected: Vec<Row> = if from < until {
                        let rows = model.range(from.clone()..until.clone()).take(limit);
                        rows.map(|(key, value)| (key.clone(), value.clone())).collect()
                    } else {
                        Vec::new()
                    };
                    for engine in engines {
                        prop_assert_eq!(&engine.scan(&from, &until, limit).unwrap(), &expected);
                    }
                }
                Step::Reopen => unreachable!("handled above"),
            }
        }
        drop(sled.take());
        let rows = open_sled().scan(b"", &[0xFF; 8], usize::MAX).unwrap();
        prop_assert_eq!(rows, model.into_iter().collect::<Vec<_>>());
    }
}
