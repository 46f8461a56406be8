//! The only writer: one thread that takes what waits, folds it into one batch, makes it durable and answers.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::group::Group;
use super::key_ring::KeyRing;
use super::keyspace::Keyspace;
use super::layout::DataDirectory;
use super::proposal::{CommitError, CommitFailure, Committed, Proposal};
use super::queue::{AnswerSender, Queue, Refused, Waiting};
use super::{MAX_QUEUED_BYTES, panic_message};

/// Is told of every commit, in order, on the committer's thread, before the proposer is answered. It should be quick:
/// the next group waits for it. It must neither wait for another proposal nor own a
/// handle of the store, which would then never be dropped.
pub trait CommitListener<T>: Send + Sync + 'static {
    /// Commit `commit` is durable; `payload` is its proposal's.
    fn committed(&self, commit: u64, payload: T);
}

/// Called once, when the store has failed for good, after everyone was answered; the process should stop.
pub type FatalHook = Box<dyn FnOnce(&CommitFailure) + Send>;

/// A handle of the committer, cheap to clone. Dropping the last one finishes what waits and joins the thread.
pub struct Committer<T> {
    owner: Arc<Owner<T>>,
}

impl<T> Clone for Committer<T> {
    fn clone(&self) -> Self {
        Self { owner: Arc::clone(&self.owner) }
    }
}

/// Ends the thread when it is dropped.
struct Owner<T> {
    shared: Arc<Shared<T>>,
    /// Taken by whoever joins first.
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the handles and the thread share.
struct Shared<T> {
    queue: Queue<T>,
    /// Number of the last durable commit.
    watermark: AtomicU64,
    /// Set before anyone is told of a failure, so that nobody proposes in between.
    failed: AtomicBool,
    /// When the batch that is being written was begun. An engine that waits for a disk that never answers fails in no
    /// other way than by taking long.
    writing_since: Mutex<Option<Instant>>,
}

/// What the thread owns.
struct Worker<T> {
    shared: Arc<Shared<T>>,
    keyspace: Arc<dyn Keyspace>,
    key_ring: Arc<KeyRing>,
    listener: Arc<dyn CommitListener<T>>,
    fatal: Option<FatalHook>,
    /// Keeps other processes out for as long as this thread may write, whoever lets go of the store meanwhile.
    _directory: Option<Arc<DataDirectory>>,
}

impl<T: Send + 'static> Committer<T> {
    /// Starts the thread; the store's last commit is `watermark`. The lock of the directory is held until it ends.
    pub(super) fn start(
        keyspace: Arc<dyn Keyspace>,
        key_ring: Arc<KeyRing>,
        watermark: u64,
        listener: Arc<dyn CommitListener<T>>,
        fatal: FatalHook,
        directory: Option<Arc<DataDirectory>>,
    ) -> io::Result<Self> {
        let shared = Arc::new(Shared {
            queue: Queue::new(MAX_QUEUED_BYTES),
            watermark: AtomicU64::new(watermark),
            failed: AtomicBool::new(false),
            writing_since: Mutex::new(None),
        });
        let worker = Worker {
            shared: Arc::clone(&shared),
            keyspace,
            key_ring,
            listener,
            fatal: Some(fatal),
            _directory: directory,
        };
        let thread = std::thread::Builder::new()
            .name("store-committer".to_owned())
            .spawn(move || worker.run())?;
        Ok(Self { owner: Arc::new(Owner { shared, thread: Mutex::new(Some(thread)) }) })
    }

    /// Proposes changes. The answer comes when they are durable or refused; a receiver that is dropped takes nothing
    /// back. The answer's sender is never dropped unanswered.
    pub fn submit(
        &self,
        proposal: Proposal<T>,
    ) -> oneshot::Receiver<Result<Committed, CommitError>> {
        let (answer, receiver) = oneshot::channel();
        let waiting = Waiting { proposal, answer };
        if self.is_failed() {
            send(waiting.answer, Err(CommitError::Unavailable));
            return receiver;
        }
        match self.owner.shared.queue.add(waiting) {
            Ok(()) => {}
            Err(Refused::Closed(waiting)) => send(waiting.answer, Err(CommitError::Unavailable)),
            Err(Refused::Full(waiting)) => send(waiting.answer, Err(CommitError::Overloaded)),
        }
        receiver
    }

    /// Number of the last durable commit, 0 before the first.
    pub fn watermark(&self) -> u64 {
        self.owner.shared.watermark.load(Ordering::Acquire)
    }

    /// Whether the store failed for good.
    pub fn is_failed(&self) -> bool {
        self.owner.shared.failed.load(Ordering::Acquire)
    }

