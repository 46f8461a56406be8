//! Searches of the wire.

use memoryd_proto::v1 as pb;

use super::filter::filter;
use super::finish;
use super::scope::scope;
use super::time::optional_time;
use crate::domain::{Limits, SearchMode, SearchQuery, Violations};

/// The search that a request asks for, and whether to leave blobs out.
pub(in crate::grpc) fn search(
    request: pb::SearchRequest,
) -> Result<(SearchQuery, bool), Violations> {
    let pb::SearchRequest {
        app_name,
        user_id,
        project_id,
        query,
        limit,
        min_score,
        mode,
        filter: wire_filter,
        context,
        explain,
        omit_blobs,
        reference_time,
    } = request;
    let mut violations = Violations::default();
    let scope = scope(app_name, user_id, project_id, &mut violations);
    check_query(&query, Limits::QUERY_BYTES, &mut violations);
    let min_score = min_score.unwrap_or(0.0);
    // NaN is in no range.
    if !(0.0..=1.0).contains(&min_score) {
        violations.add("min_score", format!("must lie between 0 and 1, is {min_score}"));
    }
    if context > Limits::CONTEXT {
        violations.add("context", format!("must be at most {}, is {context}", Limits::CONTEXT));
    }
    let mode = search_mode(mode, &mut violations);
    let filter = filter(wire_filter, &mut violations);
    let reference_time = optional_time(reference_time, "reference_time", &mut violations);
    let query = scope.map(|scope| SearchQuery {
        scope,
        text: query,
        limit: usize::try_from(limit.unwrap_or(Limits::DEFAULT_HITS)).unwrap_or(usize::MAX),
        min_score,
        mode,
        filter,
        context: usize::try_from(context).unwrap_or(usize::MAX),
        explain,
        reference_time,
    });
    finish(query, violations).map(|query| (query, omit_blobs))
}

/// Notes a query that is too long.
pub(super) fn check_query(query: &str, limit: usize, violations: &mut Violations) {
    if query.len() > limit {
        let length = query.len();
        violations.add("query", format!("must be at most {limit} bytes long, is {length}"));
    }
}

fn search_mode(wire: i32, violations: &mut Violations) -> SearchMode {
    match pb::SearchMode::try_from(wire) {
        Ok(pb::SearchMode::Unspecified | pb::SearchMode::Hybrid) => SearchMode::Hybrid,
        Ok(pb::SearchMode::Lexical) => SearchMode::Lexical,
        Ok(pb::SearchMode::Semantic) => SearchMode::Semantic,
        Err(_) => {
            violations.add("mode", format!("has no value {wire}"));
            SearchMode::Hybrid
        }
    }
}
