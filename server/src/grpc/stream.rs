//! A search's answer as a stream: a hit is read and encoded when the client has taken the one before.

use std::pin::Pin;

use memoryd_proto::trailers;
use memoryd_proto::v1 as pb;
use tokio_stream::{Stream, StreamExt};
use tonic::metadata::{MetadataMap, MetadataValue};
use tonic::{Code, Status};

use super::response;
use super::status::Failure;
use crate::domain::SearchStats;
use crate::engine::{Engine, Found, Hit, Read, SearchAnswer};

/// The stream of a search.
pub(super) type HitStream = Pin<Box<dyn Stream<Item = Result<pb::SearchResponse, Status>> + Send>>;

/// Streams hits, then the counts in the trailers. A hit that is deleted before its turn is left out.
pub(super) fn hits(engine: Engine, answer: SearchAnswer, omit_blobs: bool) -> HitStream {
    let SearchAnswer { hits, stats } = answer;
    let ranked = (1_u32..).zip(hits);
    let messages = tokio_stream::iter(ranked)
        .then(move |(rank, hit)| {
            let engine = engine.clone();
            async move { message(&engine, rank, hit, omit_blobs).await }
        })
        .filter_map(Result::transpose)
        .map(|message| message.map_err(Status::from));
    // tonic has no other way to end a stream well with trailers of its own.
    let end = tokio_stream::once(Err(Status::with_metadata(Code::Ok, "", counts(stats))));
    Box::pin(messages.chain(end))
}

async fn message(
    engine: &Engine,
    rank: u32,
    hit: Hit,
    omit_blobs: bool,
) -> Result<Option<pb::SearchResponse>, Failure> {
    let Hit { found, score, before, after, explanation } = hit;
    let Read::Entry(entry) = engine.readable_entry(&found).await? else { return Ok(None) };
    let hit = pb::Hit {
        entry: Some(response::entry(entry, omit_blobs)?),
        score,
        rank,
        context_before: neighbours(engine, before, omit_blobs).await?,
        context_after: neighbours(engine, after, omit_blobs).await?,
        explanation: explanation.map(response::explanation),
    };
    Ok(Some(pb::SearchResponse { hit: Some(hit) }))
}

async fn neighbours(
    engine: &Engine,
    found: Vec<Found>,
    omit_blobs: bool,
) -> Result<Vec<pb::Entry>, Failure> {
    let mut entries = Vec::with_capacity(found.len());
    for neighbour in found {
        if let Read::Entry(entry) = engine.readable_entry(&neighbour).await? {
            entries.push(response::entry(entry, omit_blobs)?);
        }
    }
    Ok(entries)
}

fn counts(stats: SearchStats) -> MetadataMap {
    let SearchStats { considered, matched, cut_by_score, cut_by_limit } = stats;
    let mut metadata = MetadataMap::new();
    for (name, count) in [
        (trailers::CONSIDERED, considered),
        (trailers::MATCHED, matched),
        (trailers::CUT_BY_SCORE, cut_by_score),
        (trailers::CUT_BY_LIMIT, cut_by_limit),
    ] {
        metadata.insert(name, MetadataValue::from(count));
    }
    metadata
}