    /// How long the batch that is being written has been under way; zero when none is.
    pub fn writing_for(&self) -> Duration {
        let since = *self.owner.shared.writing_since.lock();
        since.map_or(Duration::ZERO, |begun| begun.elapsed())
    }

    /// Refuses new proposals, finishes what waits, and returns when the thread has ended. On the committer's own
    /// thread it only refuses.
    pub fn shutdown(&self) {
        self.owner.stop();
    }
}

impl<T> Owner<T> {
    fn stop(&self) {
        self.shared.queue.close();
        let Some(thread) = self.thread.lock().take() else {
            return;
        };
        // A listener may hold the last handle; a thread can't join itself.
        if thread.thread().id() != std::thread::current().id() && thread.join().is_err() {
            tracing::error!("the committer's thread panicked outside of a commit");
        }
    }
}

impl<T> Drop for Owner<T> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<T: 'static> Worker<T> {
    fn run(mut self) {
        while let Some(waiting) = self.shared.queue.take_group() {
            let (proposals, answers): (Vec<_>, Vec<_>) = waiting
                .into_iter()
                .map(|Waiting { proposal, answer }| (proposal, Some(answer)))
                .unzip();
            let mut answers = Answers(answers);
            if self.shared.failed.load(Ordering::Acquire) {
                answers.unavailable();
                continue;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| self.commit(proposals, &mut answers)));
            let failure = match outcome {
                Ok(Ok(())) => continue,
                Ok(Err(failure)) => failure,
                Err(panic) => CommitFailure::Panic(panic_message(panic.as_ref())),
            };
            self.fail(&failure, answers);
        }
    }

    fn commit(
        &self,
        proposals: Vec<Proposal<T>>,
        answers: &mut Answers,
    ) -> Result<(), CommitFailure> {
        let watermark = self.shared.watermark.load(Ordering::Acquire);
        let mut group = Group::new(self.keyspace.as_ref(), watermark);
        let mut accepted = Vec::with_capacity(proposals.len());
        for (position, proposal) in proposals.into_iter().enumerate() {
            let Proposal { conditions, operations, payload } = proposal;
            match group.admit(&conditions, operations) {
                Ok(commit) => accepted.push((position, commit, payload)),
                Err(refusal) => answers.send(position, Err(refusal)),
            }
        }
        if group.is_empty() {
            return Ok(());
        }
        let (batch, last_commit) = group.into_batch();
        *self.shared.writing_since.lock() = Some(Instant::now());
        // A key is durable before any record under it.
        self.key_ring.sync().map_err(CommitFailure::KeyRing)?;
        // The journal's place: here `batch` and its commit numbers are final, and from here on only a failure of the
        // process keeps them from becoming true. With a journal, its append and sync are what makes them durable.
        self.keyspace.apply(&batch).map_err(CommitFailure::Apply)?;
        *self.shared.writing_since.lock() = None;
        self.shared.watermark.store(last_commit, Ordering::Release);
        // Everyone is told before anyone is answered, so that who has an answer can read every commit up to it.
        let mut committed = Vec::with_capacity(accepted.len());
        for (position, commit, payload) in accepted {
            self.listener.committed(commit, payload);
            committed.push((position, commit));
        }
        for (position, commit) in committed {
            answers.send(position, Ok(Committed { commit }));
        }
        Ok(())
    }

    fn fail(&mut self, failure: &CommitFailure, mut answers: Answers) {
        self.shared.failed.store(true, Ordering::Release);
        tracing::error!(error = %failure, "the store failed and takes no more writes");
        answers.unavailable();
        let Some(fatal) = self.fatal.take() else {
            return;
        };
        if catch_unwind(AssertUnwindSafe(|| fatal(failure))).is_err() {
            tracing::error!("the hook for a failed store panicked");
        }
    }
}

/// Whom of a group to answer; each is answered once.
struct Answers(Vec<Option<AnswerSender>>);

impl Answers {
    fn send(&mut self, position: usize, result: Result<Committed, CommitError>) {
        if let Some(answer) = self.0.get_mut(position).and_then(Option::take) {
            send(answer, result);
        }
    }

    /// Answers those who weren't yet.
    fn unavailable(&mut self) {
        for answer in self.0.iter_mut().filter_map(Option::take) {
            send(answer, Err(CommitError::Unavailable));
        }
    }
}

/// Whoever went away meanwhile needs no answer.
fn send(answer: AnswerSender, result: Result<Committed, CommitError>) {
    let _gone = answer.send(result);
}
