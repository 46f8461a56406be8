//! Asking questions, a few at the same time.

use std::time::{Duration, Instant};

use memoryd_client::proto::Hit;
use memoryd_client::{Error, MemoryClient, SearchTotals};
use prost::Message;
use tokio::task::JoinSet;

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

/// How questions are asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Manner {
    pub(crate) mode: Mode,
    /// Questions under way at the same time.
    pub(crate) at_once: u8,
}

/// An answer for each question, in the order of the questions.
pub(crate) async fn ask_all(
    client: &MemoryClient,
    manner: Manner,
    questions: &[Question],
    progress: &mut Progress,
) -> Vec<Result<Answer, Error>> {
    let mut waiting = questions.iter().enumerate();
    let mut asking = JoinSet::new();
    let mut answers = Vec::with_capacity(questions.len());
    loop {
        while asking.len() < usize::from(manner.at_once) {
            let Some((place, question)) = waiting.next() else { break };
            let (client, question) = (client.clone(), question.clone());
            asking.spawn(async move { (place, ask(&client, manner.mode, &question).await) });
        }
        let Some(answer) = asking.join_next().await else { break };
        match answer {
            Ok(answer) => answers.push(answer),
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
        progress.step("questions", answers.len(), questions.len());
    }
    answers.sort_unstable_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

async fn ask(client: &MemoryClient, mode: Mode, question: &Question) -> Result<Answer, Error> {
    let mut search = client
        .scope(APPLICATION, &question.user)
        .search(&question.text)
        .mode(mode.into())
        .limit(LIMIT);
    if let Some(time) = question.asked_at {
        search = search.reference_time(time);
    }
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
