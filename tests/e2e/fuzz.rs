//! Whatever bytes arrive, a call ends with one of a few codes and the server goes on.

use std::sync::LazyLock;

use bytes::Bytes;
use memoryd_proto::v1::*;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};
use prost::Message;
use tokio::runtime::Runtime;
use tonic::Code;

use crate::harness::{
    METHODS, RawConnection, TestServer, deletion, framed, listing, query, said, session,
};

/// Cases of each of the three kinds.
const CASES: u32 = 1_500;

/// A request of each method with about every field set, in the order of [`METHODS`].
static VALID: LazyLock<[Vec<u8>; 10]> = LazyLock::new(|| {
    let (app_name, user_id) = ("app".to_owned(), "user".to_owned());
    let project_id = Some("project".to_owned());
    let blob = InlineData {
        mime_type: "image/png".into(),
        data: vec![1, 2].into(),
        ..InlineData::default()
    };
    let call = FunctionCall {
        name: "f".into(),
        args_json: "{\"a\":[1,-0.0]}".into(),
        ..FunctionCall::default()
    };
    let opaque = Opaque { kind: "code".into(), value: Some(opaque::Value::Json("null".into())) };
    let mut entry = NewEntry {
        entry_id: Some("id".into()),
        expire_time: Some(prost_types::Timestamp { seconds: 4_000_000_000, nanos: 5 }),
        metadata_json: Some("{\"k\":1}".into()),
        ..said("Rust 用户喜欢 👍🏽 café")
    };
    let kinds =
        [part::Kind::InlineData(blob), part::Kind::FunctionCall(call), part::Kind::Opaque(opaque)];
    let parts = kinds.map(|kind| Part { kind: Some(kind), extra_json: Some("{}".into()) });
    entry.content.as_mut().unwrap().parts.extend(parts);
    let condition = MetadataCondition { key: "k".into(), values_json: vec!["1".into()] };
    let filter = Some(EntryFilter {
        session_ids: vec!["s".into()],
        authors: vec!["user".into()],
        start_time: Some(prost_types::Timestamp { seconds: 1, nanos: 2 }),
        end_time: Some(prost_types::Timestamp { seconds: 4_000_000_000, nanos: 0 }),
        metadata: vec![condition],
    });
    let search = SearchRequest {
        project_id: project_id.clone(),
        min_score: Some(0.1),
        filter: filter.clone(),
        context: 2,
        explain: true,
        ..query("用户 café rust")
    };
    let add = AddEntriesRequest {
        app_name: app_name.clone(),
        user_id: user_id.clone(),
        project_id: project_id.clone(),
        entries: vec![entry.clone()],
        restore_deleted: true,
    };
    let get = GetEntryRequest {
        app_name: app_name.clone(),
        user_id: user_id.clone(),
        entry_id: "id".into(),
        ..GetEntryRequest::default()
    };
    let of_session = DeleteSessionRequest {
        app_name: app_name.clone(),
        user_id: user_id.clone(),
        session_id: "s".into(),
        ..DeleteSessionRequest::default()
    };
    let of_project = DeleteProjectRequest {
        app_name: app_name.clone(),
        user_id: user_id.clone(),
        project_id: "project".into(),
    };
    [
        session("s", vec![entry.clone(), entry]).encode_to_vec(),
        add.encode_to_vec(),
        search.encode_to_vec(),
        ListEntriesRequest { filter, page_token: "abc".into(), ..listing() }.encode_to_vec(),
        get.encode_to_vec(),
        DeleteEntriesRequest { dry_run: true, ..deletion("café") }.encode_to_vec(),
        of_session.encode_to_vec(),
        of_project.encode_to_vec(),
        DeleteUserRequest { app_name, user_id }.encode_to_vec(),
        GetServerInfoRequest {}.encode_to_vec(),
    ]
});

