//! Keys: different things never share one, ranges hold what they say, order is meaning.

use std::collections::HashMap;

use proptest::prelude::*;

use super::super::key::COMMIT_NUMBER_KEY;
use super::*;

fn digester() -> Digester {
    Digester::new(&[7; 32])
}

/// Identifiers that trip naive encodings: separators, escapes, prefixes of one another, composed and decomposed forms.
fn identifier() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("a"),
        Just("b"),
        Just(":"),
        Just("/"),
        Just("\\"),
        Just("\""),
        Just("%3A"),
        Just("%"),
        Just(".."),
        Just("."),
        Just("_"),
        Just("*"),
        Just("|"),
        Just(" "),
        Just("\u{1}"),
        Just("\u{0}"),
        Just("\u{FFFF}"),
        Just("é"),
        Just("e\u{301}"),
        Just("foo"),
        Just("foobar"),
        Just("global"),
        Just("default"),
        Just("null"),
    ];
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

type Tuple = (String, String, Option<String>, String);

fn tuple() -> impl Strategy<Value = Tuple> {
    (identifier(), identifier(), proptest::option::of(identifier()), identifier())
}

fn entry_key(tuple: &Tuple) -> StorageKey {
    let (app, user, project, entry) = tuple;
    let digester = digester();
    let scope = digester.scope(app, user, project.as_deref());
    let user = digester.user(app, user);
    StorageKey::entry(&user, &scope, &digester.entry(&user, &scope, entry))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn headroom_2231_distinct_tuples_never_share_a_key(
        tuples in proptest::collection::vec(tuple(), 2..60),
    ) {
        let mut keys = HashMap::new();
        for tuple in tuples {
            if let Some(earlier) = keys.insert(entry_key(&tuple).into_bytes(), tuple.clone()) {
                prop_assert_eq!(earlier, tuple);
            }
        }
    }

    #[test]
    fn a_user_range_holds_that_user_only(one in tuple(), other in tuple()) {
        let user = digester().user(&one.0, &one.1);
        let range = KeyRange::user(&user);
        let holds = |tuple: &Tuple| {
            let key = entry_key(tuple).into_bytes();
            range.from <= key && key < range.until
        };
        prop_assert!(holds(&one));
        prop_assert_eq!(holds(&other), (&other.0, &other.1) == (&one.0, &one.1));
    }

    #[test]
    fn expiry_keys_are_in_the_order_of_time(
        one in (any::<i64>(), 0..1_000_000_000_u32),
        other in (any::<i64>(), 0..1_000_000_000_u32),
    ) {
        let user = UserKey([1; 24]);
        let key = |(seconds, nanoseconds), filler: u8| {
            let time = ExpiryTime { seconds, nanoseconds };
            StorageKey::expiry(&user, time, &ScopeDigest([filler; 16]), &EntryDigest([filler; 16]))
        };
        if one != other {
            // What follows the time must not decide.
            prop_assert_eq!(key(one, 0xFF) < key(other, 0), one < other);
        }
        let (seconds, nanoseconds) = one;
        let expired = KeyRange::expired_at(&user, ExpiryTime { seconds, nanoseconds });
        let found = key(other, 0xFF).into_bytes();
        prop_assert_eq!(expired.from <= found && found < expired.until, other <= one);
    }

    #[test]
    fn keys_are_read_back(
        user: [u8; 24], scope: [u8; 16], entry: [u8; 16], revision: u64, index: u32, seconds: i64,
        nanoseconds in 0..1_000_000_000_u32,
    ) {
        let (user, scope, entry) = (UserKey(user), ScopeDigest(scope), EntryDigest(entry));
        let time = ExpiryTime { seconds, nanoseconds };
        let cases = [
            (StorageKey::entry(&user, &scope, &entry), KeyParts::Entry { user, scope, entry }),
            (
                StorageKey::chunk(&user, &scope, &entry, revision, index),
                KeyParts::Chunk { user, scope, entry, revision, index },
            ),
            (
                StorageKey::expiry(&user, time, &scope, &entry),
                KeyParts::Expiry { user, time, scope, entry },
            ),
            (StorageKey::index(&user, &scope, &entry), KeyParts::Index { user, scope, entry }),
        ];
        for (key, parts) in cases {
            prop_assert_eq!(KeyParts::parse(key.as_bytes()), Ok(parts));
            let bytes = key.as_bytes().to_vec();
            prop_assert_eq!(StorageKey::from_stored(bytes), Ok(key.clone()));
            prop_assert!(KeyParts::parse(&key.as_bytes()[1..]).is_err());
        }
    }
}

