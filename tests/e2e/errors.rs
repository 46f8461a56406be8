//! From cause to code, reason and details (contract, section 8).

use memoryd_proto::v1::*;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use crate::harness::{
    RawConnection, TestServer, error_of, framed, listing, new_entry, query, said, session,
};

crate::on_every_store!(
    s8_every_bad_field_is_named_at_once,
    s8_sixteen_violations_at_most_and_the_text_says_how_many_more,
    s8_causes_have_their_codes_and_reasons_and_none_of_these_may_be_retried,
    s8_a_status_text_is_capped_after_encoding,
);

fn expect(status: &Status, code: Code, reason: &str, fields: &[&str], what: &str) {
    let (of_code, of_reason, of_fields) = error_of(status);
    assert_eq!((of_code, of_reason.as_str()), (code, reason), "{what}: {status:?}");
    assert_eq!(of_fields, fields, "{what}: {status:?}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().map(|info| info.domain.as_str()), Some("memoryd"), "{what}");
    assert!(details.retry_info().is_none(), "{what}: the same again would fail again");
    assert!(!status.message().is_empty(), "{what}");
}

async fn s8_every_bad_field_is_named_at_once(server: TestServer) {
    let calls = server.calls().await;
    let long = "i".repeat(513);
    let bad_time = Some(prost_types::Timestamp { seconds: 0, nanos: -1 });

    let part = |kind| Part { kind, extra_json: None };
    let call = FunctionCall { name: "f".into(), args_json: "{".into(), ..FunctionCall::default() };
    let blob = InlineData { data: vec![0; 10 * 1024 * 1024 + 1].into(), ..InlineData::default() };
    let content = Content {
        role: "r".repeat(257),
        parts: vec![
            part(None),
            part(Some(part::Kind::InlineData(blob))),
            part(Some(part::Kind::FunctionCall(call))),
        ],
    };
    let bad_entry = NewEntry {
        entry_id: Some("a\0b".into()),
        content: Some(content),
        author: "a".repeat(257),
        timestamp: bad_time,
        expire_time: Some(prost_types::Timestamp { seconds: i64::MAX, nanos: 0 }),
        metadata_json: Some("[]".into()),
    };
    let no_content = NewEntry { content: None, ..said("") };
    let entries = vec![said("fine"), bad_entry, no_content];
    let request = AddSessionRequest {
        app_name: String::new(),
        project_id: Some(String::new()),
        mode: 9,
        ..session(&long, entries)
    };
    let refused = calls.add_session(request).await.unwrap_err();
    let fields = [
        "app_name",
        "project_id",
        "session_id",
        "mode",
        "entries[1].entry_id",
        "entries[1].content.role",
        "entries[1].content.parts[0]",
        "entries[1].content.parts[1].inline_data.data",
        "entries[1].content.parts[2].function_call.args_json",
        "entries[1].author",
        "entries[1].timestamp",
        "entries[1].expire_time",
        "entries[1].metadata_json",
        "entries[2].content",
    ];
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "AddSession");

    let condition =
        MetadataCondition { key: "k".repeat(257), values_json: vec!["1".into(), "nul".into()] };
    let filter = EntryFilter {
        session_ids: vec!["s".into(), String::new()],
        authors: vec!["a".repeat(257)],
        start_time: bad_time,
        end_time: bad_time,
        metadata: vec![MetadataCondition::default(), condition],
    };
    let of_filter = [
        "filter.session_ids[1]",
        "filter.authors[0]",
        "filter.start_time",
        "filter.end_time",
        "filter.metadata[1].key",
        "filter.metadata[1].values_json[1]",
    ];
    let request = SearchRequest {
        user_id: "\0".into(),
        project_id: Some("é".repeat(257)),
        min_score: Some(f32::NAN),
        context: 6,
        mode: -1,
        filter: Some(filter.clone()),
        reference_time: bad_time,
        ..query("x")
    };
    let refused = calls.search(request).await.unwrap_err();
    let head = ["user_id", "project_id", "min_score", "context", "mode"];
    let fields: Vec<_> = head.into_iter().chain(of_filter).chain(["reference_time"]).collect();
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "Search");

    let request = ListEntriesRequest {
        app_name: long.clone(),
        filter: Some(filter),
        page_size: 1_001,
        ..listing()
    };
    let refused = calls.list(request).await.unwrap_err();
    let fields: Vec<_> = ["app_name"].into_iter().chain(of_filter).chain(["page_size"]).collect();
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "ListEntries");

    let request = DeleteEntriesRequest { r#match: 7, ..DeleteEntriesRequest::default() };
    let refused = calls.delete_entries(request).await.unwrap_err();
    let fields = ["app_name", "user_id", "match", "query"];
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "DeleteEntries");
    let refused = calls.get(GetEntryRequest::default()).await.unwrap_err();
    let fields = ["app_name", "user_id", "entry_id"];
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "GetEntry");
    let refused = calls.delete_session("", "", Some(""), "").await.unwrap_err();
    let fields = ["app_name", "user_id", "project_id", "session_id"];
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "DeleteSession");
    let refused = calls.delete_project("", "", "").await.unwrap_err();
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields[..3], "DeleteProject");
    let refused = calls.delete_user("", "").await.unwrap_err();
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields[..2], "DeleteUser");
    let refused = calls.add_entries(AddEntriesRequest::default()).await.unwrap_err();
    expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields[..2], "AddEntries");
    assert!(calls.list_all(listing()).await.unwrap().is_empty(), "what was refused left nothing");
}

