//! A model on disk.

use std::fs;
use std::path::Path;

use super::built_in::{assert_sound, of};
use crate::embed::{EmbedderChoice, Purpose};

#[test]
fn a_table_on_disk_gives_the_vectors_it_gives_built_in_under_a_name_of_its_own() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("encoder/model/mse-128-int4");
    let folder = tempfile::tempdir().unwrap();
    for name in ["table.bin", "vocab.tsv"] {
        fs::copy(model.join(name), folder.path().join(name)).unwrap();
    }
    let (on_disk, built_in) =
        (of(EmbedderChoice::File(folder.path().to_owned())), of(EmbedderChoice::Static));
    assert_sound(on_disk.as_ref());
    let texts = ["Grüße aus Köln", "用户喜欢喝茶", "a+b=c"];
    assert_eq!(
        on_disk.embed(&texts, Purpose::Entry).unwrap(),
        built_in.embed(&texts, Purpose::Entry).unwrap()
    );
    let name = on_disk.identity().name();
    assert!(name.starts_with("file:") && name.len() == 13, "{name}");
    // Another model at the same place is another embedder.
    let mut words = fs::read_to_string(folder.path().join("vocab.tsv")).unwrap();
    assert!(words.contains("\t-1"), "the scores are negative logarithms");
    words = words.replacen("\t-1", "\t-2", 1);
    fs::write(folder.path().join("vocab.tsv"), words).unwrap();
    let changed = of(EmbedderChoice::File(folder.path().join("table.bin")));
    assert_ne!(changed.identity().name(), name);
}
