//! Answers of the domain as messages of the wire.

use memoryd_proto::v1 as pb;
use pb::embedded_resource::Contents;
use pb::part::Kind;
use prost_types::Timestamp as WireTimestamp;
use sha2::{Digest, Sha256};

use super::status::Failure;
use crate::domain::{
    AddReceipt, Content, ContentError, Entry, EntryBody, EntryResult, Outcome, Timestamp,
};
use crate::engine::{Damage, ReadError};
use crate::recall::rank::{Explanation, TermShare};

/// The results of an addition.
pub(super) fn results(receipt: AddReceipt) -> (Vec<pb::EntryResult>, u64) {
    let AddReceipt { results, removed } = receipt;
    (results.into_iter().map(result).collect(), removed)
}

fn result(result: EntryResult) -> pb::EntryResult {
    let EntryResult { id, outcome } = result;
    let outcome = match outcome {
        Outcome::Created => pb::Outcome::Created,
        Outcome::Updated => pb::Outcome::Updated,
        Outcome::Unchanged => pb::Outcome::Unchanged,
        Outcome::Suppressed => pb::Outcome::Suppressed,
    };
    pb::EntryResult { entry_id: id.to_string(), outcome: outcome.into() }
}

/// An entry, with or without its blobs.
pub(super) fn entry(entry: Entry, omit_blobs: bool) -> Result<pb::Entry, Failure> {
    let Entry {
        id,
        project_id,
        session_id,
        author,
        timestamp,
        create_time,
        expire_time,
        body: EntryBody { content, metadata_json },
    } = entry;
    let mut content = Content::decode(content).map_err(|ContentError| {
        Failure::from(ReadError::Damaged { name: id.to_string(), damage: Damage::Undecodable })
    })?;
    if omit_blobs {
        omit(&mut content);
    }
    Ok(pb::Entry {
        entry_id: id.to_string(),
        project_id: project_id.map(|id| id.to_string()),
        session_id: session_id.map(|id| id.to_string()),
        content: Some(content),
        author: author.to_string(),
        timestamp: Some(time(timestamp)),
        create_time: Some(time(create_time)),
        expire_time: expire_time.map(time),
        metadata_json,
    })
}

/// An explanation.
pub(super) fn explanation(explanation: Explanation) -> pb::Explanation {
    let rank_value = explanation.rank_value();
    let Explanation {
        terms,
        session,
        author,
        time,
        meaning,
        likeness,
        own_likeness,
        agreement,
        score_by_words,
        score_by_meaning,
    } = explanation;
    pb::Explanation {
        rank_value,
        lexical: terms.iter().map(|term| term.share).sum::<f64>() + session + author + time,
        semantic: likeness,
        terms: terms.into_iter().map(term).collect(),
        session,
        author,
        time,
        time_agreement: agreement,
        meaning,
        own_semantic: own_likeness,
        score_by_rank: score_by_words.min(1.0),
        score_by_meaning: score_by_meaning.min(1.0),
    }
}

fn term(term: TermShare) -> pb::MatchedTerm {
    let TermShare { term, share, count, document_frequency, lent_by } = term;
    pb::MatchedTerm { term, share, term_frequency: count, document_frequency, lent_by }
}

fn time(timestamp: Timestamp) -> WireTimestamp {
    // A fraction of a second is below 10^9.
    let nanos = i32::try_from(timestamp.nanos()).unwrap_or_default();
    WireTimestamp { seconds: timestamp.seconds(), nanos }
}

/// Puts size and digest where blobs were.
fn omit(content: &mut pb::Content) {
    for part in &mut content.parts {
        match &mut part.kind {
            Some(Kind::InlineData(data)) => omit_inline(data),
            Some(Kind::FunctionResponse(response)) => {
                response.inline_data.iter_mut().for_each(omit_inline);
            }
            Some(Kind::EmbeddedResource(resource)) => {
                if let Some(Contents::Blob(blob)) = &resource.contents {
                    resource.contents = Some(Contents::Omitted(omitted(blob)));
                }
            }
            Some(Kind::Opaque(opaque)) => {
                if let Some(pb::opaque::Value::Data(blob)) = &opaque.value {
                    opaque.value = Some(pb::opaque::Value::Omitted(omitted(blob)));
                }
            }
            Some(
                Kind::Text(_)
                | Kind::Thinking(_)
                | Kind::FileData(_)
                | Kind::FunctionCall(_)
                | Kind::ServerToolCall(_)
                | Kind::ServerToolResponse(_),
            )
            | None => {}
        }
    }
}

fn omit_inline(data: &mut pb::InlineData) {
    data.omitted = Some(omitted(&data.data));
    data.data.clear();
}

fn omitted(blob: &[u8]) -> pb::OmittedBlob {
    pb::OmittedBlob { size: blob.len() as u64, sha256: Sha256::digest(blob).to_vec().into() }
}
