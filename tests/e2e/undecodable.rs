//! Messages that are no messages (contract, section 8).

use prost::Message;
use tonic::Code;
use tonic_types::StatusExt;

use crate::harness::{METHODS, RawConnection, TestServer, error_of, framed, query, said, session};

fn expect_undecodable(status: &tonic::Status, what: &str) {
    let expected = (Code::InvalidArgument, "UNDECODABLE_MESSAGE".into(), vec![]);
    assert_eq!(error_of(status), expected, "{what}: {status:?}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().map(|info| info.domain.as_str()), Some("memoryd"), "{what}");
    assert!(details.retry_info().is_none(), "{what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn topk_228_undecodable_messages_are_invalid_argument() {
    let server = TestServer::start(memoryd::StoreKind::Memory).await;
    let connection = RawConnection::open(&server).await;
    // Field 1 is a string in every request but GetServerInfo's, which is empty.
    for (what, skippable, message) in [
        ("a truncated varint as a key", false, &b"\xff\xff\xff"[..]),
        ("a truncated varint as a length", false, b"\x0a\x80"),
        ("a length beyond the end", false, b"\x0a\x05ab"),
        ("a varint of eleven bytes", false, b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        ("bad UTF-8", true, b"\x0a\x02\xc3\x28"),
        ("a lone surrogate", true, b"\x0a\x03\xed\xa0\x80"),
        ("an overlong NUL", true, b"\x0a\x02\xc0\x80"),
        ("a wrong wire type", true, b"\x08\x01"),
        ("a wire type that isn't one", false, b"\x0f"),
        ("field number zero", false, b"\x02\x00"),
        ("the end of a group that never began", false, b"\x0c"),
    ] {
        for method in METHODS {
            let answer = connection.send(method, message).await;
            // It knows no fields, so it skips what has the form of one.
            if method == "GetServerInfo" && skippable {
                assert_eq!(answer.status().code(), Code::Ok, "{what}");
                continue;
            }
            expect_undecodable(&answer.status(), &format!("{method}: {what}"));
        }
    }
    // Nested ones as well.
    let mut nested = session("s", vec![said("text")]).encode_to_vec();
    let at = nested.windows(4).position(|window| window == b"text").unwrap();
    nested[at] = 0xff;
    expect_undecodable(&connection.send("AddSession", &nested).await.status(), "a nested text");
    // The connection is as good as before.
    assert_eq!(connection.send("GetServerInfo", b"").await.status().code(), Code::Ok);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn topk_228_broken_frames_are_invalid_argument() {
    let server = TestServer::start(memoryd::StoreKind::Memory).await;
    let connection = RawConnection::open(&server).await;
    let good = framed(0, &query("word").encode_to_vec());
    for (what, body) in [
        ("no message at all", &b""[..]),
        ("half a frame head", &good[..3]),
        ("a frame head alone", &good[..5]),
        ("a message cut short", &good[..good.len() - 1]),
        ("a compressed flag that isn't one", b"\x02\x00\x00\x00\x00"),
        ("compressed, without an encoding", b"\x01\x00\x00\x00\x00"),
    ] {
        let headers = RawConnection::headers("Search");
        let answer = connection.call(headers, bytes::Bytes::copy_from_slice(body)).await;
        expect_undecodable(&answer.status(), what);
    }
    let answer = connection.call(RawConnection::headers("Search"), good).await;
    assert_eq!(answer.status().code(), Code::Ok);
}
