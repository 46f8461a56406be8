//! One call as the caller sees it: a deadline, and within it as many attempts as are worth making.

use std::time::Duration;

use tokio::time::Instant;
use tonic::{Request, Response, Status};

use crate::client::MemoryClient;
use crate::connection::Lease;
use crate::error::Error;
use crate::heard::Heard;
use crate::status::error_from_status;

/// The time a call has, from its start to the last byte of its answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    pub(crate) timeout: Duration,
    pub(crate) at: Instant,
}

impl Deadline {
    pub(crate) fn after(timeout: Duration) -> Self {
        // A time that the clock can't express is as good as none: about 30 years.
        let far = Duration::from_secs(30 * 365 * 24 * 3_600);
        let timeout = timeout.min(far);
        Self { timeout, at: Instant::now() + timeout }
    }

    pub(crate) fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    pub(crate) fn passed(&self) -> Error {
        Error::DeadlineExceeded { timeout: self.timeout }
    }

    /// What it means that the time passed during an attempt on a connection, after earlier attempts of which the
    /// last failed with `last_error`. A server that was never heard is out of reach, not slow.
    fn passed_during(&self, heard: &Heard, last_error: Option<Error>) -> Error {
        match last_error {
            _ if heard.is_set() => self.passed(),
            None => {
                let message = format!("no sign of a server within {:?}", self.timeout);
                Error::Unreachable { message, source: None }
            }
            Some(unreachable @ Error::Unreachable { .. }) => unreachable,
            Some(_answered) => self.passed(),
        }
    }

    /// The request with the time that is left in its `grpc-timeout`, so that the server stops too.
    pub(crate) fn stamp<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.set_timeout(self.remaining());
        request
    }

    pub(crate) fn error(&self, status: Status) -> Error {
        error_from_status(status, self.timeout)
    }
}

impl MemoryClient {
    /// Makes attempts until one succeeds, one fails for good, or time is over. An attempt that is
    /// given up is dropped, which cancels it on the server.
    pub(crate) async fn attempts<T, A>(
        &self,
        method: &'static str,
        deadline: Deadline,
        attempt: impl Fn(Lease) -> A,
    ) -> Result<T, Error>
    where
        A: Future<Output = Result<T, Error>>,
    {
        let mut made = 0;
        let mut last_error = None;
        loop {
            let lease = self.pool().lease(made);
            let heard = lease.heard();
            let error = match tokio::time::timeout_at(deadline.at, attempt(lease)).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) => error,
                Err(_elapsed) => deadline.passed(),
            };
            if matches!(error, Error::DeadlineExceeded { .. }) {
                return Err(deadline.passed_during(&heard, last_error));
            }
            made += 1;
            let policy = &self.settings().retry;
            let Some(wait) = policy.wait_before_next(&error, made, deadline.remaining()) else {
                return Err(error);
            };
            tracing::debug!(method, attempt = made, ?wait, code = ?error.code(), "trying again");
            last_error = Some(error);
            tokio::time::sleep(wait).await;
        }
    }

    /// A call with one answer.
    pub(crate) async fn unary<Question, Answer, C, A>(
        &self,
        method: &'static str,
        question: Question,
        call: C,
    ) -> Result<Answer, Error>
    where
        Question: Clone,
        C: Fn(Lease, Request<Question>) -> A,
        A: Future<Output = Result<Response<Answer>, Status>>,
    {
        let deadline = Deadline::after(self.settings().call_timeout);
        let attempt = |lease: Lease| {
            let answer = call(lease, deadline.stamp(question.clone()));
            async move { answer.await.map(Response::into_inner).map_err(|s| deadline.error(s)) }
        };
        self.attempts(method, deadline, attempt).await
    }
}
