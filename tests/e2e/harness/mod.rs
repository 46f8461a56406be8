//! What every test needs: a server, a connection to it, and short ways to say common things.

mod calls;
mod endpoint;
pub(crate) mod parts;
mod place;
mod raw;
mod say;
mod server;
mod sight;
mod slow;

pub(crate) use calls::{Calls, SearchResult};
pub(crate) use endpoint::Endpoint;
pub(crate) use place::{GLOBAL, Place, user};
pub(crate) use raw::{METHODS, RawAnswer, RawConnection, framed};
pub(crate) use say::{
    at, deletion, listing, named, new_entry, query, said, said_after, session, text_of, texts,
};
pub(crate) use server::TestServer;
pub(crate) use sight::{assert_no_trace, found, ids, listed, outcomes, result_ids};
pub(crate) use slow::{SlowCall, open_to_cut};

/// The error of a call: its code, reason and the fields it names.
pub(crate) fn error_of(status: &tonic::Status) -> (tonic::Code, String, Vec<String>) {
    use tonic_types::StatusExt;
    let details = status.get_error_details();
    let reason = details.error_info().map(|info| info.reason.clone()).unwrap_or_default();
    let violations = details.bad_request().map(|bad| bad.field_violations.clone());
    let fields = violations.unwrap_or_default().into_iter().map(|violation| violation.field);
    (status.code(), reason, fields.collect())
}

/// Runs a test on every store: `on_every_store!(name)` for an `async fn name(server: TestServer)`.
#[macro_export]
macro_rules! on_every_store {
    ($($(#[$meta:meta])* $name:ident),+ $(,)?) => {
        mod on_sled {
            $($(#[$meta])* #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::harness::TestServer::start(memoryd::StoreKind::Sled).await).await;
            })+
        }
        mod on_memory {
            $($(#[$meta])* #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::harness::TestServer::start(memoryd::StoreKind::Memory).await).await;
            })+
        }
    };
}
