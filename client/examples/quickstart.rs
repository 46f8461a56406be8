//! The shortest way from an adk-rust agent to a memory that outlives it.

use adk_core::Content;
use adk_memory::{MemoryEntry, MemoryService, SearchRequest};
use memoryd_client::MemoryClient;

// README: from here
async fn remember_and_recall(url: &str) -> adk_core::Result<Vec<MemoryEntry>> {
    let memory = MemoryClient::connect(url).await?;
    let entry = MemoryEntry {
        content: Content::new("user").with_text("My sister Ingrid is allergic to hazelnuts"),
        author: "alice".into(),
        timestamp: chrono::Utc::now(),
    };
    memory.add_session("my-app", "alice", "monday", vec![entry]).await?;
    let question = SearchRequest {
        query: "Which cake could I bake for Ingrid?".into(),
        app_name: "my-app".into(),
        user_id: "alice".into(),
        project_id: None,
        limit: Some(5),
        min_score: None,
    };
    Ok(memory.search(question).await?.memories)
}
// README: to here

// A test takes this file as a module and calls the function by itself.
#[cfg(not(test))]
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    use std::io::Write;

    let url = std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:50051".to_owned());
    for found in remember_and_recall(&url).await? {
        writeln!(std::io::stdout(), "{}: {:?}", found.author, found.content.parts)?;
    }
    Ok(())
}

#[cfg(test)]
pub(crate) async fn run(url: &str) -> adk_core::Result<Vec<MemoryEntry>> {
    remember_and_recall(url).await
}