#[test]
fn langgraph_8478_no_identifier_is_a_prefix_trap() {
    let digester = digester();
    let users = [
        digester.user("foo", "bar"),
        digester.user("foobar", ""),
        digester.user("", "foobar"),
        digester.user("foo", "ba"),
        digester.user("fo", "obar"),
        digester.user("bar", "foo"),
    ];
    for (position, user) in users.iter().enumerate() {
        assert!(users[position + 1..].iter().all(|other| other != user));
    }
    assert_eq!(users[0].app(), digester.app("foo"));
    assert_ne!(digester.scope("app", "user", None), digester.scope("app", "user", Some("")));
    // The same identifiers in another role, or under another secret, are another digest.
    assert_ne!(digester.scope("app", "user", None).0, digester.user("app", "user").0[8..]);
    assert_ne!(digester.user("app", "user"), Digester::new(&[8; 32]).user("app", "user"));
}

#[test]
fn digests_never_change() {
    // HMAC-SHA-256 over domain byte, then length and bytes of each identifier, computed apart from this program.
    let digester = digester();
    assert_eq!(digester.app("app").0, APP_DIGEST);
    assert_eq!(digester.user("app", "user").0[8..], USER_DIGEST);
    assert_eq!(digester.scope("app", "user", Some("p")).0, SCOPE_DIGEST);
    let (user, scope) = (digester.user("app", "user"), digester.scope("app", "user", Some("p")));
    assert_eq!(digester.entry(&user, &scope, "e").0, ENTRY_DIGEST);
}

const APP_DIGEST: [u8; 8] = [0xA1, 0xF0, 0xF1, 0x5D, 0xE1, 0x27, 0x11, 0xE9];
const USER_DIGEST: [u8; 16] = [
    0x76, 0x88, 0xAA, 0x2F, 0xE7, 0x48, 0x59, 0xC8, 0xC9, 0x17, 0x4D, 0xE1, 0x1F, 0x24, 0x3D, 0xC1,
];
const SCOPE_DIGEST: [u8; 16] = [
    0xF3, 0x86, 0xD4, 0x19, 0xE2, 0x4A, 0xD2, 0x31, 0x1C, 0x25, 0x59, 0x3F, 0x35, 0xF2, 0xF0, 0xA5,
];
const ENTRY_DIGEST: [u8; 16] = [
    0x3A, 0x08, 0x29, 0x71, 0x15, 0x16, 0x2E, 0x27, 0x7E, 0x4B, 0x64, 0xD1, 0xD9, 0xF9, 0xA3, 0xC7,
];

#[test]
fn equal_entries_of_two_users_or_scopes_do_not_show_as_equal() {
    let digester = digester();
    let digests = [("one", None), ("one", Some("p")), ("two", None), ("two", Some("p"))].map(
        |(user_id, project)| {
            let user = digester.user("app", user_id);
            digester.entry(&user, &digester.scope("app", user_id, project), "e")
        },
    );
    for (position, digest) in digests.iter().enumerate() {
        assert!(digests[position + 1..].iter().all(|other| other != digest));
    }
    // Each of the two counts by itself, whatever pairs callers make.
    let scope = ScopeDigest([1; 16]);
    let user = UserKey([1; 24]);
    let entry = digester.entry(&user, &scope, "e");
    assert_ne!(digester.entry(&UserKey([2; 24]), &scope, "e"), entry);
    assert_ne!(digester.entry(&user, &ScopeDigest([2; 16]), "e"), entry);
}

#[test]
fn a_key_of_unknown_kind_is_its_users_for_erasing() {
    let (user, other) = (UserKey([1; 24]), UserKey([2; 24]));
    for tail in [&b""[..], &[0xEE], &[0xEE, 1, 2, 3], &[Kind::Entry as u8; 100]] {
        let stored = [&user.0[..], tail].concat();
        assert!(StorageKey::from_stored(stored.clone()).is_err());
        let key = StorageKey::of_user(stored.clone(), &user);
        assert_eq!(key.map(StorageKey::into_bytes), Some(stored.clone()));
        assert_eq!(StorageKey::of_user(stored, &other), None);
    }
    for foreign in [&b""[..], COMMIT_NUMBER_KEY, &user.0[..23]] {
        assert_eq!(StorageKey::of_user(foreign.to_vec(), &user), None);
    }
}

#[test]
fn a_range_ends_right_after_its_prefix() {
    let edge = UserKey([0xFF; 24]);
    let scope = ScopeDigest([0xFF; 16]);
    let entry = EntryDigest([0xFF; 16]);
    let last = StorageKey::chunk(&edge, &scope, &entry, u64::MAX, u32::MAX).into_bytes();
    for range in [
        KeyRange::everything(),
        KeyRange::app(&edge.app()),
        KeyRange::user(&edge),
        KeyRange::kind(&edge, Kind::Chunk),
        KeyRange::chunks_of_scope(&edge, &scope),
        KeyRange::chunks_of_entry(&edge, &scope, &entry),
        KeyRange::chunks_of_revision(&edge, &scope, &entry, u64::MAX),
    ] {
        assert!(range.from <= last && last < range.until, "{range:?}");
    }
    let entries = KeyRange::entries_of_scope(&edge, &scope);
    assert!(entries.until <= last);
    let page = KeyRange::user(&edge).after(&last);
    assert!(page.from > last && page.from < [&last[..], &[0, 0]].concat());
}
