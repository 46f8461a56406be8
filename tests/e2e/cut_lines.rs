//! Section 4: a call whose client dies is done whole or not at all, and sending it again is safe.

use memoryd_proto::v1::Outcome::{Created, Unchanged};
use memoryd_proto::v1::*;
use prost::Message;

use crate::harness::{
    GLOBAL, SlowCall, TestServer, framed, listed, named, new_entry, open_to_cut, outcomes,
};

crate::on_every_store!(jetcd_1444_a_line_cut_at_any_stage_of_an_add_leaves_all_or_nothing);

/// When the client dies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Headers,
    LengthPrefix,
    HalfTheMessage,
    AllButTheEnd,
    Sent,
    AnswerBegun,
}

const STAGES: [Stage; 6] = [
    Stage::Headers,
    Stage::LengthPrefix,
    Stage::HalfTheMessage,
    Stage::AllButTheEnd,
    Stage::Sent,
    Stage::AnswerBegun,
];

const ENTRIES: usize = 40;

async fn jetcd_1444_a_line_cut_at_any_stage_of_an_add_leaves_all_or_nothing(server: TestServer) {
    for stage in STAGES {
        for replace in [false, true] {
            let session = format!("{stage:?} {replace}");
            // With and without ids, since a retry must find both again.
            let mut entries: Vec<_> =
                (1..ENTRIES).map(|n| named(&format!("{session} {n}"), &session)).collect();
            entries.push(new_entry(&session));
            let request = match replace {
                true => GLOBAL.replacement(&session, entries),
                false => GLOBAL.session(&session, entries),
            };
            cut(&server, stage, &request).await;
            // Whatever became of it: the whole of it is there, or nothing, and a retry completes it.
            let calls = server.calls().await;
            let before =
                listed(&calls, GLOBAL).await.iter().filter(|text| **text == session).count();
            assert!(before == 0 || before == ENTRIES, "{stage:?}: {before} of {ENTRIES} are there");
            let retry = outcomes(&calls.add_session(request).await.unwrap().results);
            assert!(retry == [Created; ENTRIES] || retry == [Unchanged; ENTRIES], "{retry:?}");
            match stage {
                Stage::AnswerBegun => {
                    assert_eq!(retry, [Unchanged; ENTRIES], "it was acknowledged")
                }
                Stage::Sent => {}
                _ => assert_eq!(retry, [Created; ENTRIES], "the message never came whole"),
            }
            let after =
                listed(&calls, GLOBAL).await.iter().filter(|text| **text == session).count();
            assert_eq!(after, ENTRIES, "{stage:?}");
        }
    }
}

/// Sends a request as far as the stage, then cuts the line.
async fn cut(server: &TestServer, stage: Stage, request: &AddSessionRequest) {
    let (connection, line) = open_to_cut(server).await;
    let mut call = SlowCall::begin(&connection, "AddSession").await;
    let message = framed(0, &request.encode_to_vec());
    let sent = match stage {
        Stage::Headers => 0,
        Stage::LengthPrefix => 5,
        Stage::HalfTheMessage => message.len() / 2,
        Stage::AllButTheEnd => message.len() - 1,
        Stage::Sent | Stage::AnswerBegun => message.len(),
    };
    call.send(message.slice(..sent), sent == message.len());
    if stage == Stage::AnswerBegun {
        call.headers().await;
    } else {
        // Calls of one line come in order: when this one is answered, the bytes above have come.
        connection.send("GetServerInfo", &[]).await;
    }
    line.abort();
}
