//! An agent that remembers: what is told in one session is recalled in the next, whatever happened
//! to the agent or the server in between.
//!
//! ```text
//! memoryd &
//! cargo run -p memoryd-client --example agent -- http://127.0.0.1:50051
//! ```
//!
//! The runner, the agent and the tools are adk-rust's own. Only the model is a script, so that this
//! needs no key.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use adk_agent::LlmAgentBuilder;
use adk_core::{Content, Llm, LlmRequest, LlmResponse, LlmResponseStream, Part};
use adk_memory::{MemoryEntry, MemoryService};
use adk_runner::Runner;
use adk_session::{CreateRequest, GetRequest, InMemorySessionService, SessionService};
use adk_tool::memory::{LoadMemoryTool, PreloadMemoryTool};
use memoryd_client::MemoryClient;
use tokio_stream::StreamExt;

const APP: &str = "example";
const USER: &str = "alice";

// A test takes this file as a module and runs the sessions by itself.
#[cfg(not(test))]
#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    use std::io::Write;

    const DEFAULT_URL: &str = "http://127.0.0.1:50051";
    let url = std::env::args().nth(1).unwrap_or_else(|| DEFAULT_URL.to_owned());
    let memory = MemoryClient::connect(url).await?;
    let model = Arc::new(ScriptedModel::default());
    let mut out = std::io::stdout();
    for (session, message) in [
        ("monday", "My sister Ingrid is allergic to hazelnuts."),
        ("tuesday", "Which cake could I bake for Ingrid?"),
    ] {
        let answer = run_session(&memory, &model, session, message).await?;
        writeln!(out, "{session}\n  {USER}: {message}\n  agent: {answer}")?;
    }
    writeln!(out, "The model was asked {} times.", model.requests().len())?;
    Ok(())
}

/// One session of one message: runs the agent, then puts what was said into the memory. Returns the
/// agent's answer.
pub(crate) async fn run_session(
    memory: &MemoryClient,
    model: &Arc<ScriptedModel>,
    session_id: &str,
    message: &str,
) -> Result<String, Box<dyn Error>> {
    let tool_service: Arc<dyn MemoryService> = Arc::new(memory.clone());
    let preload = PreloadMemoryTool::builder().memory_service(tool_service.clone()).build()?;
    let load = LoadMemoryTool::builder().memory_service(tool_service).build()?;
    let agent = LlmAgentBuilder::new("assistant")
        .model(model.clone())
        .before_model_callback(preload.into_before_model_callback())
        .tool(Arc::new(load))
        .build()?;

    let sessions = Arc::new(InMemorySessionService::new());
    let create = CreateRequest {
        app_name: APP.to_owned(),
        user_id: USER.to_owned(),
        session_id: Some(session_id.to_owned()),
        state: HashMap::new(),
    };
    sessions.create(create).await?;
    let runner = Runner::builder()
        .app_name(APP)
        .agent(Arc::new(agent))
        .session_service(sessions.clone())
        // A memory of this user: a server makes one for each request.
        .memory_service(Arc::new(memory.memory_for(APP, USER)))
        .build()?;
    let question = Content::new("user").with_text(message);
    let mut events = runner.run_str(USER, session_id, question).await?;
    while let Some(event) = events.next().await {
        event?;
    }

    let said = said_in(&*sessions, session_id).await?;
    let answer = said.last().map(|entry| text_of(&entry.content)).unwrap_or_default();
    // The whole session each time: entries that are there already change nothing.
    memory.add_session(APP, USER, session_id, said).await?;
    Ok(answer)
}

/// What was said in a session, as entries of the memory.
async fn said_in(
    sessions: &dyn SessionService,
    session_id: &str,
) -> Result<Vec<MemoryEntry>, Box<dyn Error>> {
    let get = GetRequest {
        app_name: APP.to_owned(),
        user_id: USER.to_owned(),
        session_id: session_id.to_owned(),
        num_recent_events: None,
        after: None,
    };
    let session = sessions.get(get).await?;
    let events = session.events().all().into_iter();
    Ok(events
        .filter_map(|event| {
            let content = event.llm_response.content?;
            Some(MemoryEntry { content, author: event.author, timestamp: event.timestamp })
        })
        .collect())
}

fn text_of(content: &Content) -> String {
    content.parts.iter().filter_map(Part::text).collect()
}

/// A model that follows a script: a question makes it search its memory, the tool's answer makes it
/// tell what it found, and anything else it takes note of.
#[derive(Default)]
pub(crate) struct ScriptedModel {
    requests: Mutex<Vec<LlmRequest>>,
}

impl ScriptedModel {
    /// Everything that the model was asked so far.
    pub(crate) fn requests(&self) -> Vec<LlmRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn answer(request: &LlmRequest) -> Content {
        let last = request.contents.last();
        let parts = last.map(|content| content.parts.as_slice()).unwrap_or_default();
        let found = parts.iter().find_map(|part| match part {
            Part::FunctionResponse { function_response, .. } => Some(&function_response.response),
            _ => None,
        });
        if let Some(found) = found {
            let memories = found["memories"].as_array().into_iter().flatten();
            let texts: Vec<&str> =
                memories.filter_map(|memory| memory["content"].as_str()).collect();
            return Content::new("model").with_text(format!("I remember: {}", texts.join(" / ")));
        }
        let question = last.map(text_of).unwrap_or_default();
        if !question.ends_with('?') {
            return Content::new("model").with_text("Noted.");
        }
        let call = Part::FunctionCall {
            name: "load_memory".to_owned(),
            args: serde_json::json!({ "query": question }),
            id: Some("call-1".to_owned()),
            thought_signature: None,
        };
        Content { role: "model".to_owned(), parts: vec![call] }
    }
}

#[async_trait::async_trait]
impl Llm for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn generate_content(
        &self,
        request: LlmRequest,
        _stream: bool,
    ) -> adk_core::Result<LlmResponseStream> {
        let content = Self::answer(&request);
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        let answer =
            LlmResponse { content: Some(content), turn_complete: true, ..LlmResponse::default() };
        Ok(Box::pin(tokio_stream::once(Ok(answer))))
    }
}
