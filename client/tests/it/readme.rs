//! The README's Rust is a function that works.

use crate::server::Server;

const README: &str = include_str!("../../../README.md");
const QUICKSTART: &str = include_str!("../../examples/quickstart.rs");

#[tokio::test]
async fn the_quickstart_remembers_and_recalls() {
    let server = Server::fresh();
    let found = crate::quickstart::run(&server.url()).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].author, "alice");
}

#[test]
fn the_readme_shows_the_quickstart_as_it_is() {
    let function = QUICKSTART.split("// README: from here\n").nth(1).unwrap();
    let function = function.split("// README: to here").next().unwrap();
    assert!(
        README.contains(function),
        "the README's quickstart isn't client/examples/quickstart.rs"
    );
    for import in QUICKSTART.lines().filter(|line| line.starts_with("use ")) {
        assert!(README.contains(import), "the README's quickstart lacks {import}");
    }
}
