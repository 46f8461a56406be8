//! adk-rust's runner, agent and memory tools over the client.

use std::sync::Arc;

use adk_core::{Content, Memory, Part};
use tempfile::TempDir;

use crate::example::{ScriptedModel, run_session};
use crate::server::Server;

const TOLD: &str = "My sister Ingrid is allergic to hazelnuts.";
const ASKED: &str = "Which cake could I bake for Ingrid?";

fn says(content: &Content, word: &str) -> bool {
    content.parts.iter().any(|part| match part {
        Part::Text { text } => text.contains(word),
        Part::FunctionResponse { function_response, .. } => {
            function_response.name == "load_memory"
                && function_response.response.to_string().contains(word)
        }
        _ => false,
    })
}

#[tokio::test]
async fn a_fact_of_one_session_is_recalled_in_the_next_after_a_restart() {
    let folder = TempDir::new().unwrap();
    let model = Arc::new(ScriptedModel::default());

    let server = Server::at(folder.path());
    let memory = server.builder().connect().await.unwrap();
    assert_eq!(run_session(&memory, &model, "monday", TOLD).await.unwrap(), "Noted.");
    let monday = model.requests();
    assert_eq!(monday.len(), 1);
    assert!(!monday[0].contents.iter().any(|content| content.role == "system"));
    drop(memory);
    server.stop();

    let server = Server::at(folder.path());
    let memory = server.builder().connect().await.unwrap();
    let answer = run_session(&memory, &model, "tuesday", ASKED).await.unwrap();
    assert!(answer.starts_with("I remember: ") && answer.contains(TOLD), "{answer}");

    let requests = model.requests();
    let [preloaded, with_tool] = &requests[monday.len()..] else { panic!("{requests:?}") };
    // What the preload tool brought stands before the question, which doesn't say it.
    let system = preloaded.contents.iter().find(|content| content.role == "system");
    assert!(system.is_some_and(|content| says(content, "hazelnuts")), "{preloaded:?}");
    // What the load tool answered is the last thing the model saw.
    let last = with_tool.contents.last();
    assert!(last.is_some_and(|content| says(content, "hazelnuts")), "{with_tool:?}");

    let other_user = memory.memory_for("example", "bob");
    assert!(other_user.search("Ingrid hazelnuts").await.unwrap().is_empty());
}

#[tokio::test]
async fn an_agent_whose_memory_is_gone_fails_unless_the_client_may_answer_empty() {
    let server = Server::fresh();
    let builder = server.builder().retry(memoryd_client::RetryPolicy::none());
    let strict = builder.clone().connect().await.unwrap();
    let lenient = builder.empty_when_unreachable(true).connect().await.unwrap();
    server.stop();

    let model = Arc::new(ScriptedModel::default());
    run_session(&strict, &model, "monday", ASKED).await.unwrap_err();
    assert!(model.requests().is_empty(), "the agent failed before it asked its model");

    // The session itself can't be kept, and that is told; the agent has answered by then.
    run_session(&lenient, &model, "monday", ASKED).await.unwrap_err();
    assert_eq!(model.requests().len(), 2);
    assert_eq!(lenient.searches_answered_empty(), 3, "two preloads and one load");
}
