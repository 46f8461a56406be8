//! Searching: ranked by words, by meaning where words don't settle it, filtered, cut, and handed out hit
//! by hit (contract, section 5).

use std::sync::Arc;

use super::doc::Doc;
use super::error::ReadError;
use super::filter::admits;
use super::hit::SearchAnswer;
use super::question::Asked;
use super::sight::Sight;
use super::tenant::Tenant;
use super::{Engine, Interrupt, blocking};
use crate::domain::{SearchMode, SearchQuery, SearchStats};
use crate::embed::Purpose;
use crate::recall::rank::{Explainer, Meaning, Question, Ranking, Wanted, rank_best};
use crate::recall::vector::QueryVector;
use crate::store::{ScopeDigest, UserKey};

/// A search that reads at most this many postings and entries is done on the calling thread: less than
/// what handing it to another one costs.
const QUICK_SEARCH: u64 = 16_384;

/// A query longer than this, in bytes, is never quick: taking it apart costs about 0.1 µs a byte.
const QUICK_QUERY_BYTES: usize = 1_024;

/// How far the words of a query get.
enum ByWords {
    /// They settle it, or there is nothing else to go by.
    Answer(SearchAnswer),
    /// The query's vector may find what its words don't.
    NeedsMeaning,
}

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
        if query.mode == SearchMode::Semantic && self.embedder().is_none() {
            return Err(ReadError::NoEmbedder);
        }
        self.parts.pace.note_call();
        let user = self.user_key(&query.scope.tenant);
        let (mut asked, mut words_tried) = (None, false);
        if query.text.len() <= QUICK_QUERY_BYTES
            && let Some(tenant) = self.current_tenant(user)
        {
            let parsed = Asked::parse(&query);
            let tried = self.search_if_quick(&tenant, &query, &parsed, &interrupt).transpose()?;
            if let Some(ByWords::Answer(answer)) = tried {
                return Ok(answer);
            }
            (asked, words_tried) = (Some(parsed), tried.is_some());
        }
        self.make_ready(user).await?;
        let _given_up = interrupt.on_drop();
        let engine = self.clone();
        blocking(move || {
            let asked = asked.unwrap_or_else(|| Asked::parse(&query));
            engine.search_thoroughly(user, &query, &asked, words_tried, &interrupt)
        })
        .await?
    }

    /// By words alone, on the calling thread; `None`: that would take too long.
    fn search_if_quick(
        &self,
        tenant: &Arc<Tenant>,
        query: &SearchQuery,
        asked: &Asked,
        interrupt: &Interrupt,
    ) -> Option<Result<ByWords, ReadError>> {
        // Chunked metadata would have to be read from the store.
        if !query.filter.metadata.is_empty() {
            return None;
        }
        if query.mode == SearchMode::Semantic {
            return None;
        }
        let guard = tenant.try_read()?;
        let sight = Sight::of(self, &guard, &query.scope);
        let filtered = if query.filter.is_open() { 0 } else { sight.entries() };
        let dated = if asked.is_dated() { sight.entries() } else { 0 };
        let explained =
            if query.explain { asked.terms() * sight.entries().min(query.limit as u64) } else { 0 };
        if asked.postings(&sight) + filtered + dated + explained > QUICK_SEARCH {
            return None;
        }
        Some(self.by_words(tenant, &sight, query, asked, interrupt))
    }

    /// By words and by meaning. Blocks.
    fn search_thoroughly(
        &self,
        user: UserKey,
        query: &SearchQuery,
        asked: &Asked,
        words_tried: bool,
        interrupt: &Interrupt,
    ) -> Result<SearchAnswer, ReadError> {
        let Some(tenant) = self.tenant(user)? else { return Ok(SearchAnswer::default()) };
        if !words_tried && query.mode != SearchMode::Semantic {
            let guard = tenant.read();
            let sight = Sight::of(self, &guard, &query.scope);
            match self.by_words(&tenant, &sight, query, asked, interrupt)? {
                ByWords::Answer(answer) => return Ok(answer),
                ByWords::NeedsMeaning => {}
            }
        }
        // Without holding the tenant: an endpoint may take its time.
        let question = asked.question(self.meaning(query)?);
        let guard = tenant.read();
        let sight = Sight::of(self, &guard, &query.scope);
        let ranking = self.ranking(&tenant, &sight, query, &question, interrupt)?;
        self.answer(&tenant, &sight, query, &question, ranking, interrupt)
    }

    fn by_words(
        &self,
        tenant: &Arc<Tenant>,
        sight: &Sight<'_>,
        query: &SearchQuery,
        asked: &Asked,
        interrupt: &Interrupt,
    ) -> Result<ByWords, ReadError> {
        let question = asked.question(None);
        let ranking = self.ranking(tenant, sight, query, &question, interrupt)?;
        let has_meaning = query.mode == SearchMode::Hybrid
            && self.embedder().is_some()
            && sight.indexes.iter().any(|index| index.vector_count() > 0);
        if has_meaning && !question.is_settled_by(ranking.best_by_words) {
            return Ok(ByWords::NeedsMeaning);
        }
        let answer = self.answer(tenant, sight, query, &question, ranking, interrupt)?;
        Ok(ByWords::Answer(answer))
    }

    /// What a query means. `None`: it holds nothing to embed, or the embedder doesn't answer and words
    /// can.
    fn meaning(&self, query: &SearchQuery) -> Result<Option<Meaning>, ReadError> {
        let Some(embedder) = self.embedder() else { return Ok(None) };
        let vectors = match embedder.embed(&[&query.text], Purpose::Query) {
            Ok(vectors) => vectors,
            Err(error) if query.mode == SearchMode::Semantic => return Err(error.into()),
            Err(error) => {
                tracing::warn!(%error, "a query could not be embedded, it is answered by words");
                return Ok(None);
            }
        };
        let vector = vectors.first().and_then(Option::as_deref).and_then(QueryVector::quantise);
        Ok(vector.map(|vector| Meaning { vector, calibration: embedder.calibration() }))
    }

    fn ranking(
        &self,
        tenant: &Arc<Tenant>,
        sight: &Sight<'_>,
        query: &SearchQuery,
        question: &Question<'_>,
        interrupt: &Interrupt,
    ) -> Result<Ranking, ReadError> {
        let passes = |scope: usize, number: u32| {
            // At every entry: metadata of a large one is read from the store.
            !interrupt.is_raised()
                && sight.scopes[scope]
                    .doc(number)
                    .is_some_and(|doc| self.passes(tenant, sight.digests[scope], query, doc))
        };
        let admit: Option<&dyn Fn(usize, u32) -> bool> =
            if query.filter.is_open() { None } else { Some(&passes) };
        let wanted = Wanted {
            limit: query.limit,
            min_score: query.min_score,
            tie: &|left, right| sight.order_of_equals(left, right),
        };
        let interrupted = || interrupt.is_raised();
        let ranking = rank_best(wanted, question, &sight.indexes, admit, &interrupted)
            .map_err(|_| ReadError::Interrupted)?;
        if interrupt.is_raised() {
            return Err(ReadError::Interrupted);
        }
        Ok(ranking)
    }

    fn answer(
        &self,
        tenant: &Arc<Tenant>,
        sight: &Sight<'_>,
        query: &SearchQuery,
        question: &Question<'_>,
        ranking: Ranking,
        interrupt: &Interrupt,
    ) -> Result<SearchAnswer, ReadError> {
        let considered = self.considered(tenant, sight, query, interrupt)?;
        let explainer = query.explain.then(|| Explainer::new(question, &sight.indexes));
        let Ranking { matches, matched, cut_by_score, best_by_words: _ } = ranking;
        let mut hits = Vec::with_capacity(matches.len());
        for found in &matches {
            // An explanation takes as long as the query is.
            if interrupt.is_raised() {
                return Err(ReadError::Interrupted);
            }
            hits.extend(sight.hit(tenant, query.context, explainer.as_ref(), found));
        }
        let cut_by_limit = matched - cut_by_score - matches.len() as u64;
        let stats = SearchStats { considered, matched, cut_by_score, cut_by_limit };
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