async fn s8_sixteen_violations_at_most_and_the_text_says_how_many_more(server: TestServer) {
    let calls = server.calls().await;
    for (bad, more) in [(15, None), (16, None), (17, Some("1 more")), (1_000, Some("984 more"))] {
        let entries = vec![NewEntry { content: None, ..new_entry("") }; bad];
        let refused = calls.add_session(session("s", entries)).await.unwrap_err();
        let fields: Vec<_> =
            (0..bad.min(16)).map(|number| format!("entries[{number}].content")).collect();
        let fields: Vec<_> = fields.iter().map(String::as_str).collect();
        expect(&refused, Code::InvalidArgument, "INVALID_ARGUMENT", &fields, "entries");
        let text = refused.message();
        assert_eq!(more.is_some(), text.ends_with(" more"), "{text}");
        assert!(more.is_none_or(|more| text.ends_with(more)), "{text}");
    }
}

async fn s8_causes_have_their_codes_and_reasons_and_none_of_these_may_be_retried(
    server: TestServer,
) {
    let calls = server.calls().await;
    let (app_name, user_id) = ("app".to_owned(), "user".to_owned());
    let entry_id = "nobody".to_owned();
    let request = GetEntryRequest { app_name, user_id, entry_id, ..GetEntryRequest::default() };
    let missing = calls.get(request.clone()).await.unwrap_err();
    expect(&missing, Code::NotFound, "ENTRY_NOT_FOUND", &[], "no such user");
    calls.add_session(session("s", vec![said("one"), said("two")])).await.unwrap();
    let missing = calls.get(request).await.unwrap_err();
    expect(&missing, Code::NotFound, "ENTRY_NOT_FOUND", &[], "no such entry");

    let page = calls.list(ListEntriesRequest { page_size: 1, ..listing() }).await.unwrap();
    let token = page.next_page_token;
    for page_token in [format!("{token}x"), token[1..].to_owned(), "?".into(), "\0".into()] {
        let refused = calls.list(ListEntriesRequest { page_token, ..listing() }).await.unwrap_err();
        expect(&refused, Code::InvalidArgument, "INVALID_PAGE_TOKEN", &["page_token"], "a token");
    }

    let semantic = SearchRequest { mode: SearchMode::Semantic.into(), ..query("one") };
    let by_meaning = calls.search(semantic).await;
    if calls.info().await.unwrap().embedder == "none" {
        expect(&by_meaning.unwrap_err(), Code::Unimplemented, "NO_EMBEDDER", &[], "by meaning");
    } else {
        assert!(by_meaning.is_ok());
    }

    let connection = RawConnection::open(&server).await;
    for path in [
        "/memoryd.v1.MemoryService/Nothing",
        "/memoryd.v1.MemoryService/search",
        "/memoryd.v2.MemoryService/Search",
        "/memoryd.v1.Memory/Search",
        "/grpc.health.v1.Health/Nothing",
        "/Search",
        "/",
    ] {
        let answer = connection.call(RawConnection::headers_of(path), framed(0, b"")).await;
        expect(&answer.status(), Code::Unimplemented, "UNIMPLEMENTED", &[], path);
        assert!(answer.status().message().contains(path), "{:?}", answer.status());
    }
}

