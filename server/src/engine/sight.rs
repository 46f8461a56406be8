//! What a search sees, and the order in which it shows it.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Engine;
use super::doc::Doc;
use super::found::Found;
use super::hit::Hit;
use super::scope_memory::{ScopeMemory, listing_order};
use super::tenant::Tenant;
use crate::domain::Scope;
use crate::recall::index::ScopeIndex;
use crate::recall::rank::{Explainer, Match};
use crate::recall::score::narrowed;
use crate::store::ScopeDigest;

/// The scopes that a search sees, in memory.
pub(super) struct Sight<'a> {
    pub(super) digests: Vec<ScopeDigest>,
    pub(super) scopes: Vec<&'a ScopeMemory>,
    pub(super) indexes: Vec<&'a ScopeIndex>,
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

    /// Of equal rank value the newest first, then by id; the global scope before a project's.
    pub(super) fn order_of_equals(&self, left: (usize, u32), right: (usize, u32)) -> Ordering {
        let doc = |(scope, number): (usize, u32)| self.scopes.get(scope)?.doc(number);
        let by_entry = match (doc(left), doc(right)) {
            (Some(left), Some(right)) => listing_order(left, right),
            (left, right) => left.is_none().cmp(&right.is_none()),
        };
        by_entry.then_with(|| left.cmp(&right))
    }

    /// `None` if there is no such entry.
    pub(super) fn hit(
        &self,
        tenant: &Arc<Tenant>,
        context: usize,
        explainer: Option<&Explainer<'_>>,
        matched: &Match,
    ) -> Option<Hit> {
        let Match { scope, doc: number, .. } = *matched;
        let doc = self.scopes.get(scope)?.doc(number)?;
        let found = |doc: Arc<Doc>| Found {
            user: tenant.user,
            scope: self.digests[scope],
            doc,
            _tenant: Arc::clone(tenant),
        };
        let (before, after) = self.scopes[scope].neighbours(doc, context);
        let explanation = explainer.and_then(|explainer| explainer.explain(scope, number));
        Some(Hit {
            found: found(Arc::clone(doc)),
            score: narrowed(matched.score),
            before: before.into_iter().map(found).collect(),
            after: after.into_iter().map(found).collect(),
            explanation,
        })
    }
}
