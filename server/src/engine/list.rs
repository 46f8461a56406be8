//! Listing: newest first, in pages that go on where the last one ended, whatever is written meanwhile
//! (contract, section 6).

use std::cmp::Ordering;
use std::sync::Arc;

use super::doc::Doc;
use super::error::ReadError;
use super::filter::admits;
use super::found::Found;
use super::page_token::{Binding, PagePosition, decode, encode};
use super::read::Read;
use super::scope_memory::{ListPosition, ScopeMemory, listing_order};
use super::tenant::Tenant;
use super::{Engine, Interrupt, blocking};
use crate::domain::{Entry, Limits, ListEntries};
use crate::store::ScopeDigest;

/// How often a page is read while others write. After that it is read while no one does.
const ATTEMPTS_BESIDE_WRITES: usize = 3;

/// A page of a listing, as it was at one moment.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// Newest first.
    pub entries: Vec<Entry>,
    /// The token of the next page; empty: there is none.
    pub next_page_token: String,
}

/// A page whose entries are still to be read.
#[derive(Default)]
struct FoundPage {
    /// With the token of the page that would follow it.
    found: Vec<(Found, String)>,
    /// Whether there is more behind them.
    more: bool,
}

/// One scope's part of a listing.
struct Part<'a> {
    scope: ScopeDigest,
    in_project: bool,
    rest: std::iter::Peekable<Box<dyn Iterator<Item = &'a Arc<Doc>> + 'a>>,
}

impl Engine {
    /// Lists entries. A page ends before `Limits::PAGE_BYTES` on the wire, though it always holds at least
    /// one entry that can be read.
    ///
    /// # Errors
    ///
    /// [`ReadError::PageToken`], [`ReadError::Interrupted`], or that the store doesn't answer.
    pub async fn list(
        &self,
        request: ListEntries,
        omit_blobs: bool,
        interrupt: Interrupt,
    ) -> Result<Page, ReadError> {
        self.make_ready(self.user_key(&request.scope.tenant)).await?;
        let _given_up = interrupt.on_drop();
        let request = Arc::new(request);
        for _ in 0..ATTEMPTS_BESIDE_WRITES {
            let attempt = self.list_once(&request, omit_blobs, &interrupt).await?;
            if let Some(page) = attempt.if_of_one_moment() {
                return Ok(page);
            }
        }
        // What is written all the time would never be read whole.
        let gate = self.fences().gate(&self.user_key(&request.scope.tenant));
        let _alone = gate.write().await;
        Ok(self.list_once(&request, omit_blobs, &interrupt).await?.page)
    }

    async fn list_once(
        &self,
        request: &Arc<ListEntries>,
        omit_blobs: bool,
        interrupt: &Interrupt,
    ) -> Result<Attempt, ReadError> {
        let (engine, of_request, raised) = (self.clone(), Arc::clone(request), interrupt.clone());
        let FoundPage { found, more } =
            blocking(move || engine.list_blocking(&of_request, omit_blobs, &raised)).await??;
        let mut attempt = Attempt { page: Page::default(), vanished: 0 };
        let mut page_bytes = 0_usize;
        let mut token_here = String::new();
        for (found, token_behind) in found {
            match self.readable_entry(&found).await? {
                Read::Entry(entry) => {
                    page_bytes = page_bytes.saturating_add(entry.wire_bytes(omit_blobs));
                    if page_bytes > Limits::PAGE_BYTES && !attempt.page.entries.is_empty() {
                        attempt.page.next_page_token = token_here;
                        return Ok(attempt);
                    }
                    attempt.page.entries.push(entry);
                }
                Read::Gone => attempt.vanished += 1,
                // Reported; what is behind it can be listed all the same.
                Read::Damaged => {}
            }
            token_here = token_behind;
        }
        if more {
            attempt.page.next_page_token = token_here;
        }
        Ok(attempt)
    }

