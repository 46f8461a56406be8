//! What adk's traits can't say: scores, outcomes, filters, dry runs, ids.

use std::time::{Duration, SystemTime};

use memoryd_client::proto::{NewEntry, Outcome};
use memoryd_client::{Filter, Match, Scope, SearchMode, text_entry};
use tonic::Code;

use crate::server::Server;

async fn scope(server: &Server) -> Scope {
    server.builder().connect().await.unwrap().scope("app", "user")
}

fn texts(entries: &[memoryd_client::proto::Entry]) -> Vec<String> {
    use memoryd_client::proto::part::Kind;
    let text = |entry: &memoryd_client::proto::Entry| {
        let parts = entry.content.iter().flat_map(|content| &content.parts);
        parts
            .filter_map(|part| match &part.kind {
                Some(Kind::Text(text)) => Some(text.as_str()),
                _ => None,
            })
            .collect()
    };
    entries.iter().map(text).collect()
}

fn at(entry: NewEntry, seconds: u64) -> NewEntry {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    NewEntry { timestamp: Some(time.into()), ..entry }
}

#[tokio::test]
async fn redis_24_outcomes_and_the_callers_ids_come_back() {
    let server = Server::fresh();
    let scope = scope(&server).await;
    let named = |text| NewEntry { entry_id: Some("fact-1".into()), ..text_entry("user", text) };
    let mut seen = Vec::new();
    for text in ["tea", "tea", "coffee"] {
        let results = scope.add_entries(vec![named(text)]).send().await.unwrap();
        assert_eq!(results[0].entry_id, "fact-1");
        seen.push(results[0].outcome());
    }
    assert_eq!(seen, [Outcome::Created, Outcome::Unchanged, Outcome::Updated]);
    let stored = scope.entry("fact-1").send().await.unwrap();
    assert_eq!(texts(&[stored]), ["coffee"]);

    scope.delete_entries(vec!["fact-1".into()]).send().await.unwrap();
    let again = scope.add_entries(vec![named("coffee")]).send().await.unwrap();
    assert_eq!(again[0].outcome(), Outcome::Suppressed);
    let call = scope.add_entries(vec![named("coffee")]).restore_deleted();
    assert_eq!(call.send().await.unwrap()[0].outcome(), Outcome::Created);
}

#[tokio::test]
async fn automem_73_hits_carry_score_rank_scope_and_totals() {
    let server = Server::fresh();
    let scope = scope(&server).await;
    let project = scope.clone().in_project("garden");
    scope.add_entries(vec![text_entry("user", "I drink green tea")]).send().await.unwrap();
    scope.add_entries(vec![text_entry("user", "The train is late")]).send().await.unwrap();
    project.add_entries(vec![text_entry("user", "Plant the tea bush")]).send().await.unwrap();

    let search = project.search("tea").mode(SearchMode::Lexical).explain();
    let (hits, totals) = search.send().await.unwrap().collect().await.unwrap();
    let mut projects: Vec<_> =
        hits.iter().map(|hit| hit.entry.as_ref().unwrap().project_id.as_deref()).collect();
    projects.sort_unstable();
    assert_eq!(projects, [None, Some("garden")]);
    assert!(hits.iter().zip(1..).all(|(hit, rank)| hit.rank == rank));
    assert!(hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score) && hit.score > 0.0));
    assert!(hits.iter().all(|hit| hit.explanation.as_ref().unwrap().terms.len() == 1));
    let totals = totals.unwrap();
    assert_eq!((totals.considered, totals.matched, totals.cut_by_limit), (3, 2, 0));

    let (hits, totals) =
        project.search("tea").limit(0).send().await.unwrap().collect().await.unwrap();
    assert!(hits.is_empty());
    assert_eq!(totals.unwrap().cut_by_limit, 2);
}

