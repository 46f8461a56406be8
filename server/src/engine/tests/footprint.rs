//! What a warm entry takes. Memory is a process's, so it is measured in one of its own.

use std::io::Write;
use std::process::Command;

use memoryd_proto::v1 as pb;

use crate::domain::{Author, Content, EntryId, SessionId, Timestamp, Violations};
use crate::engine::body::encode_inline;
use crate::engine::doc::Doc;
use crate::engine::record::{Record, StoredBody};
use crate::engine::scope_memory::{Addition, ScopeMemory};
use crate::recall::analysis::EntryTerms;
use crate::recall::vector::Vector;
use crate::store::EntryDigest;

const ENTRIES: u32 = 10_000;
const TEXT_BYTES: usize = 195;
const DIMS: usize = 256;

/// Set in the process that measures.
const MEASURING: &str = "MEMORYD_TEST_FOOTPRINT";

/// Words of a vocabulary as skewed as that of a language.
fn text(random: &mut fastrand::Rng) -> String {
    let mut text = String::new();
    while text.len() < TEXT_BYTES {
        let skewed = random.f64().powi(4) * 6_000.0;
        text.push_str(&format!(
            "{}{} ",
            ["wa", "te", "rol", "mi", "sun"][skewed as usize % 5],
            skewed as usize
        ));
    }
    text.truncate(TEXT_BYTES);
    text
}

fn addition(number: u32, random: &mut fastrand::Rng) -> Addition {
    let text = text(random);
    let terms = EntryTerms::of(&text);
    let kind = Some(pb::part::Kind::Text(text));
    let parts = vec![pb::Part { kind, extra_json: None }];
    let wire = pb::Content { role: "user".to_owned(), parts };
    let content = Content::check(wire, "content", &mut Violations::default());
    let time = Timestamp::new(1_700_000_000 + i64::from(number) * 60, 0).unwrap();
    let record = Record {
        id: EntryId::new(format!("{:032x}", random.u128(..))).unwrap(),
        project_id: None,
        session_id: Some(
            SessionId::new(format!("a session of a conversation {}", number / 30)).unwrap(),
        ),
        author: Author::new(["user", "assistant"][number as usize % 2].to_owned()).unwrap(),
        timestamp: time,
        create_time: time,
        expire_time: None,
        ordinal: number,
        timestamp_given: true,
        fingerprint: [number as u8; 32],
        body: StoredBody::Inline(encode_inline(&content, None)),
    };
    // As it is read from the store.
    let record = Record::decode(record.encode()).unwrap();
    let mut digest = EntryDigest([0; 16]);
    random.fill(&mut digest.0);
    let values: Vec<f32> = (0..DIMS).map(|_| random.f32() - 0.5).collect();
    Addition::new(record, digest, terms, Vector::quantise(&values))
}

fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1_024
}

fn tell(line: &str) {
    writeln!(std::io::stdout(), "{line}").unwrap();
}

fn measure() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut memory = ScopeMemory::default();
    let mut add = |from: u32, to: u32, memory: &mut ScopeMemory| {
        for first in (from..to).step_by(500) {
            let additions =
                (first..to.min(first + 500)).map(|number| addition(number, &mut random));
            memory.upsert(additions.collect(), &|_| unreachable!("nothing is replaced"));
        }
    };
    // What is allocated once is allocated now.
    add(0, 1_000, &mut memory);
    let before = (resident_bytes(), memory.approximate_bytes(), memory.index().approximate_bytes());
    add(1_000, 1_000 + ENTRIES, &mut memory);
    let after = (resident_bytes(), memory.approximate_bytes(), memory.index().approximate_bytes());
    let each = |before: usize, after: usize| after.saturating_sub(before) / ENTRIES as usize;
    tell(&format!(
        "resident {} estimated {} index {} doc {}",
        each(before.0, after.0),
        each(before.1, after.1),
        each(before.2, after.2),
        size_of::<Doc>()
    ));
}

#[cfg(target_os = "linux")]
#[test]
fn an_entry_of_195_bytes_takes_what_is_estimated_and_no_more_than_it_may() {
    if std::env::var_os(MEASURING).is_some() {
        return measure();
    }
    let name = "engine::tests::footprint::an_entry_of_195_bytes_takes_what_is_estimated_and_no_more_than_it_may";
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture", "--test-threads=1"])
        .env(MEASURING, "1")
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    let line = told.lines().find(|line| line.contains("resident ")).unwrap();
    tell(line);
    let number = |name: &str| -> f64 {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.nth(1).unwrap().parse().unwrap()
    };
    let (resident, estimated) = (number("resident"), number("estimated"));
    assert!(resident < MOST_BYTES, "{line}");
    assert!((0.85..1.15).contains(&(estimated / resident)), "{line}");
}

/// More than measured, since allocators differ.
const MOST_BYTES: f64 = 1_350.0;
