//! The whole program over a set of its own, against a real server.

use std::path::Path;

use clap::Parser;
use tempfile::TempDir;

use crate::compare::comparison;
use crate::evaluate::{Evaluated, evaluate};
use crate::options::Options;
use crate::report::Report;
use crate::table::table;

fn write_set(folder: &Path, set: &str, corpus: &str, questions: &str, judgements: &str) {
    let folder = folder.join(set);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("corpus.jsonl"), corpus).unwrap();
    std::fs::write(folder.join("queries.dev.jsonl"), questions).unwrap();
    std::fs::write(folder.join("qrels.dev.jsonl"), judgements).unwrap();
}

/// Two conversations, two sessions in one of them, and a question of every kind.
fn write_talks(folder: &Path) {
    let said = |conv: &str, session: u8, turn: u8, author: &str, text: &str| {
        format!(
            r#"{{"id":"{conv}/{session}:{turn}","conv":"{conv}","session":{session},"author":"{author}","text":"{text}","ts":"9:05 am on {session} March, 2024"}}"#
        )
    };
    let corpus = [
        said("one", 1, 1, "Ann", "I bought a violin in Lisbon"),
        said("one", 1, 2, "Ben", "Mine is a cello"),
        said("one", 2, 10, "Ann", "The violin needs new strings"),
        said("two", 1, 1, "Cem", "We keep seven goats"),
        said("two", 1, 2, "Dee", "The barn roof leaks, as it never did in Lisbon"),
    ];
    let asked = |id: &str, conv: &str, cat: u8, text: &str| {
        format!(r#"{{"id":"{id}","conv":"{conv}","cat":{cat},"text":"{text}"}}"#)
    };
    let questions = [
        asked("q1", "one", 4, "Where did Ann buy the violin in Lisbon?"),
        asked("q2", "one", 1, "Who plays the cello?"),
        asked("q3", "two", 4, "How many goats are there?"),
        asked("q4", "two", 5, "What leaks?"),
        asked("q5", "two", 2, "Is there a zeppelin?"),
        asked("q6", "two", 2, "Nobody judged this one"),
    ];
    let judged = [
        ("q1", "one/1:1"),
        ("q2", "one/1:2"),
        ("q3", "two/1:1"),
        ("q4", "two/1:2"),
        ("q5", "two/1:2"),
    ];
    let judgements = judged.map(|(q, d)| format!(r#"{{"q":"{q}","d":"{d}"}}"#));
    write_set(folder, "talks", &corpus.join("\n"), &questions.join("\n"), &judgements.join("\n"));
}

fn write_sentences(folder: &Path) {
    let corpus = r#"{"id":"0.0.0","text":"Der Leuchtturm steht auf Sylt."}
{"id":"0.0.1","text":"Er ist rot."}
{"id":"0.1.0","text":"Die Bäckerei öffnet um sechs."}"#;
    let german = r#"{"id":"s1","text":"Wo steht der Leuchtturm?"}
{"id":"s2","text":"Wann öffnet die Bäckerei?"}"#;
    let other = r#"{"id":"s1","text":"Leuchtturm, waar staat hij?"}"#;
    let judgements = r#"{"q":"s1","d":"0.0.0"}
{"q":"s2","d":"0.1.0"}"#;
    write_set(folder, "facts-de-sent", corpus, german, judgements);
    write_set(folder, "facts-nl", corpus, other, judgements);
}

fn options(folder: &Path, rest: &str) -> Options {
    let words = ["memoryd-eval", folder.to_str().unwrap()].into_iter();
    Options::try_parse_from(words.chain(rest.split_whitespace())).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tiny_set_is_measured_and_answers_survive_a_restart() {
    let folder = TempDir::new().unwrap();
    write_talks(folder.path());
    write_sentences(folder.path());
    let line = "talks facts-de-sent facts-nl:facts-de-sent --restart --modes lexical,hybrid \
                --min-score 0 --at-least talks:R10=.75";
    let Evaluated { report, failures } = evaluate(&options(folder.path(), line)).await.unwrap();
    assert_eq!(failures, Vec::<String>::new());

    let names: Vec<_> =
        report.runs.iter().map(|run| format!("{} {}", run.name, run.mode)).collect();
    let expected = [
        "talks lexical",
        "talks hybrid",
        "facts-de-sent lexical",
        "facts-de-sent hybrid",
        "facts-nl:facts-de-sent lexical",
        "facts-nl:facts-de-sent hybrid",
    ];
    assert_eq!(names, expected);
    let talks = &report.runs[0];
    let counts: Vec<_> =
        talks.groups.iter().map(|group| (group.name.as_str(), group.questions)).collect();
    assert_eq!(counts, [("1-4", 4), ("1", 1), ("2", 1), ("4", 2), ("5", 1)]);
    // Three of four: nobody ever spoke of zeppelins.
    assert_eq!(talks.groups[0].r10.unwrap().value, 0.75);
    assert_eq!(talks.groups[3].r1.unwrap().value, 1.0);
    assert_eq!(talks.groups[0].right_hits_sure.unwrap().value, 1.0);
    let wrong = talks.unrelated.as_ref().unwrap();
    assert_eq!((wrong.source.as_str(), wrong.questions), ("the wrong conversation", 5));
    assert_eq!(talks.speed.entries, 5);
    assert!(talks.speed.entries_per_second > 0.0 && talks.speed.p50_milliseconds > 0.0);

    let sentences = &report.runs[2];
    assert_eq!(sentences.groups[0].r1.unwrap().value, 1.0);
    assert_eq!(sentences.unrelated.as_ref().unwrap().source, "talks");
    let line = "facts-de-sent --unrelated-from own";
    let Evaluated { report: other, .. } = evaluate(&options(folder.path(), line)).await.unwrap();
    assert_eq!(other.runs[0].unrelated.as_ref().unwrap().source, "own-de");
    let across = &report.runs[4];
    assert_eq!(across.groups[0].questions, 1);
    assert_eq!(across.groups[0].r10.unwrap().value, 1.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_kept_shown_and_compared() {
    let folder = TempDir::new().unwrap();
    write_talks(folder.path());
    let line = "talks --modes lexical --min-score 0 --at-least R10=.8 --at-least nDCG10=.1 \
                --at-least 2/R3=.1 --at-least talks:9/R1=0 --at-least unrelated=.1";
    let Evaluated { report, failures } = evaluate(&options(folder.path(), line)).await.unwrap();
    let expected = [
        "talks (lexical): R@10 is 0.7500, not 0.8",
        "talks (lexical): 2: R@3 is 0.0000, not 0.1",
        "talks (lexical): 9: R@1 wasn't measured",
        "talks (lexical): unrelated sure is 0.2000, more than 0.1",
    ];
    assert_eq!(failures, expected);

    let path = folder.path().join("report.json");
    report.write(&path).unwrap();
    assert_eq!(Report::read(&path).unwrap(), report);
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(!kept.contains("violin"), "texts of a set are in the report");

    let shown = table(&report);
    assert!(shown.contains("talks  lexical  1-4"), "{shown}");
    let mut better = report.clone();
    for question in &mut better.runs[0].questions {
        question.r10 = 1.0;
    }
    let shown = comparison(&report, &better);
    assert!(shown.contains(".750→1.000 +.250"), "{shown}");
    better.runs[0].mode = "hybrid".to_owned();
    let shown = comparison(&report, &better);
    assert!(shown.contains("Not in the earlier run: talks (hybrid)."), "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_runs_is_left_as_it_was() {
    let folder = TempDir::new().unwrap();
    write_sentences(folder.path());
    let server = crate::server::Server::start().unwrap();
    let line = format!("facts-de-sent --url {}", server.url());
    // Twice: the second run must not find what the first one stored.
    for _ in 0..2 {
        let evaluated = evaluate(&options(folder.path(), &line)).await.unwrap();
        assert_eq!(evaluated.failures, Vec::<String>::new());
        assert_eq!(evaluated.report.runs[0].groups[0].r10.unwrap().value, 1.0);
    }
    let client = memoryd_client::MemoryClient::connect(server.url()).await.unwrap();
    let left = client.scope(crate::ingest::APPLICATION, "user").list().take(9).await.unwrap();
    assert!(left.is_empty());
    drop(client);
    server.stop().unwrap();
}
