//! Section 7: a search whose stream is open while its scope is deleted shows nothing of it after the answer.

use memoryd_proto::v1::*;

use crate::harness::{
    Calls, GLOBAL, Place, RawConnection, TestServer, assert_no_trace, found, named, outcomes,
};
use prost::Message;

crate::on_every_store!(
    nodedb_145_an_open_stream_shows_nothing_of_a_project_deleted_meanwhile,
    nodedb_145_many_streams_and_a_project_deleted_and_recreated_under_them,
);

/// Entries of the project, each of which fills a good part of a stream's window of 64 KiB.
const ENTRIES: usize = 60;
const ENTRY_BYTES: usize = 16 * 1024;
/// Hits that may be on their way when the delete is answered: what the window holds and what the server has
/// encoded ahead of it, with room to spare.
const ON_THEIR_WAY: usize = 20;

fn entries(generation: usize) -> Vec<NewEntry> {
    let entry = |number: usize| {
        let blob = crate::harness::parts::inline(vec![7; ENTRY_BYTES]);
        let text = format!("walrus of generation {generation}");
        let parts = vec![
            crate::harness::parts::text(&text),
            crate::harness::parts::part(part::Kind::InlineData(blob)),
        ];
        let id = format!("{generation} {number}");
        NewEntry { entry_id: Some(id), ..crate::harness::parts::of_parts(parts) }
    };
    (0..ENTRIES).map(entry).collect()
}

async fn delete(calls: &Calls, what: &str, place: Place<'_>) -> u64 {
    let Place { app, user, project } = place;
    match what {
        "entries" => calls.delete_entries(place.deletion("walrus")).await.unwrap().deleted_count,
        "session" => calls.delete_session(app, user, project, "s").await.unwrap(),
        "project" => calls.delete_project(app, user, project.unwrap()).await.unwrap(),
        _ => calls.delete_user(app, user).await.unwrap(),
    }
}

/// A search over a line of its own that takes nothing beyond the first window.
struct OpenSearch {
    body: h2::RecvStream,
    received: Vec<u8>,
}

impl OpenSearch {
    async fn begin(server: &TestServer, place: Place<'_>) -> Self {
        let line = RawConnection::open(server).await;
        let message = place.query("walrus").encode_to_vec();
        let body = crate::harness::framed(0, &message);
        let response = line.begin(RawConnection::headers("Search"), body).await.unwrap();
        let body = response.await.unwrap().into_body();
        let mut search = Self { body, received: Vec::new() };
        search.take_one_piece().await;
        search
    }

    async fn take_one_piece(&mut self) -> bool {
        let Some(piece) = self.body.data().await else { return false };
        let piece = piece.unwrap();
        self.received.extend_from_slice(&piece);
        !piece.is_empty()
    }

    /// Takes all that is still to come and answers how many hits there were in all.
    async fn hits(mut self) -> usize {
        loop {
            let received = self.received.len();
            if !self.take_one_piece().await {
                break;
            }
            let new = self.received.len() - received;
            self.body.flow_control().release_capacity(new).unwrap();
        }
        let status = self.body.trailers().await.unwrap().unwrap();
        assert_eq!(status.get("grpc-status").unwrap(), "0");
        let mut rest = self.received.as_slice();
        let mut hits = 0;
        while let Some((head, message)) = rest.split_at_checked(5) {
            let length = u32::from_be_bytes(head[1..].try_into().unwrap()) as usize;
            SearchResponse::decode(&message[..length]).unwrap();
            rest = &message[length..];
            hits += 1;
        }
        hits
    }
}

async fn nodedb_145_an_open_stream_shows_nothing_of_a_project_deleted_meanwhile(
    server: TestServer,
) {
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    for (generation, what) in ["entries", "session", "project", "user"].into_iter().enumerate() {
        calls.add_session(place.session("s", entries(generation))).await.unwrap();
        let open = OpenSearch::begin(&server, place).await;
        assert_eq!(delete(&calls, what, place).await, ENTRIES as u64);
        let hits = open.hits().await;
        assert!(hits <= ON_THEIR_WAY, "{hits} hits of a deleted {what}");
        assert_no_trace(&calls, place, "walrus", &[format!("{generation} 0")]).await;
        // The project comes again, with other entries.
        let again = vec![named(&format!("{generation} 0"), "a walrus anew")];
        let add = AddSessionRequest { restore_deleted: true, ..place.session("s", again) };
        let answer = calls.add_session(add).await.unwrap();
        assert_eq!(outcomes(&answer.results), [Outcome::Created]);
        assert_eq!(found(&calls, place, "walrus").await, ["a walrus anew"]);
        calls.delete_user("app", "user").await.unwrap();
    }
}

async fn nodedb_145_many_streams_and_a_project_deleted_and_recreated_under_them(
    server: TestServer,
) {
    let calls = server.calls().await;
    let place = GLOBAL.in_project("p");
    let add = async |generation: usize| {
        let text = format!("walrus of generation {generation}");
        let entries = (0..100).map(|number| named(&number.to_string(), &text)).collect();
        calls.add_session(place.session("s", entries)).await.unwrap();
    };
    add(0).await;
    for generation in 1..8 {
        let mut searches = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let calls = server.calls().await;
            searches
                .spawn(async move { calls.search(place.query("walrus")).await.unwrap().texts() });
        }
        assert_eq!(calls.delete_project("app", "user", "p").await.unwrap(), 100);
        let after_the_delete = found(&calls, place, "walrus").await;
        assert_eq!(after_the_delete, [] as [&str; 0]);
        add(generation).await;
        let text = format!("walrus of generation {generation}");
        assert_eq!(found(&calls, place, "walrus").await, vec![text.clone(); 100]);
        for texts in searches.join_all().await {
            // Begun before, during or after: of one generation, never of two.
            let old = format!("walrus of generation {}", generation - 1);
            let of_one =
                texts.iter().all(|one| *one == text) || texts.iter().all(|one| *one == old);
            assert!(of_one, "{texts:?}");
        }
    }
}
