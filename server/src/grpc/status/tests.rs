use super::*;
use crate::domain::EntryId;
use crate::engine::Damage;
use crate::store::{DamagedRecord, LimitKind};

#[test]
fn grpc_rust_1834_a_status_text_is_capped_after_encoding() {
    let printable: String = (' '..='~').collect();
    for text in ["x", "语", "%\u{1F980}", " ", "\u{1}{\"}", &printable] {
        let text = text.repeat(20_000);
        let status = Status::from(Failure::Unimplemented(text.clone()));
        let mut headers = http::HeaderMap::new();
        assert!(status.add_header(&mut headers).is_ok());
        let encoded = headers["grpc-message"].len();
        assert!(encoded <= MAX_MESSAGE_BYTES && encoded > MAX_MESSAGE_BYTES - 16, "{encoded}");
        assert!(text.starts_with(status.message().trim_end_matches("...")));
    }
}

#[test]
fn s8_sixteen_violations_at_most_and_the_text_says_how_many_more() {
    let mut violations = Violations::default();
    for number in 0..20 {
        violations.add(format!("entries[{number}]"), "must have a content");
    }
    let status = Status::from(Failure::from(violations));
    assert_eq!(status.code(), Code::InvalidArgument);
    let bad = status.get_details_bad_request();
    assert_eq!(bad.map(|bad| bad.field_violations.len()), Some(16));
    assert!(status.message().ends_with("and 4 more"), "{}", status.message());
}

/// The causes that no client can bring about at will.
#[test]
fn s8_every_cause_has_its_code_its_reason_and_says_whether_to_try_again() {
    let unreadable = || crate::store::ReadError::Engine { engine: "sled", message: "EIO".into() };
    let commit = |error| Failure::Write(WriteError::Commit(error));
    let too_large = CommitError::TooLarge { what: LimitKind::Proposal, bytes: 9, limit: 7 };
    let damaged = ReadError::Damaged {
        name: "the-entry".into(),
        damage: Damage::Seal(DamagedRecord::Header),
    };
    let stopped = || KeyRingError::StoppedEarlier;
    let nobody = EntryId::new("nobody").unwrap();
    for (failure, code, reason, again) in [
        (commit(CommitError::Overloaded), Code::ResourceExhausted, "OVERLOADED", true),
        (commit(too_large), Code::ResourceExhausted, "MESSAGE_TOO_LARGE", false),
        (commit(CommitError::Conflict { condition: 0 }), Code::Unavailable, "CONTENDED", true),
        (WriteError::Contended.into(), Code::Unavailable, "CONTENDED", true),
        (commit(CommitError::Unavailable), Code::Unavailable, "STORE_UNAVAILABLE", true),
        (
            commit(CommitError::Unreadable(unreadable())),
            Code::Unavailable,
            "STORE_UNAVAILABLE",
            true,
        ),
        (ReadError::Store(unreadable()).into(), Code::Unavailable, "STORE_UNAVAILABLE", true),
        (ReadError::Key(stopped()).into(), Code::Unavailable, "STORE_UNAVAILABLE", true),
        (WriteError::from(stopped()).into(), Code::Unavailable, "STORE_UNAVAILABLE", true),
        (
            WriteError::from(KeyRingError::Erasing).into(),
            Code::Unavailable,
            "STORE_UNAVAILABLE",
            true,
        ),
        (ReadError::Key(KeyRingError::DamagedKey).into(), Code::DataLoss, "KEY_DAMAGED", false),
        (damaged.into(), Code::DataLoss, "ENTRY_DAMAGED", false),
        (ReadError::NotFound(nobody).into(), Code::NotFound, "ENTRY_NOT_FOUND", false),
        (ReadError::Interrupted.into(), Code::Cancelled, "CANCELLED", false),
        (ReadError::Internal("a secret".into()).into(), Code::Internal, "INTERNAL", false),
        (Failure::Panic("a secret".into()), Code::Internal, "INTERNAL", false),
        (Failure::Deadline, Code::DeadlineExceeded, "DEADLINE_EXCEEDED", false),
    ] {
        let what = failure.to_string();
        let status = Status::from(failure);
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!((status.code(), info.reason.as_str()), (code, reason), "{what}");
        assert_eq!(info.domain, "memoryd", "{what}");
        let delay = details.retry_info().and_then(|info| info.retry_delay);
        assert_eq!(delay.is_some(), again, "{what}");
        assert!(delay.is_none_or(|delay| delay > Duration::ZERO), "{what}");
        assert!(!status.message().contains("secret") && !status.message().contains("EIO"));
        match reason {
            "ENTRY_DAMAGED" => {
                assert_eq!(details.resource_info().unwrap().resource_name, "the-entry");
                assert!(status.message().contains("the-entry"));
            }
            "MESSAGE_TOO_LARGE" => assert_eq!(info.metadata["limit_bytes"], "7"),
            "INTERNAL" => assert!(status.message().contains(&info.metadata["reference"])),
            _ => assert!(info.metadata.is_empty(), "{what}"),
        }
    }
}
