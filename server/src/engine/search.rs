//! Searching: ranked by words, filtered, cut, and handed out hit by hit (contract, section 5).

use std::sync::Arc;

use super::doc::Doc;
use super::error::ReadError;
use super::filter::admits;
use super::hit::SearchAnswer;
use super::sight::{Candidate, Sight, best_first};
use super::tenant::Tenant;
use super::{Engine, Interrupt, blocking};
use crate::domain::{SearchMode, SearchQuery, SearchStats};
use crate::recall::analysis::Query;
use crate::recall::rank::{Explainer, Question, rank};
use crate::store::ScopeDigest;

/// A search that reads at most this many postings and entries is done on the calling thread: less than
/// what handing it to another one costs.
const QUICK_SEARCH: u64 = 16_384;

/// A query longer than this, in bytes, is never quick: taking it apart costs about 0.1 µs a byte.
const QUICK_QUERY_BYTES: usize = 1_024;

impl Engine {
    /// Searches. Stops soon after `interrupt` is raised, and when the caller goes away.
    ///
    /// # Errors
    ///
    /// [`ReadError::Interrupted`], [`ReadError::NoEmbedder`], or that the store doesn't answer.
    pub async fn search(
        &self,
        query: SearchQuery,
        interrupt: Interrupt,
    ) -> Result<SearchAnswer, ReadError> {
        if query.mode == SearchMode::Semantic {
            return Err(ReadError::NoEmbedder);
        }
        let user = self.user_key(&query.scope.tenant);
        if query.text.len() <= QUICK_QUERY_BYTES
            && let Some(tenant) = self.current_tenant(user)
            && let Some(answer) = self.search_if_quick(&tenant, &query, &interrupt)
        {
            return answer;
        }
        self.make_ready(user).await?;
        let _given_up = interrupt.on_drop();
        let engine = self.clone();
        blocking(move || match engine.tenant(user)? {
            Some(tenant) => engine.search_tenant(&tenant, &query, &interrupt),
            None => Ok(SearchAnswer::default()),
        })
        .await?
    }

    fn search_if_quick(
        &self,
        tenant: &Arc<Tenant>,
        query: &SearchQuery,
        interrupt: &Interrupt,
    ) -> Option<Result<SearchAnswer, ReadError>> {
        // Chunked metadata would have to be read from the store.
        if !query.filter.metadata.is_empty() {
            return None;
        }
        let guard = tenant.try_read()?;
        let sight = Sight::of(self, &guard, &query.scope);
        let words = Query::parse(&query.text);
        let postings: u64 = words
            .terms()
            .iter()
            .flat_map(|term| sight.indexes.iter().map(|index| index.document_frequency(term)))
            .map(u64::from)
            .sum();
        let filtered = if query.filter.is_open() { 0 } else { sight.entries() };
        if postings + filtered > QUICK_SEARCH {
            return None;
        }
        Some(self.search_sight(tenant, &sight, query, &words, interrupt))
    }

    fn search_tenant(
        &self,
        tenant: &Arc<Tenant>,
        query: &SearchQuery,
        interrupt: &Interrupt,
    ) -> Result<SearchAnswer, ReadError> {
        let words = Query::parse(&query.text);
        let guard = tenant.read();
        let sight = Sight::of(self, &guard, &query.scope);
        self.search_sight(tenant, &sight, query, &words, interrupt)
    }

    fn search_sight(
        &self,
        tenant: &Arc<Tenant>,
        sight: &Sight<'_>,
        query: &SearchQuery,
        words: &Query,
        interrupt: &Interrupt,
    ) -> Result<SearchAnswer, ReadError> {
        let considered = self.considered(tenant, sight, query, interrupt)?;
        let mut stats = SearchStats { considered, ..SearchStats::default() };
        let question = Question::of_words(words.clone());
        let ranking = rank(&question, &sight.indexes, None, &|| interrupt.is_raised())
            .map_err(|_| ReadError::Interrupted)?;
        let mut candidates = Vec::with_capacity(ranking.matches.len());
        for matched in ranking.matches {
            // At every entry, here and below: metadata of a large one is read from the store, and an
            // explanation takes as long as the query is.
            if interrupt.is_raised() {
                return Err(ReadError::Interrupted);
            }
            let Some(doc) = sight.scopes[matched.scope].doc(matched.doc) else { continue };
            let scope = sight.digests[matched.scope];
            if !query.filter.is_open() && !self.passes(tenant, scope, query, doc) {
                continue;
            }
            stats.matched += 1;
            let score = narrowed(matched.score);
            if score < query.min_score {
                stats.cut_by_score += 1;
                continue;
            }
            candidates.push(Candidate { matched, doc, score });
        }
        stats.cut_by_limit = candidates.len().saturating_sub(query.limit) as u64;
        if candidates.len() > query.limit {
            if query.limit > 0 {
                candidates.select_nth_unstable_by(query.limit - 1, best_first);
            }
            candidates.truncate(query.limit);
        }
        candidates.sort_unstable_by(best_first);
        let explainer = query.explain.then(|| Explainer::new(&question, &sight.indexes));
        let mut hits = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            if interrupt.is_raised() {
                return Err(ReadError::Interrupted);
            }
            hits.push(sight.hit(tenant, query.context, explainer.as_ref(), candidate));
        }
        Ok(SearchAnswer { hits, stats })
    }

    /// How many entries scope and filter let the search look at.
    fn considered(
        &self,
        tenant: &Arc<Tenant>,
        sight: &Sight<'_>,
        query: &SearchQuery,
        interrupt: &Interrupt,
    ) -> Result<u64, ReadError> {
        if query.filter.is_open() {
            return Ok(sight.entries());
        }
        let mut considered = 0;
        for (scope, memory) in sight.digests.iter().zip(&sight.scopes) {
            for doc in memory.listing(None) {
                if interrupt.is_raised() {
                    return Err(ReadError::Interrupted);
                }
                considered += u64::from(self.passes(tenant, *scope, query, doc));
            }
        }
        Ok(considered)
    }

    fn passes(
        &self,
        tenant: &Arc<Tenant>,
        scope: ScopeDigest,
        query: &SearchQuery,
        doc: &Arc<Doc>,
    ) -> bool {
        admits(&query.filter, doc, &|doc| self.chunked_metadata(tenant, scope, doc))
    }

    /// Metadata of an entry whose body is in chunks; `None` when it has none or can't be read.
    pub(super) fn chunked_metadata(
        &self,
        tenant: &Tenant,
        scope: ScopeDigest,
        doc: &Doc,
    ) -> Option<String> {
        let rows = self.rows(tenant.user).ok().flatten()?;
        match rows.front(&scope, &doc.digest, &doc.record) {
            Ok(front) => front?.metadata_json,
            Err(error) => {
                tracing::error!(%error, "metadata can't be read, the entry fails the filter");
                None
            }
        }
    }
}

/// A score as the wire has it.
#[allow(clippy::cast_possible_truncation, reason = "a score has no more than a float's precision")]
fn narrowed(score: f64) -> f32 {
    score as f32
}
