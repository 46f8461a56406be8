//! What search keeps of an entry goes when the entry goes, whichever way it goes.

use std::sync::Arc;

use crate::domain::Calibration;
use crate::domain::*;
use crate::embed::{EmbedError, Embedder, EmbedderIdentity, Purpose, Work};
use crate::engine::{EmbedWhen, Engine, EngineOptions};
use crate::store::{Durability, Engine as StoreEngine, KeyRange, Kind, StoreOptions};

/// Tells texts apart by their length.
struct Lengths(EmbedderIdentity);

impl Embedder for Lengths {
    fn identity(&self) -> &EmbedderIdentity {
        &self.0
    }

    fn calibration(&self) -> Calibration {
        Calibration::STATIC_TABLE
    }

    fn embed(&self, texts: &[&str], _: Purpose) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        Ok(texts.iter().map(|text| Some(vec![1.0, text.len() as f32])).collect())
    }

    fn work(&self) -> Work {
        Work::Processor
    }

    fn batch_size(&self) -> usize {
        1
    }
}

fn engine() -> Engine {
    let identity = EmbedderIdentity::new("lengths".to_owned(), Some(2));
    let options = EngineOptions {
        store: StoreOptions { engine: StoreEngine::Memory, durability: Durability::default() },
        memory_budget: usize::MAX,
        least_free_bytes: 0,
        embedder: Some(Arc::new(Lengths(identity))),
        embed: EmbedWhen::Inline,
    };
    Engine::open(options, Box::new(|_| {})).unwrap()
}

fn tenant() -> Tenant {
    Tenant { app_name: AppName::new("a").unwrap(), user_id: UserId::new("u").unwrap() }
}

fn scope(project: Option<&str>) -> Scope {
    let project_id = project.map(|id| ProjectId::new(id).unwrap());
    Scope { tenant: tenant(), project_id }
}

async fn add(engine: &Engine, project: Option<&str>, session: Option<&str>, id: &str, text: &str) {
    let entry = super::races::entry(id, text);
    let request = AddEntries {
        scope: scope(project),
        session_id: session.map(|id| SessionId::new(id).unwrap()),
        entries: vec![entry],
        mode: WriteMode::Upsert,
        restore_deleted: false,
    };
    engine.add(Arc::new(engine.ticket()), request).await.unwrap();
}

fn kept(engine: &Engine) -> usize {
    let user = engine.user_key(&tenant());
    engine.store().scan_keys(&KeyRange::kind(&user, Kind::Index), 100).unwrap().len()
}

#[tokio::test]
async fn topoteretes_cognee_3526_no_row_of_the_index_outlives_its_entry() {
    let engine = engine();
    for id in ["a", "b", "c"] {
        add(&engine, None, None, id, "walrus").await;
        add(&engine, None, Some("s"), &format!("s{id}"), "seal").await;
        add(&engine, Some("p"), Some("s"), id, "otter").await;
    }
    assert_eq!(kept(&engine), 9);
    let target = DeleteTarget::Ids(vec![EntryId::new("a").unwrap()]);
    let request = DeleteEntries { scope: scope(None), target, dry_run: false };
    assert_eq!(engine.delete_entries(request).await.unwrap().count, 1);
    assert_eq!(kept(&engine), 8);
    let words = DeleteTarget::Words { text: "walrus".into(), matching: Match::All };
    let request = DeleteEntries { scope: scope(None), target: words, dry_run: false };
    assert_eq!(engine.delete_entries(request).await.unwrap().count, 2);
    assert_eq!(kept(&engine), 6);
    let session = SessionId::new("s").unwrap();
    assert_eq!(engine.delete_session(scope(None), session).await.unwrap(), 3);
    assert_eq!(kept(&engine), 3);
    assert_eq!(engine.delete_project(scope(Some("p"))).await.unwrap(), 3);
    assert_eq!(kept(&engine), 0);
    add(&engine, None, None, "d", "walrus").await;
    assert_eq!(kept(&engine), 1);
    assert_eq!(engine.delete_user(tenant()).await.unwrap(), 1);
    assert_eq!(kept(&engine), 0);
}

#[tokio::test]
async fn a_row_is_made_anew_with_its_entry() {
    let engine = engine();
    add(&engine, None, None, "e", "walrus").await;
    let user = engine.user_key(&tenant());
    let row = || {
        let range = KeyRange::kind(&user, Kind::Index);
        engine.store().scan(&range, 10).unwrap().pop().unwrap().1
    };
    let before = row();
    add(&engine, None, None, "e", "walrus").await;
    assert_eq!(row(), before, "nothing has changed");
    add(&engine, None, None, "e", "another text").await;
    assert_eq!(kept(&engine), 1);
    assert_ne!(row(), before);
}
