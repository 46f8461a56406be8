//! Embedders: vectors follow their entries, are kept, and are never compared with those of another
//! embedder (contract, section 10).

use memoryd::{Config, EmbedOptions, EmbedWhen, EmbedderChoice, StoreKind};
use memoryd_proto::v1::*;

use crate::harness::{Endpoint, GLOBAL, TestServer, error_of, query, said_after, session};

fn with(embedder: &str, model: Option<&str>, embed: EmbedWhen) -> Config {
    let choice: EmbedderChoice = embedder.parse().unwrap();
    let model = model.map(str::to_owned);
    let embedder = EmbedOptions { choice, model, ..EmbedOptions::default() };
    Config { store: StoreKind::Sled, embedder, embed, ..Config::default() }
}

fn semantic(text: &str) -> SearchRequest {
    SearchRequest { mode: SearchMode::Semantic.into(), ..query(text) }
}

async fn add(server: &TestServer, from: i64, texts: &[&str]) {
    let entries = (from..).zip(texts).map(|(at, text)| said_after(at, text)).collect();
    server.calls().await.add_session(session("s", entries)).await.unwrap();
}

async fn best(server: &TestServer, question: &str) -> Option<String> {
    // After failures, queries go without the endpoint for a while.
    let found = server.calls().await.search(semantic(question)).await.ok()?;
    found.texts().first().cloned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_an_endpoint_gives_vectors_that_a_restart_keeps() {
    let endpoint = Endpoint::start().await;
    let config = with(&endpoint.option(), Some("m"), EmbedWhen::Background);
    let mut server = TestServer::start_with(config).await;
    add(&server, 0, &["the dog sleeps", "a car in the yard", "my flight is late"]).await;
    server.all_vectors().await;
    assert_eq!(endpoint.texts(), 3);
    assert_eq!(best(&server, "hund").await.as_deref(), Some("the dog sleeps"));
    let asked = endpoint.texts();
    server.restart().await;
    server.all_vectors().await;
    assert_eq!(endpoint.texts(), asked, "nothing is embedded again");
    assert_eq!(best(&server, "flug").await.as_deref(), Some("my flight is late"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_an_endpoint_that_is_down_loses_nothing() {
    let endpoint = Endpoint::start().await;
    for embed in [EmbedWhen::Background, EmbedWhen::Inline] {
        endpoint.set_down(true);
        let mut server = TestServer::start_with(with(&endpoint.option(), Some("m"), embed)).await;
        let calls = server.calls().await;
        add(&server, 0, &["the dog sleeps", "a car in the yard"]).await;
        assert_eq!(calls.search(query("dog")).await.unwrap().texts(), ["the dog sleeps"]);
        assert_eq!(calls.info().await.unwrap().pending_vectors, 2, "{embed:?}");
        // Also when it is down for longer than the server is up.
        server.restart().await;
        assert_eq!(server.calls().await.list_all(GLOBAL.listing()).await.unwrap().len(), 2);
        endpoint.set_down(false);
        server.all_vectors().await;
        // After failures, queries go without the endpoint for a while.
        server
            .until(async |server| best(server, "hund").await.as_deref() == Some("the dog sleeps"))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_another_embedder_makes_new_vectors_and_never_meets_the_old() {
    let endpoint = Endpoint::start().await;
    let of = |model: &str| with(&endpoint.option(), Some(model), EmbedWhen::Background);
    let mut server = TestServer::start_with(of("small")).await;
    add(&server, 0, &["the dog sleeps", "a car in the yard", "my flight is late"]).await;
    server.all_vectors().await;
    let name = server.calls().await.info().await.unwrap().embedder;
    assert_eq!(endpoint.texts(), 3);

    // Entries fail, questions of one word don't.
    endpoint.set_poison(Some("the dog sleeps"));
    server.restart_with(of("larger")).await;
    let calls = server.calls().await;
    assert_ne!(calls.info().await.unwrap().embedder, name);
    server
        .until(async |server| server.calls().await.info().await.unwrap().pending_vectors == 3)
        .await;
    let found = calls.search(semantic("hund")).await.unwrap();
    assert_eq!(found.hits, [], "vectors of the old model are left alone");
    assert_eq!(calls.search(query("dog")).await.unwrap().texts(), ["the dog sleeps"]);

    endpoint.set_poison(None);
    server.all_vectors().await;
    server
        .until(async |server| best(server, "hund").await.as_deref() == Some("the dog sleeps"))
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s10_built_in_embedders_can_be_changed_and_left_out() {
    let mut server = TestServer::start_with(with("static", None, EmbedWhen::Background)).await;
    add(&server, 0, &["My dog is called Bruno", "The car needs a battery"]).await;
    server.all_vectors().await;
    assert_eq!(best(&server, "Hund").await.as_deref(), Some("My dog is called Bruno"));
    for (embedder, feature) in [("none", false), ("encoder", true), ("static", true)] {
        server.restart_with(with(embedder, None, EmbedWhen::Background)).await;
        server.all_vectors().await;
        let calls = server.calls().await;
        let features = calls.info().await.unwrap().features;
        assert_eq!(features.iter().any(|known| known == "search.semantic"), feature);
        if feature {
            let found = best(&server, "Wie heißt der Hund?").await;
            assert_eq!(found.as_deref(), Some("My dog is called Bruno"), "{embedder}");
        } else {
            let refused = calls.search(semantic("dog")).await.unwrap_err();
            assert_eq!(refused.code(), tonic::Code::Unimplemented);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_vector_belongs_to_the_version_of_its_entry() {
    let endpoint = Endpoint::start().await;
    let config = with(&endpoint.option(), Some("m"), EmbedWhen::Background);
    let mut server = TestServer::start_with(config).await;
    let calls = server.calls().await;
    for text in ["the dog sleeps", "a car in the yard", "my flight is late"] {
        let entry = NewEntry { entry_id: Some("e".into()), ..said_after(0, text) };
        calls.add_session(session("s", vec![entry])).await.unwrap();
    }
    server.all_vectors().await;
    for _ in 0..2 {
        assert_eq!(best(&server, "flug").await.as_deref(), Some("my flight is late"));
        assert_eq!(best(&server, "hund").await, None);
        assert_eq!(best(&server, "auto").await, None);
        server.restart().await;
        server.all_vectors().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_text_that_an_endpoint_fails_at_holds_up_no_other() {
    let endpoint = Endpoint::start().await;
    endpoint.set_poison(Some("poison"));
    let config = with(&endpoint.option(), Some("m"), EmbedWhen::Background);
    let server = TestServer::start_with(config).await;
    add(&server, 0, &["a poison dog", "a car in the yard", "my flight is late"]).await;
    let calls = server.calls().await;
    server.until(async |_| calls.info().await.unwrap().pending_vectors == 1).await;
    server
        .until(async |server| best(server, "auto").await.as_deref() == Some("a car in the yard"))
        .await;
    server
        .until(async |server| best(server, "flug").await.as_deref() == Some("my flight is late"))
        .await;
    assert_eq!(calls.search(query("dog")).await.unwrap().texts(), ["a poison dog"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn s8_a_search_by_meaning_without_its_embedder_is_unavailable_not_empty() {
    let endpoint = Endpoint::start().await;
    let config = with(&endpoint.option(), Some("m"), EmbedWhen::Background);
    let server = TestServer::start_with(config).await;
    add(&server, 0, &["the dog sleeps"]).await;
    server.all_vectors().await;
    endpoint.set_down(true);
    let calls = server.calls().await;
    let refused = calls.search(semantic("hund")).await.unwrap_err();
    let (code, reason, _) = error_of(&refused);
    assert_eq!((code, reason.as_str()), (tonic::Code::Unavailable, "EMBEDDER_UNAVAILABLE"));
    assert_eq!(calls.search(query("dog")).await.unwrap().texts(), ["the dog sleeps"]);
}