/// One change of a message.
#[derive(Debug, Clone)]
enum Edit {
    Put(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    Cut(Index),
    Repeat(Index, Index),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        4 => any::<(Index, u8)>().prop_map(|(at, byte)| Edit::Put(at, byte)),
        2 => any::<(Index, u8)>().prop_map(|(at, byte)| Edit::Insert(at, byte)),
        2 => any::<Index>().prop_map(Edit::Remove),
        1 => any::<Index>().prop_map(Edit::Cut),
        1 => any::<(Index, Index)>().prop_map(|(from, to)| Edit::Repeat(from, to)),
    ];
    proptest::collection::vec(edit, 1..4)
}

fn edited(mut message: Vec<u8>, edits: Vec<Edit>) -> Vec<u8> {
    for edit in edits {
        if message.is_empty() {
            message.push(0);
        }
        let length = message.len();
        match edit {
            Edit::Put(at, byte) => message[at.index(length)] = byte,
            Edit::Insert(at, byte) => message.insert(at.index(length), byte),
            Edit::Remove(at) => drop(message.remove(at.index(length))),
            Edit::Cut(at) => message.truncate(at.index(length)),
            Edit::Repeat(from, to) => {
                let (from, to) = (from.index(length), to.index(length));
                message.extend_from_within(from.min(to)..=from.max(to));
            }
        }
    }
    message
}

struct Target {
    runtime: Runtime,
    server: TestServer,
    connection: RawConnection,
}

impl Target {
    fn start() -> Self {
        let runtime = Runtime::new().unwrap();
        let (server, connection) = runtime.block_on(async {
            let server = TestServer::start(memoryd::StoreKind::Memory).await;
            let connection = RawConnection::open(&server).await;
            (server, connection)
        });
        Self { runtime, server, connection }
    }

    /// The code of a call, on the one connection that all cases share.
    fn code(&self, method: &str, body: Bytes) -> Code {
        self.runtime.block_on(async {
            let answer = self.connection.call(RawConnection::headers(method), body).await;
            answer.status().code()
        })
    }

    fn run<S: Strategy>(&self, strategy: S, case: impl Fn(S::Value) -> (&'static str, Bytes)) {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        let ran = TestRunner::new(config).run(&strategy, |value| {
            let (method, body) = case(value);
            let code = self.code(method, body.clone());
            let expected = matches!(
                code,
                Code::Ok
                    | Code::InvalidArgument
                    | Code::NotFound
                    | Code::ResourceExhausted
                    | Code::Unimplemented
            );
            prop_assert!(expected, "{method} answered {code:?} to {body:?}");
            Ok(())
        });
        ran.unwrap_or_else(|failure| panic!("{failure}"));
        // Nothing that was sent has done harm: not to the connection, not to the memory.
        self.runtime.block_on(async {
            let status = self.connection.send("GetServerInfo", b"").await.status();
            assert_eq!(status.code(), Code::Ok);
            let calls = self.server.calls().await;
            calls.delete_user("app", "user").await.unwrap();
            calls.add_session(session("s", vec![said("still here")])).await.unwrap();
            assert_eq!(calls.search(query("here")).await.unwrap().texts(), ["still here"]);
        });
    }
}

#[test]
fn s8_valid_messages_are_the_ones_that_are_mutated() {
    let target = Target::start();
    for (method, message) in METHODS.into_iter().zip(VALID.iter()) {
        let code = target.code(method, framed(0, message));
        let token = method == "ListEntries" && code == Code::InvalidArgument;
        assert!(code == Code::Ok || token || code == Code::NotFound, "{method}: {code:?}");
    }
}

#[test]
fn s8_mutated_messages_do_no_harm() {
    Target::start().run((0..METHODS.len(), edits()), |(method, edits)| {
        (METHODS[method], framed(0, &edited(VALID[method].clone(), edits)))
    });
}

#[test]
fn s8_arbitrary_messages_do_no_harm() {
    let bytes = proptest::collection::vec(any::<u8>(), 0..200);
    Target::start()
        .run((0..METHODS.len(), bytes), |(method, bytes)| (METHODS[method], framed(0, &bytes)));
}

#[test]
fn s8_arbitrary_frames_do_no_harm() {
    let bytes = proptest::collection::vec(prop_oneof![Just(0), Just(1), any::<u8>()], 0..64);
    Target::start()
        .run((0..METHODS.len(), bytes), |(method, bytes)| (METHODS[method], bytes.into()));
}
