//! How long a text takes: microseconds for texts of some lengths in pieces, the least and the
//! median of many runs.
//!
//! `cargo run --release -p memoryd-encoder --example speed`

use std::hint::black_box;
use std::time::Instant;

use memoryd_encoder::{Encoder, ModelError, Scratch, StaticTable};

const LENGTHS: [usize; 7] = [3, 13, 30, 39, 100, 256, 512];
const RUNS: usize = 400;

fn main() -> Result<(), ModelError> {
    let start = Instant::now();
    let encoder = Encoder::builtin()?;
    let table = StaticTable::builtin()?;
    report("start", 0, vec![start.elapsed().as_secs_f64()]);
    let mut scratch = Scratch::default();
    for length in LENGTHS {
        let text = text_of(&encoder, length);
        report("encoder", length, times(|| encoder.encode_with(&mut scratch, &text)));
        report("encoder, new scratch", length, times(|| encoder.encode(&text)));
        report("pieces", length, times(|| encoder.pieces(&text)));
        report("table", length, times(|| table.encode(&text)));
    }
    for part in ["a", "e\u{301}", "語"] {
        let text = part.repeat((1 << 20) / part.len());
        report("encoder, 1 MiB word", encoder.pieces(&text).len(), times(|| encoder.encode(&text)));
        report("table, 1 MiB word", 0, times(|| table.encode(&text)));
    }
    Ok(())
}

/// A text of `length` pieces, the marks at its ends included.
fn text_of(encoder: &Encoder, length: usize) -> String {
    let words = "The night train to Lisbon was late again so we shared bread olives and cold tea with a nurse \
                 who knew every station by its smell and told us stories until the sea came into view";
    let mut text = String::new();
    for word in words.split(' ').cycle() {
        if encoder.pieces(&text).len() >= length {
            break;
        }
        text.push(' ');
        text.push_str(word);
    }
    text
}

fn times<T>(mut run: impl FnMut() -> T) -> Vec<f64> {
    let mut once = || {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(|_| once()).collect()
}

#[expect(clippy::print_stdout, reason = "a report for a person")]
fn report(what: &str, pieces: usize, mut seconds: Vec<f64>) {
    seconds.sort_by(f64::total_cmp);
    let at = |index: usize| seconds.get(index).copied().unwrap_or_default() * 1e6;
    println!("{what:20} {pieces:4} pieces {:9.1} µs, median {:9.1}", at(0), at(seconds.len() / 2));
}