    fn list_blocking(
        &self,
        request: &ListEntries,
        omit_blobs: bool,
        interrupt: &Interrupt,
    ) -> Result<FoundPage, ReadError> {
        let user = self.user_key(&request.scope.tenant);
        let scopes = self.scopes_in_sight(&request.scope);
        let binding = Binding::of(&user, &scopes, request, omit_blobs);
        let position = decode(&request.page_token, &binding)?;
        let Some(tenant) = self.tenant(user)? else { return Ok(FoundPage::default()) };
        let guard = tenant.read();
        let mut parts = Vec::new();
        for (ordinal, scope) in scopes.into_iter().enumerate() {
            let memory = guard.as_ref().and_then(|memory| memory.scope(&scope));
            if let Some(memory) = memory {
                parts.push(Part::behind(memory, scope, ordinal > 0, position.as_ref()));
            }
        }
        let mut page = FoundPage::default();
        let mut page_bytes = 0_usize;
        loop {
            // At every entry: metadata of a large one is read from the store.
            if interrupt.is_raised() {
                return Err(ReadError::Interrupted);
            }
            let Some(part) = first_of(&mut parts) else { break };
            let (scope, in_project) = (part.scope, part.in_project);
            let Some(doc) = part.rest.peek().copied() else { break };
            if self.lists(&tenant, scope, request, doc) {
                let found =
                    Found { user, scope, doc: Arc::clone(doc), _tenant: Arc::clone(&tenant) };
                // What won't fit need not be read. How little an entry is without its blobs shows only
                // when it is read.
                let full = page.found.len() == request.page_size
                    || (page_bytes > Limits::PAGE_BYTES && !omit_blobs);
                if full {
                    page.more = true;
                    return Ok(page);
                }
                page_bytes = page_bytes.saturating_add(found.body_bytes());
                let position = PagePosition { last: ListPosition::of(doc), in_project };
                page.found.push((found, encode(&position, &binding)));
            }
            part.rest.next();
        }
        Ok(page)
    }

    fn lists(
        &self,
        tenant: &Arc<Tenant>,
        scope: ScopeDigest,
        request: &ListEntries,
        doc: &Doc,
    ) -> bool {
        admits(&request.filter, doc, &|doc| self.chunked_metadata(tenant, scope, doc))
    }
}

/// A page as far as it could be read.
struct Attempt {
    page: Page,
    /// Entries that were updated or deleted, or whose time was over, before they were read: without them
    /// the page is one that never was.
    vanished: usize,
}

impl Attempt {
    fn if_of_one_moment(self) -> Option<Page> {
        let Self { page, vanished } = self;
        (vanished == 0).then_some(page)
    }
}

impl<'a> Part<'a> {
    fn behind(
        memory: &'a ScopeMemory,
        scope: ScopeDigest,
        in_project: bool,
        position: Option<&PagePosition>,
    ) -> Self {
        let last = position.map(|position| &position.last);
        let rest: Box<dyn Iterator<Item = &'a Arc<Doc>> + 'a> = match position {
            // The page before ended with the global entry of this time and id: the project's comes next.
            Some(PagePosition { last, in_project: false }) if in_project => {
                Box::new(memory.listing_from(last))
            }
            _ => Box::new(memory.listing(last)),
        };
        Self { scope, in_project, rest: rest.peekable() }
    }
}

/// The part whose next entry comes first.
fn first_of<'a, 'b>(parts: &'b mut [Part<'a>]) -> Option<&'b mut Part<'a>> {
    let mut best: Option<(usize, &Arc<Doc>)> = None;
    for (ordinal, part) in parts.iter_mut().enumerate() {
        let Some(doc) = part.rest.peek().copied() else { continue };
        if best.is_none_or(|(_, first)| listing_order(doc, first) == Ordering::Less) {
            best = Some((ordinal, doc));
        }
    }
    let (ordinal, _) = best?;
    parts.get_mut(ordinal)
}
