//! Asking questions, one after the other, as one agent would.

use std::time::{Duration, Instant};

use memoryd_client::proto::Hit;
use memoryd_client::{Error, MemoryClient, SearchTotals};
use prost::Message;

use crate::ingest::APPLICATION;
use crate::options::Mode;
use crate::plan::Question;
use crate::progress::Progress;

/// Hits that every question asks for.
pub(crate) const LIMIT: u32 = 10;

/// What the server answered to one question.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Ids and scores of the hits, best first.
    pub(crate) hits: Vec<(String, f64)>,
    /// Every hit as encoded, then the counts of the trailers.
    pub(crate) bytes: Vec<u8>,
    /// From sending the question to the end of the stream.
    pub(crate) took: Duration,
}

/// An answer for each question, in order.
pub(crate) async fn ask_all(
    client: &MemoryClient,
    mode: Mode,
    questions: &[Question],
    progress: &mut Progress,
) -> Vec<Result<Answer, Error>> {
    let mut answers = Vec::with_capacity(questions.len());
    for question in questions {
        answers.push(ask(client, mode, question).await);
        progress.step("questions", answers.len(), questions.len());
    }
    answers
}

async fn ask(client: &MemoryClient, mode: Mode, question: &Question) -> Result<Answer, Error> {
    let search = client
        .scope(APPLICATION, &question.user)
        .search(&question.text)
        .mode(mode.into())
        .limit(LIMIT)
        .reference_time(question.asked_at);
    let begun = Instant::now();
    let (hits, totals) = search.send().await?.collect().await?;
    let took = begun.elapsed();
    let bytes = encoded(&hits, totals);
    let pairs = hits.into_iter().map(|hit| {
        let id = hit.entry.map(|entry| entry.entry_id).unwrap_or_default();
        (id, f64::from(hit.score))
    });
    Ok(Answer { hits: pairs.collect(), bytes, took })
}

fn encoded(hits: &[Hit], totals: Option<SearchTotals>) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        hits.iter().flat_map(Message::encode_length_delimited_to_vec).collect();
    if let Some(SearchTotals { considered, matched, cut_by_score, cut_by_limit }) = totals {
        for count in [considered, matched, cut_by_score, cut_by_limit] {
            bytes.extend(count.to_be_bytes());
        }
    }
    bytes
}
