//! The client against a service that fails as told.

use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::fake::{Fake, Step, end_with_totals};
use crate::proto::Hit;
use crate::{Error, MemoryClient, MemoryClientBuilder, RetryPolicy, SearchTotals};

const SOON: Duration = Duration::from_millis(200);

/// A builder with short waits.
fn quick(url: String) -> MemoryClientBuilder {
    let policy = RetryPolicy {
        initial_backoff: Duration::from_millis(2),
        max_backoff: Duration::from_millis(5),
        ..RetryPolicy::default()
    };
    MemoryClient::builder(url).retry(policy)
}

fn unavailable() -> Step {
    Step::Fail(Status::unavailable("starting"))
}

/// An address where nobody listens.
const NOWHERE: &str = "http://127.0.0.1:1";

/// Waits until the server has noticed that a call was given up.
async fn given_up(fake: &Fake) {
    let start = Instant::now();
    while fake.dropped() == 0 {
        assert!(start.elapsed() < Duration::from_secs(5), "the call went on on the server");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_write_is_retried_until_the_server_is_there() {
    let fake = Fake::doing([unavailable(), unavailable()]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    client.scope("app", "user").add_session("s", vec![]).send().await.unwrap();
    assert_eq!(fake.methods(), ["AddSession"; 3]);
    // The same request each time, with its time told.
    let seen = fake.seen();
    assert!(seen.iter().all(|call| call.request == seen[0].request));
    assert!(seen.iter().all(|call| call.grpc_timeout.is_some()));
}

#[tokio::test]
async fn attempts_have_an_end_and_the_last_error_is_told() {
    let fake = Fake::doing(std::iter::repeat_with(unavailable).take(9));
    let server = fake.serve();
    let client = quick(server.url()).connect_lazy().unwrap();
    let error = client.server_info().await.unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (Code::Unavailable, "starting"));
    assert_eq!(fake.methods().len(), 5);
}

#[tokio::test]
async fn bad_input_is_not_retried() {
    let fake = Fake::doing([Step::Fail(Status::invalid_argument("user_id"))]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let error = client.scope("app", "").delete_user().send().await.unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument);
    assert_eq!(fake.methods(), ["DeleteUser"]);
}

#[tokio::test]
async fn an_overloaded_server_is_given_the_time_it_asks_for() {
    let delay = Duration::from_millis(120);
    let details = ErrorDetails::with_retry_info(Some(delay));
    let busy = Status::with_error_details(Code::ResourceExhausted, "busy", details);
    let fake = Fake::doing([Step::Fail(busy)]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let start = Instant::now();
    client.scope("app", "user").add_entries(vec![]).send().await.unwrap();
    assert!(start.elapsed() >= delay);
    assert_eq!(fake.methods().len(), 2);
}

#[tokio::test]
async fn a_call_past_its_time_is_an_error_and_is_cancelled_on_the_server() {
    let fake = Fake::doing([Step::Hang]);
    let server = fake.serve();
    let client = quick(server.url()).call_timeout(SOON).connect().await.unwrap();
    let error = client.scope("app", "user").delete_project().send().await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded { timeout } if timeout == SOON), "{error:?}");
    assert_eq!(fake.methods().len(), 1);
    given_up(&fake).await;
}

#[tokio::test]
async fn truememory_689_a_search_that_stalls_is_an_error_never_a_short_answer() {
    let fake = Fake::doing([Step::Hits(2, Status::ok("hang"))]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let search = client.scope("app", "user").search("q").timeout(SOON);
    let mut hits = search.send().await.unwrap();
    assert!(hits.next().await.unwrap().is_some());
    assert!(hits.next().await.unwrap().is_some());
    let error = hits.next().await.unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded);
    assert!(hits.next().await.unwrap().is_none(), "a stream ends with its error");
}

#[tokio::test]
async fn a_search_is_retried_before_its_first_hit_and_never_after() {
    let starting = || Status::unavailable("starting");
    let steps = [Step::Fail(starting()), Step::Hits(0, starting()), Step::Hits(2, starting())];
    let fake = Fake::doing(steps);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let mut hits = client.scope("app", "user").search("q").send().await.unwrap();
    assert_eq!(fake.methods(), ["Search"; 3]);
    assert_eq!(hits.next().await.unwrap().map(|hit: Hit| hit.rank), Some(1));
    assert_eq!(hits.next().await.unwrap().map(|hit| hit.rank), Some(2));
    assert_eq!(hits.next().await.unwrap_err().code(), Code::Unavailable);
    assert_eq!(fake.methods().len(), 3);
}

#[tokio::test]
async fn quickwit_367_a_dropped_stream_stops_the_search() {
    let fake = Fake::doing([Step::Hits(1, Status::ok("hang"))]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let mut hits = client.scope("app", "user").search("q").send().await.unwrap();
    assert!(hits.next().await.unwrap().is_some());
    drop(hits);
    given_up(&fake).await;
}

#[tokio::test]
async fn lifeos_534_totals_tell_nothing_stored_from_all_below_the_score() {
    let steps = [
        Step::Hits(3, end_with_totals([40, 8, 4, 1])),
        Step::Hits(0, end_with_totals([40, 8, 8, 0])),
        Step::Hits(1, Status::ok("")),
    ];
    let fake = Fake::doing(steps);
    let server = fake.serve();
    let scope = quick(server.url()).connect().await.unwrap().scope("app", "user");

    let mut search = scope.search("q").send().await.unwrap();
    assert_eq!(search.totals(), None);
    while search.next().await.unwrap().is_some() {}
    let expected = SearchTotals { considered: 40, matched: 8, cut_by_score: 4, cut_by_limit: 1 };
    assert_eq!(search.totals(), Some(expected));

    let (hits, totals) = scope.search("q").send().await.unwrap().collect().await.unwrap();
    assert!(hits.is_empty());
    assert_eq!(totals.map(|totals| totals.cut_by_score), Some(8));

    let (hits, totals) = scope.search("q").send().await.unwrap().collect().await.unwrap();
    assert_eq!((hits.len(), totals), (1, None));
}

#[tokio::test]
async fn without_a_server_connecting_fails_and_a_lazy_client_fails_at_its_first_call() {
    let error = quick(NOWHERE.to_owned()).connect().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().contains("refused"), "{error}");
    let client = quick(NOWHERE.to_owned()).connect_lazy().unwrap();
    let error = client.check_serving().await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}

/// Listeners that are black holes: one accepts nothing, one accepts and never says a word. In both cases the kernel
/// makes the connection.
async fn black_holes() -> [(String, tokio::task::JoinHandle<()>); 2] {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mute = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let urls = [&silent, &mute].map(|one| format!("http://{}", one.local_addr().unwrap()));
    let silent = tokio::spawn(async move {
        let _open = silent;
        std::future::pending::<()>().await;
    });
    let mute = tokio::spawn(async move {
        let mut accepted = Vec::new();
        while let Ok((stream, _from)) = mute.accept().await {
            accepted.push(stream);
        }
    });
    let [first, second] = urls;
    [(first, silent), (second, mute)]
}

#[tokio::test]
async fn a_server_that_is_a_black_hole_is_unreachable_not_slow() {
    for (url, _listener) in black_holes().await {
        let client = quick(url.clone()).call_timeout(SOON).connect_lazy().unwrap();
        let start = Instant::now();
        let error = client.server_info().await.unwrap_err();
        assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
        let search = client.scope("app", "user").search("q").timeout(SOON);
        let error = search.send().await.err();
        assert!(matches!(error, Some(Error::Unreachable { .. })), "{error:?}");
        assert!(start.elapsed() < 10 * SOON, "calls went on after their time");
    }
}

#[tokio::test]
async fn the_last_lost_connection_is_told_when_time_passes_in_a_later_attempt() {
    // Accepts one connection and hangs up; the next one is never answered.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let accepting = tokio::spawn(async move {
        drop(listener.accept().await.unwrap());
        listener.accept().await.unwrap()
    });
    let client = quick(url).channels(1).call_timeout(SOON).connect_lazy().unwrap();
    let error = client.server_info().await.unwrap_err();
    let Error::Unreachable { message, source } = error else { panic!("{error:?}") };
    assert!(source.is_some(), "{message}");
    assert!(accepting.is_finished(), "there was a second attempt");
}

