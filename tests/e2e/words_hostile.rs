//! Text that trips query parsers and text cutters elsewhere (contract, sections 3, 5 and 9).

use memoryd_proto::v1::*;

use crate::harness::{TestServer, listing, query, said, session, text_of};

crate::on_every_store!(
    hermes_agent_43435_operators_are_words,
    ccrecall_29_punctuation_is_text,
    hermes_agent_44040_a_long_question_meets_three_shared_words,
    tencent_db_agent_memory_108_emoji_come_back_whole,
    nano_brain_181_nul_in_text_and_in_a_query,
    adk_memory_tokenizer_punctuation_does_not_hide_words,
);

async fn hermes_agent_43435_operators_are_words(server: TestServer) {
    let calls = server.calls().await;
    let operators = ["NOT", "AND", "OR", "NEAR"];
    for operator in operators {
        calls.add_session(session(operator, vec![said(operator)])).await.unwrap();
    }
    calls.add_session(session("tea", vec![said("tea")])).await.unwrap();
    for operator in operators {
        for text in [operator.to_owned(), operator.to_lowercase()] {
            let found = calls.search(query(&text)).await.unwrap();
            assert_eq!(found.texts(), [operator], "{text} is a word like any other");
        }
        for text in [
            format!("{operator} tea"),
            format!("tea {operator}"),
            format!("coffee {operator} tea"),
            format!("tea {operator} {operator}"),
            format!("({operator}) tea {operator}/3"),
            format!("NOT {operator}(tea"),
        ] {
            let found = calls.search(query(&text)).await.unwrap();
            assert!(found.texts().contains(&"tea".into()), "{text}");
        }
    }
}

async fn ccrecall_29_punctuation_is_text(server: TestServer) {
    let calls = server.calls().await;
    let entries = ["Pat O'Brien called", "a well-known café", "key a1:b2", "C:\\temp\\notes"];
    calls.add_session(session("s", entries.map(said).to_vec())).await.unwrap();
    for (text, expected) in [
        ("o'brien", Some(0)),
        ("O\u{2019}Brien", Some(0)),
        ("o'brien's", Some(0)),
        ("well-known", Some(1)),
        ("-known", Some(1)),
        ("a1:b2", Some(2)),
        ("key:", Some(2)),
        ("\"called", Some(0)),
        ("(known", Some(1)),
        ("known)))", Some(1)),
        ("known*", Some(1)),
        ("^known^2", Some(1)),
        ("\\temp", Some(3)),
        ("\\", None),
        ("\"", None),
        ("((", None),
        ("*", None),
        ("'\"'", None),
        ("%", None),
        ("[]{}~!&|", None),
    ] {
        let found = calls.search(query(text)).await.unwrap();
        let expected: Vec<_> = expected.map(|place: usize| entries[place]).into_iter().collect();
        assert_eq!(found.texts(), expected, "{text}");
    }
}

async fn hermes_agent_44040_a_long_question_meets_three_shared_words(server: TestServer) {
    let calls = server.calls().await;
    let wanted = "The dog goes to the vet on Elm Street, a small clinic.";
    let noise =
        (0..200).map(|number| said(&format!("we talked about moving house, part {number}")));
    calls.add_session(session("noise", noise.collect())).await.unwrap();
    calls.add_session(session("s", vec![said(wanted)])).await.unwrap();
    let question = "could you please remind me again which vet clinic our old dog visited \
                    before moving house";
    let request = SearchRequest { limit: Some(1), ..query(question) };
    assert_eq!(calls.search(request).await.unwrap().texts(), [wanted]);
}

async fn tencent_db_agent_memory_108_emoji_come_back_whole(server: TestServer) {
    let calls = server.calls().await;
    let emoji = ["👨‍👩‍👧‍👦", "👍🏽", "🏳️‍🌈", "🇩🇪", "1️⃣", "👩🏿‍🚀", "❤️", "🧑🏻‍🤝‍🧑🏿"];
    // At every place near a power of two, where buffers end.
    let texts: Vec<String> = [0, 60, 250, 1_018, 4_088, 65_528]
        .into_iter()
        .flat_map(|at| (0..8).map(move |more| at + more))
        .map(|padding| format!("{} {} end", "x".repeat(padding), emoji.concat()))
        .collect();
    let entries = texts.iter().map(|text| said(text)).collect();
    calls.add_session(session("s", entries)).await.unwrap();
    let mut listed: Vec<String> =
        calls.list_all(listing()).await.unwrap().iter().map(text_of).collect();
    let mut found = calls.search(query("end")).await.unwrap().texts();
    let mut expected = texts.clone();
    for list in [&mut listed, &mut found, &mut expected] {
        list.sort();
    }
    assert!(listed == expected && found == expected, "every text came back as it was sent");
    for sign in emoji {
        assert_eq!(calls.search(query(sign)).await.unwrap().hits.len(), texts.len(), "{sign}");
    }
}

async fn nano_brain_181_nul_in_text_and_in_a_query(server: TestServer) {
    let calls = server.calls().await;
    let texts = ["left\0right", "\0", "\0\0before", "after\0"];
    calls.add_session(session("s", texts.map(said).to_vec())).await.unwrap();
    for (text, expected) in [
        ("left", Some(0)),
        ("\0right\0", Some(0)),
        ("before", Some(2)),
        ("after\0unheard", Some(3)),
        ("\0", None),
    ] {
        let found = calls.search(query(text)).await.unwrap();
        let expected: Vec<_> = expected.map(|place: usize| texts[place]).into_iter().collect();
        assert_eq!(found.texts(), expected, "{text:?}");
    }
    let mut listed: Vec<String> =
        calls.list_all(listing()).await.unwrap().iter().map(text_of).collect();
    listed.sort();
    assert_eq!(listed, ["\0", "\0\0before", "after\0", "left\0right"]);
}

async fn adk_memory_tokenizer_punctuation_does_not_hide_words(server: TestServer) {
    let calls = server.calls().await;
    let texts = ["I met Alice.", "deadline: friday", "write to bob@example.com", "好。"];
    calls.add_session(session("s", texts.map(said).to_vec())).await.unwrap();
    for (text, expected) in [
        ("alice", Some(0)),
        ("Alice.", Some(0)),
        ("alice?!", Some(0)),
        ("deadline", Some(1)),
        ("friday", Some(1)),
        ("example", Some(2)),
        ("bob@example.com", Some(2)),
        ("好", Some(3)),
        ("。", None),
    ] {
        let found = calls.search(query(text)).await.unwrap();
        let expected: Vec<_> = expected.map(|place: usize| texts[place]).into_iter().collect();
        assert_eq!(found.texts(), expected, "{text}");
    }
}
