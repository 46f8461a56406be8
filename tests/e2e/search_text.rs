//! A query is plain text, and an entry matches by what it holds itself (contract, section 5).

use memoryd_proto::trailers::{CONSIDERED, CUT_BY_LIMIT, CUT_BY_SCORE, MATCHED};
use memoryd_proto::v1::SearchRequest;

use crate::harness::{TestServer, query, said, session};

crate::on_every_store!(
    s5_a_query_is_text_and_never_a_syntax,
    s5_an_entry_matches_by_its_own_words_not_by_its_neighbours,
    s5_a_query_without_anything_searchable_answers_nothing_without_error,
    s5_one_shared_word_is_enough_and_none_is_too_few,
);

async fn s5_a_query_is_text_and_never_a_syntax(server: TestServer) {
    let calls = server.calls().await;
    let entries =
        ["coffee in the morning", "tea at night", "dark bread, roast beef", "author: kim"];
    calls.add_session(session("s", entries.map(said).to_vec())).await.unwrap();
    for (text, expected) in [
        // Nothing excludes.
        ("coffee NOT tea", &["coffee in the morning", "tea at night"][..]),
        ("coffee -tea", &["coffee in the morning", "tea at night"]),
        ("coffee AND NOT tea", &["coffee in the morning", "tea at night"]),
        // Quotes make no phrase.
        ("\"roast dark\"", &["dark bread, roast beef"]),
        // Nothing names a field.
        ("author:tea", &["author: kim", "tea at night"]),
        ("text:coffee", &["coffee in the morning"]),
        // Nothing stands for other letters, weighs or fuzzes.
        ("cof*", &[]),
        ("c?ffee", &[]),
        ("tea^9", &["tea at night"]),
        ("tea~", &["tea at night"]),
        ("/tea|coffee/", &["coffee in the morning", "tea at night"]),
        ("' OR 1=1; DROP TABLE entries; --", &[]),
    ] {
        let mut found = calls.search(query(text)).await.unwrap().texts();
        let mut expected = expected.to_vec();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{text}");
    }
}

async fn s5_an_entry_matches_by_its_own_words_not_by_its_neighbours(server: TestServer) {
    let calls = server.calls().await;
    let entries = ["Which vet do we go to?", "The clinic on Elm Street", "Thanks, noted"];
    calls.add_session(session("zebra", entries.map(said).to_vec())).await.unwrap();
    calls.add_session(session("other", vec![said("Elm wood burns well")])).await.unwrap();

    let found = calls.search(query("clinic")).await.unwrap();
    assert_eq!(found.texts(), ["The clinic on Elm Street"]);
    assert_eq!((found.count(CONSIDERED), found.count(MATCHED)), (4, 1));

    // With neighbours brought along, they are no hits of their own.
    let found = calls.search(SearchRequest { context: 5, ..query("clinic") }).await.unwrap();
    assert_eq!(found.texts(), ["The clinic on Elm Street"]);
    assert_eq!(found.count(MATCHED), 1);

    // Authors, ids and metadata aren't what an entry says.
    for text in ["user", "zebra", "app"] {
        assert_eq!(calls.search(query(text)).await.unwrap().hits, [], "{text}");
    }
}

async fn s5_a_query_without_anything_searchable_answers_nothing_without_error(server: TestServer) {
    let calls = server.calls().await;
    let texts = ["", " \t\n", "。", "!!!", "…", "\0", "\u{200d}", "___", "\u{301}", "(\"'*:^\\"];
    for text in texts {
        let found = calls.search(query(text)).await.unwrap();
        let counts =
            [CONSIDERED, MATCHED, CUT_BY_SCORE, CUT_BY_LIMIT].map(|name| found.count(name));
        assert_eq!((found.hits.len(), counts), (0, [0; 4]), "{text:?} on nothing");
    }
    let entries = vec![said("。!!! …"), said(""), said("words \0 and more")];
    calls.add_session(session("s", entries)).await.unwrap();
    for text in texts {
        let found = calls.search(query(text)).await.unwrap();
        assert_eq!(found.hits, [], "{text:?}");
        assert_eq!((found.count(CONSIDERED), found.count(MATCHED)), (3, 0), "{text:?}");
    }
}

async fn s5_one_shared_word_is_enough_and_none_is_too_few(server: TestServer) {
    let calls = server.calls().await;
    let entries = ["My sister lives in Porto", "The report is due on Friday", "Buy milk"];
    calls.add_session(session("s", entries.map(said).to_vec())).await.unwrap();
    let found = calls.search(query("When will we visit Porto, and who drives?")).await.unwrap();
    assert_eq!(found.texts(), ["My sister lives in Porto"]);
    let found = calls.search(query("quantum chromodynamics lattice")).await.unwrap();
    assert_eq!(found.hits, [], "unrelated entries are no hits at all");
    assert_eq!(found.count(CONSIDERED), 3);
    // Stop words decide nothing beside others, and count when there is nothing else.
    assert_eq!(calls.search(query("the quark on a boson")).await.unwrap().hits, []);
    assert_eq!(calls.search(query("the")).await.unwrap().texts(), ["The report is due on Friday"]);
}