#[tokio::test]
async fn a_server_that_answered_once_and_then_takes_too_long_is_slow_not_unreachable() {
    let fake = Fake::doing([unavailable(), Step::Hang]);
    let server = fake.serve();
    let client = quick(server.url()).call_timeout(SOON).connect_lazy().unwrap();
    let error = client.server_info().await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded { .. }), "{error:?}");
    assert_eq!(fake.methods().len(), 2);
}

#[tokio::test]
async fn the_client_outlives_its_server() {
    let fake = Fake::default();
    let first = fake.serve();
    let client = quick(first.url()).connect().await.unwrap();
    client.server_info().await.unwrap();
    let address = first.address.to_string();
    drop(first);
    assert!(client.server_info().await.unwrap_err().is_unavailable());
    let _second = fake.serve_at(&address);
    client.server_info().await.unwrap();
}

#[tokio::test]
async fn a_connection_cut_in_the_middle_of_a_call_is_unreachable() {
    let fake = Fake::doing([Step::Hang]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let call = tokio::spawn(async move { client.server_info().await });
    while fake.methods().is_empty() {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop(server);
    let error = call.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}

#[tokio::test]
async fn a_message_over_four_mebibytes_arrives_and_one_over_the_limit_is_told() {
    let large = "x".repeat(5 << 20);
    let fake = Fake::doing([Step::Reply(large.clone()), Step::Reply(large)]);
    let server = fake.serve();
    let client = quick(server.url()).connect().await.unwrap();
    let read = client.scope("app", "user").entry("id").send().await.unwrap();
    assert_eq!(read.entry_id.len(), 5 << 20);
    let small = quick(server.url()).max_message_bytes(1 << 20).connect().await.unwrap();
    let error = small.scope("app", "user").entry("id").send().await.unwrap_err();
    assert_eq!(error.code(), Code::OutOfRange);
}

#[tokio::test]
async fn listing_reads_as_many_pages_as_it_takes() {
    let pages = [Step::Page(1_000, "a"), Step::Page(0, "b"), Step::Page(400, "c")];
    let fake = Fake::doing(pages);
    let server = fake.serve();
    let scope = quick(server.url()).connect().await.unwrap().scope("app", "user");
    assert_eq!(scope.list().take(1_300).await.unwrap().len(), 1_300);
    let asked: Vec<bool> = fake
        .seen()
        .iter()
        .zip([(1_000, ""), (300, "a"), (300, "b")])
        .map(|(seen, (size, token))| {
            seen.request.contains(&format!("page_size: {size}, page_token: \"{token}\""))
        })
        .collect();
    assert_eq!(asked, [true; 3], "{:?}", fake.seen());
    assert!(scope.list().take(0).await.unwrap().is_empty());
    assert_eq!(fake.methods().len(), 3, "nothing asked for, nothing sent");
}

#[tokio::test]
async fn health_is_asked_of_the_standard_service() {
    let fake = Fake::default();
    let server = fake.serve();
    quick(server.url()).connect().await.unwrap().check_serving().await.unwrap();
    assert!(fake.methods().is_empty(), "no call of the memory service");
}

#[test]
fn a_client_can_be_shared_and_its_calls_spawned() {
    fn shared<T: Clone + Send + Sync + 'static>() {}
    fn spawned<T: Send>(call: T) -> T {
        call
    }
    shared::<MemoryClient>();
    let _compiles = async |client: MemoryClient| {
        let mut hits = spawned(client.scope("a", "b").search("q").send()).await?;
        spawned(hits.next()).await?;
        spawned(client.scope("a", "b").list().take(1)).await
    };
}
