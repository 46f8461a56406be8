//! Deadlines and callers that go away: the call ends, and so does its work (contract, sections 5 and 8).

use std::time::{Duration, Instant};

use memoryd::StoreKind;
use memoryd_proto::v1::*;
use prost::Message;
use tonic::Code;
use tonic_types::StatusExt;

use crate::harness::{
    RawAnswer, RawConnection, TestServer, error_of, framed, listing, query, said, session,
};

/// Calls that are given up in one go.
const GIVEN_UP: usize = 6;

/// Runs a test where work off the calling thread has one thread only: a call that waits for it waits for
/// whatever still runs there.
fn with_one_working_thread(test: impl Future<Output = ()>) {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).max_blocking_threads(1).enable_all().build().unwrap();
    runtime.block_on(test);
}

/// A server with entries whose metadata takes long to look through, and calls that do it in vain.
async fn slow_server() -> (TestServer, RawConnection, [(&'static str, Vec<u8>); 2]) {
    let server = TestServer::start(StoreKind::Memory).await;
    let members: Vec<String> =
        (0..150).map(|number| format!("\"m{number}\":[{number}.5]")).collect();
    let metadata = format!("{{{}}}", members.join(","));
    for batch in 0..2 {
        let entries = (0..500).map(|number| NewEntry {
            metadata_json: Some(metadata.clone()),
            ..said(&format!("apple {batch} {number}"))
        });
        let request = session(&format!("s{batch}"), entries.collect());
        server.calls().await.add_session(request).await.unwrap();
    }
    let condition = MetadataCondition { key: "absent".into(), values_json: vec![] };
    let filter = Some(EntryFilter { metadata: vec![condition], ..EntryFilter::default() });
    let list = ListEntriesRequest { filter: filter.clone(), ..listing() };
    let search = SearchRequest { filter, ..query("apple") };
    let calls = [("ListEntries", list.encode_to_vec()), ("Search", search.encode_to_vec())];
    let connection = RawConnection::open(&server).await;
    (server, connection, calls)
}

/// How long the call takes when it is let be. It needs the working thread.
async fn whole_time(connection: &RawConnection, method: &str, message: &[u8]) -> Duration {
    let began = Instant::now();
    let answer = connection.send(method, message).await;
    assert_eq!(answer.status().code(), Code::Ok);
    began.elapsed()
}

/// A call that needs the working thread for a moment is answered before even one of those given up
/// would have come to its end.
async fn expect_work_stopped(connection: &RawConnection, whole: Duration, what: &str) {
    let request = GetEntryRequest {
        app_name: "app".into(),
        user_id: "user".into(),
        entry_id: "none".into(),
        ..GetEntryRequest::default()
    };
    let began = Instant::now();
    let answer = connection.send("GetEntry", &request.encode_to_vec()).await;
    assert_eq!(answer.status().code(), Code::NotFound);
    // Were they all to go on, it would be five times as long.
    assert!(began.elapsed() < whole, "{what}: {:?} of {whole:?}", began.elapsed());
}

#[test]
fn grpc_rust_606_a_deadline_answers_deadline_exceeded_and_stops_the_work() {
    with_one_working_thread(async {
        let (_server, connection, calls) = slow_server().await;
        for (method, message) in calls {
            let whole = whole_time(&connection, method, &message).await;
            let timeout = format!("{}u", (whole / 8).as_micros());
            let mut waiting = Vec::new();
            for _ in 0..GIVEN_UP {
                let headers = RawConnection::headers(method).header("grpc-timeout", &timeout);
                waiting.push(connection.begin(headers, framed(0, &message)).await.unwrap());
            }
            for response in waiting {
                let answer = RawAnswer::of(response).await;
                let status = answer.status();
                let expected = (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".into(), vec![]);
                assert_eq!(error_of(&status), expected, "{method}: {status:?}");
                assert!(answer.messages.is_empty(), "no answer that looks like one");
                assert!(status.get_error_details().retry_info().is_none());
            }
            expect_work_stopped(&connection, whole, method).await;
        }
    });
}

#[test]
fn s5_a_search_stops_when_the_client_goes_away() {
    with_one_working_thread(async {
        let (server, connection, calls) = slow_server().await;
        for (method, message) in calls {
            let whole = whole_time(&connection, method, &message).await;
            // Half of them cancel, half lose their connection.
            let lost = RawConnection::open(&server).await;
            let mut waiting = Vec::new();
            for number in 0..GIVEN_UP {
                let over = if number % 2 == 0 { &connection } else { &lost };
                let headers = RawConnection::headers(method);
                waiting.push(over.begin(headers, framed(0, &message)).await.unwrap());
            }
            tokio::time::sleep(whole / 8).await;
            drop((waiting, lost));
            expect_work_stopped(&connection, whole, method).await;
        }
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grpc_rust_1826_a_deadline_ends_a_stream_in_the_middle() {
    let server = TestServer::start(StoreKind::Memory).await;
    let padding = ".".repeat(3_500);
    let entries = (0..300).map(|number| said(&format!("apple {number} {padding}"))).collect();
    server.calls().await.add_session(session("s", entries)).await.unwrap();
    let connection = RawConnection::open(&server).await;
    let search = framed(0, &query("apple").encode_to_vec());
    let whole = connection.call(RawConnection::headers("Search"), search.clone()).await;
    assert_eq!((whole.status().code(), whole.messages.len()), (Code::Ok, 300));

    let timeout = Duration::from_millis(700);
    let headers = RawConnection::headers("Search").header("grpc-timeout", "700m");
    let began = Instant::now();
    let response = connection.begin(headers, search).await.unwrap().await.unwrap();
    let (parts, mut body) = response.into_parts();
    let first = body.data().await.unwrap().unwrap();
    assert!(began.elapsed() < timeout, "the first hit came in time");
    // The reader takes nothing until the time is over.
    tokio::time::sleep(timeout.saturating_sub(began.elapsed()) + Duration::from_millis(50)).await;
    body.flow_control().release_capacity(first.len()).unwrap();
    let answer = RawAnswer::rest(parts.headers, body).await;
    assert_eq!(error_of(&answer.status()).1, "DEADLINE_EXCEEDED", "{:?}", answer.status());
    assert_eq!(answer.status().code(), Code::DeadlineExceeded);
    assert!(first.len() + answer.bytes < whole.bytes, "the rest was not sent");
    assert_eq!(connection.send("GetServerInfo", b"").await.status().code(), Code::Ok);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn grpc_rust_75_timeouts_are_read_as_the_protocol_says() {
    let server = TestServer::start(StoreKind::Memory).await;
    let connection = RawConnection::open(&server).await;
    let status = async |timeout: &str| {
        let headers = RawConnection::headers("GetServerInfo").header("grpc-timeout", timeout);
        connection.call(headers, framed(0, b"")).await.status()
    };
    for timeout in ["1H", "99999999H", "99999999M", "30S", "30000m", "30000000u", "99999999u"] {
        assert!(matches!(status(timeout).await.code(), Code::Ok), "{timeout}");
    }
    for timeout in ["", "5", "m", "-5m", "5 m", "5x", "1.5S", "123456789m"] {
        let status = status(timeout).await;
        let expected =
            (Code::InvalidArgument, "INVALID_ARGUMENT".into(), vec!["grpc-timeout".into()]);
        assert_eq!(error_of(&status), expected, "{timeout:?}: {status:?}");
    }
}