#[tokio::test]
async fn filters_narrow_and_context_brings_neighbours() {
    let server = Server::fresh();
    let scope = scope(&server).await;
    let said = ["tea one", "between", "tea two"].into_iter().zip(["ann", "bob", "bob"]).zip(1..);
    let entries = said.map(|((text, author), second)| at(text_entry(author, text), second));
    scope.add_session("s1", entries.collect()).send().await.unwrap();
    let mut tagged = at(text_entry("ann", "tea three"), 9);
    tagged.metadata_json = Some("{\"kind\":\"fact\"}".into());
    scope.add_session("s2", vec![tagged]).send().await.unwrap();

    let time = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    for (filter, expected) in [
        (Filter::new(), ["tea one", "tea three", "tea two"].as_slice()),
        (Filter::new().author("bob"), &["tea two"]),
        (Filter::new().session("s1").author("ann"), &["tea one"]),
        (Filter::new().since(time(3)), &["tea three", "tea two"]),
        (Filter::new().before(time(3)), &["tea one"]),
        (Filter::new().metadata("kind", ["\"fact\"", "1"]), &["tea three"]),
        (Filter::new().metadata("kind", ["\"other\""]), &[]),
    ] {
        let hits = scope.search("tea").filter(filter).send().await.unwrap();
        let (hits, _) = hits.collect().await.unwrap();
        let entries: Vec<_> = hits.into_iter().map(|hit| hit.entry.unwrap()).collect();
        let mut found = texts(&entries);
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    let only = Filter::new().session("s1").author("ann");
    let mut hits = scope.search("one").filter(only).context(1).send().await.unwrap();
    let hit = hits.next().await.unwrap().unwrap();
    assert_eq!(texts(&hit.context_after), ["between"]);
    assert!(hit.context_before.is_empty());
}

#[tokio::test]
async fn ai_memory_mcp_1602_a_dry_run_gives_ids_and_deleting_them_deletes_those_only() {
    let server = Server::fresh();
    let scope = scope(&server).await;
    let entry = |text| text_entry("user", text);
    let entries = vec![entry("old train ticket"), entry("new train seat"), entry("a cat")];
    scope.add_session("s", entries).send().await.unwrap();

    let all = scope.delete_matching("old train").dry_run().send().await.unwrap();
    assert_eq!((all.deleted_count, all.entry_ids.len()), (1, 1));
    let any = scope.delete_matching("old train").matching(Match::Any).dry_run();
    assert_eq!(any.send().await.unwrap().deleted_count, 2);

    scope.add_entries(vec![entry("another old train")]).send().await.unwrap();
    let deleted = scope.delete_entries(all.entry_ids).send().await.unwrap();
    assert_eq!(deleted.deleted_count, 1);
    let mut left = texts(&scope.list().take(usize::MAX).await.unwrap());
    left.sort_unstable();
    assert_eq!(left, ["a cat", "another old train", "new train seat"]);
}

#[tokio::test]
async fn a_listing_goes_on_where_its_token_says() {
    let server = Server::fresh();
    let scope = scope(&server).await;
    let entries = (1..=5).map(|n| at(text_entry("user", format!("note {n}")), n));
    scope.add_session("s", entries.collect()).send().await.unwrap();
    let first = scope.list().page_size(2).send().await.unwrap();
    assert_eq!(texts(&first.entries), ["note 5", "note 4"]);
    let token = first.next_page_token;
    let second = scope.list().page_size(2).after(token.clone()).send().await.unwrap();
    assert_eq!(texts(&second.entries), ["note 3", "note 2"]);
    let other = scope.list().filter(Filter::new().author("x")).after(token);
    assert_eq!(other.send().await.unwrap_err().code(), Code::InvalidArgument);
    assert_eq!(scope.list().take(4).await.unwrap().len(), 4);
}

#[tokio::test]
async fn nothing_is_deleted_because_a_field_was_left_empty() {
    let server = Server::fresh();
    let scope = scope(&server).await;
    scope.add_entries(vec![text_entry("user", "kept")]).send().await.unwrap();
    for error in [
        scope.delete_project().send().await.unwrap_err(),
        scope.clone().in_project("").delete_project().send().await.unwrap_err(),
        scope.delete_matching("").send().await.unwrap_err(),
        scope.delete_entries(vec![]).send().await.unwrap_err(),
        scope.delete_session("").send().await.unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::InvalidArgument, "{error}");
        assert!(!error.violations().is_empty() && error.reason().is_some(), "{error:?}");
    }
    assert_eq!(scope.list().take(9).await.unwrap().len(), 1);
    assert_eq!(scope.delete_user().send().await.unwrap(), 1);
}

#[tokio::test]
async fn the_server_tells_about_itself() {
    let server = Server::fresh();
    let client = server.builder().connect().await.unwrap();
    let info = client.server_info().await.unwrap();
    assert_eq!(info.store, "sled");
    assert_eq!(info.limits.unwrap().max_blob_bytes, 10 << 20);
    client.check_serving().await.unwrap();
}
