//! The stream of hits that answers a search.

use std::fmt;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use futures_core::Stream;
use memoryd_proto::trailers;
use memoryd_proto::v1::{Hit, SearchResponse};
use tokio::time::Sleep;
use tonic::metadata::MetadataMap;
use tonic::{Response, Streaming};

use crate::attempts::Deadline;
use crate::connection::Lease;
use crate::error::Error;

/// What a search looked at, told when its stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchTotals {
    /// Entries that scope and filter let the search look at.
    pub considered: u64,
    /// Entries that matched the query, before minimum score and limit.
    pub matched: u64,
    /// Matches left out because they scored below the minimum.
    pub cut_by_score: u64,
    /// Matches left out because the limit was reached.
    pub cut_by_limit: u64,
}

/// The hits of a search, best first, as they arrive. Dropping it stops the search on the server.
///
/// It is a [`Stream`]; without a crate of stream combinators, use [`next`](Self::next) or
/// [`collect`](Self::collect).
pub struct Hits {
    stream: Streaming<SearchResponse>,
    first: Option<Hit>,
    /// The counts, as soon as they are known.
    totals: Option<SearchTotals>,
    ended: bool,
    deadline: Deadline,
    timer: Pin<Box<Sleep>>,
    _lease: Lease,
}

impl Hits {
    /// Waits for the first hit: until it is there the search can be tried again.
    pub(crate) async fn begin(
        answer: Response<Streaming<SearchResponse>>,
        deadline: Deadline,
        lease: Lease,
    ) -> Result<Self, Error> {
        // An answer without messages may put its trailers at the head.
        let totals = SearchTotals::read(answer.metadata());
        let mut hits = Self {
            stream: answer.into_inner(),
            first: None,
            totals,
            ended: false,
            deadline,
            timer: Box::pin(tokio::time::sleep_until(deadline.at)),
            _lease: lease,
        };
        hits.first = hits.next().await?;
        Ok(hits)
    }

    /// The next hit, or `None` after the last.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; the stream has ended then, and what it gave until then may be incomplete.
    pub async fn next(&mut self) -> Result<Option<Hit>, Error> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }

    /// All hits, and what the search looked at.
    ///
    /// # Errors
    ///
    /// Any [`Error`]; never a part of the hits as if it were all.
    pub async fn collect(mut self) -> Result<(Vec<Hit>, Option<SearchTotals>), Error> {
        let mut hits = Vec::new();
        while let Some(hit) = self.next().await? {
            hits.push(hit);
        }
        Ok((hits, self.totals))
    }

    /// What the search looked at: known after the last hit.
    #[must_use]
    pub fn totals(&self) -> Option<SearchTotals> {
        self.totals
    }

    fn poll_message(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Hit, Error>>> {
        let message = match Pin::new(&mut self.stream).poll_next(context) {
            Poll::Ready(message) => message,
            Poll::Pending => {
                ready!(self.timer.as_mut().poll(context));
                return Poll::Ready(Some(Err(self.deadline.passed())));
            }
        };
        let Some(message) = message else {
            self.read_trailers(context);
            return Poll::Ready(None);
        };
        Poll::Ready(Some(match message {
            Ok(SearchResponse { hit: Some(hit) }) => Ok(hit),
            Ok(SearchResponse { hit: None }) => {
                Err(Error::InvalidReply("Search with a message without a hit".to_owned()))
            }
            Err(status) => Err(self.deadline.error(status)),
        }))
    }

    /// After the last message the trailers are there already: one poll has them.
    fn read_trailers(&mut self, context: &mut Context<'_>) {
        if let Poll::Ready(Ok(Some(metadata))) = pin!(self.stream.trailers()).poll(context) {
            self.totals = SearchTotals::read(&metadata).or(self.totals);
        }
    }
}

impl Stream for Hits {
    type Item = Result<Hit, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let hits = &mut *self;
        if let Some(first) = hits.first.take() {
            return Poll::Ready(Some(Ok(first)));
        }
        if hits.ended {
            return Poll::Ready(None);
        }
        let item = ready!(hits.poll_message(context));
        hits.ended = !matches!(item, Some(Ok(_)));
        Poll::Ready(item)
    }
}

impl fmt::Debug for Hits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Hits")
            .field("ended", &self.ended)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

impl SearchTotals {
    fn read(metadata: &MetadataMap) -> Option<Self> {
        let count = |name| metadata.get(name)?.to_str().ok()?.parse().ok();
        Some(Self {
            considered: count(trailers::CONSIDERED)?,
            matched: count(trailers::MATCHED)?,
            cut_by_score: count(trailers::CUT_BY_SCORE)?,
            cut_by_limit: count(trailers::CUT_BY_LIMIT)?,
        })
    }
}
