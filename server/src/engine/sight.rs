//! What a search sees, and the order in which it shows it.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Engine;
use super::doc::Doc;
use super::found::Found;
use super::hit::Hit;
use super::scope_memory::ScopeMemory;
use super::tenant::Tenant;
use crate::domain::Scope;
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Explainer, Match};
use crate::store::ScopeDigest;

/// The scopes that a search sees, in memory.
pub(super) struct Sight<'a> {
    pub(super) digests: Vec<ScopeDigest>,
    pub(super) scopes: Vec<&'a ScopeMemory>,
    pub(super) indexes: Vec<&'a ScopeIndex>,
}

/// A match that passed the filter and the least score.
pub(super) struct Candidate<'a> {
    pub(super) matched: Match,
    pub(super) doc: &'a Arc<Doc>,
    pub(super) score: f32,
}

impl<'a> Sight<'a> {
    pub(super) fn of(
        engine: &Engine,
        memory: &'a Option<super::tenant::TenantMemory>,
        scope: &Scope,
    ) -> Self {
        let mut sight = Self { digests: vec![], scopes: vec![], indexes: vec![] };
        for digest in engine.scopes_in_sight(scope) {
            if let Some(memory) = memory.as_ref().and_then(|memory| memory.scope(&digest)) {
                sight.digests.push(digest);
                sight.scopes.push(memory);
                sight.indexes.push(memory.index());
            }
        }
        sight
    }

    pub(super) fn entries(&self) -> u64 {
        self.scopes.iter().map(|memory| memory.len() as u64).sum()
    }

    pub(super) fn hit(
        &self,
        tenant: &Arc<Tenant>,
        context: usize,
        explainer: Option<&Explainer<'_>>,
        candidate: &Candidate<'_>,
    ) -> Hit {
        let Match { scope, doc: number, .. } = candidate.matched;
        let found = |doc: Arc<Doc>| Found {
            user: tenant.user,
            scope: self.digests[scope],
            doc,
            _tenant: Arc::clone(tenant),
        };
        let (before, after) = self.scopes[scope].neighbours(candidate.doc, context);
        let explanation = explainer.and_then(|explainer| explainer.explain(scope, number));
        Hit {
            found: found(Arc::clone(candidate.doc)),
            score: candidate.score,
            before: before.into_iter().map(found).collect(),
            after: after.into_iter().map(found).collect(),
            explanation,
        }
    }
}

/// By rank value, then newest, then by id; the global scope before a project's.
pub(super) fn best_first(left: &Candidate<'_>, right: &Candidate<'_>) -> Ordering {
    let (left_record, right_record) = (&left.doc.record, &right.doc.record);
    right
        .matched
        .value
        .total_cmp(&left.matched.value)
        .then_with(|| right_record.timestamp.cmp(&left_record.timestamp))
        .then_with(|| left_record.id.cmp(&right_record.id))
        .then_with(|| left.matched.scope.cmp(&right.matched.scope))
}