async fn s8_a_status_text_is_capped_after_encoding(server: TestServer) {
    let connection = RawConnection::open(&server).await;
    let expect_capped = |answer: &crate::harness::RawAnswer, what: &str| {
        assert_ne!(answer.status().code(), Code::Ok, "{what}");
        let encoded = answer.status_header("grpc-message").unwrap().len();
        assert!(encoded <= 2_048, "{what}: {encoded}");
        // As HTTP/2 counts; grpc-java takes no more than 8 KiB.
        assert!(answer.status_bytes() <= 8_192, "{what}: {}", answer.status_bytes());
        encoded
    };
    let path = format!("/{}", "very-long".repeat(1_000));
    let answer = connection.call(RawConnection::headers_of(&path), framed(0, b"")).await;
    assert!(expect_capped(&answer, "a long path") > 2_000);
    let headers = RawConnection::headers("Search").header("grpc-encoding", "z".repeat(9_000));
    let answer = connection.call(headers, framed(0, b"")).await;
    assert!(expect_capped(&answer, "a long encoding") > 2_000);

    let message = |request: &dyn Fn(String) -> Vec<u8>, character: &str, bytes: usize| {
        request(character.repeat(bytes / character.len()))
    };
    use prost::Message;
    let get = |entry_id| {
        let (app_name, user_id) = ("app".into(), "user".into());
        GetEntryRequest { app_name, user_id, entry_id, ..GetEntryRequest::default() }
            .encode_to_vec()
    };
    let add = |value: String| {
        let annotations_json = Some(value.clone());
        let blob = InlineData { annotations_json, ..InlineData::default() };
        let inline_data = vec![blob; 20];
        let response =
            FunctionResponse { response_json: value, inline_data, ..FunctionResponse::default() };
        let part = Part { kind: Some(part::Kind::FunctionResponse(response)), extra_json: None };
        let content = Some(Content { role: String::new(), parts: vec![part] });
        session("s", vec![NewEntry { content, ..said("") }]).encode_to_vec()
    };
    let list = |value: String| {
        let condition = MetadataCondition { key: value.clone(), values_json: vec![value; 20] };
        let filter = Some(EntryFilter { metadata: vec![condition; 3], ..EntryFilter::default() });
        ListEntriesRequest { filter, ..listing() }.encode_to_vec()
    };
    for character in ["语", "\u{1F980}", "\u{1}", "%", "\n", "\u{7f}", "\\", "\""] {
        let answer = connection.send("GetEntry", &message(&get, character, 512)).await;
        expect_capped(&answer, character);
        let answer = connection.send("ListEntries", &message(&list, character, 2_000)).await;
        expect_capped(&answer, character);
        let answer = connection.send("AddSession", &message(&add, character, 2_000)).await;
        expect_capped(&answer, character);
    }
    // The connection outlives them all.
    assert_eq!(connection.send("GetServerInfo", b"").await.status().code(), Code::Ok);
}
