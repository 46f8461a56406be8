//! A table on disk: one of ours, or a model of model2vec.

use std::fs;
use std::path::{Path, PathBuf};

use memoryd_encoder::StaticTable;
use sha2::{Digest, Sha256};

use super::OpenError;

/// The two files of a table.
struct Pair {
    /// Numbers.
    table: &'static str,
    /// Words.
    vocabulary: &'static str,
    read: fn(Vec<u8>, &[u8]) -> Result<StaticTable, String>,
}

const PAIRS: [Pair; 2] = [
    Pair {
        table: "table.bin",
        vocabulary: "vocab.tsv",
        read: |table, vocabulary| {
            let vocabulary = std::str::from_utf8(vocabulary)
                .map_err(|error| format!("the vocabulary isn't UTF-8: {error}"))?;
            StaticTable::from_bytes(table, vocabulary).map_err(|error| error.to_string())
        },
    },
    Pair {
        table: "model.safetensors",
        vocabulary: "tokenizer.json",
        read: |table, vocabulary| {
            StaticTable::from_model2vec(table, vocabulary).map_err(|error| error.to_string())
        },
    },
];

/// A table, and the first 8 hexadecimal digits of the SHA-256 of its files.
pub(super) struct FileTable {
    pub(super) table: StaticTable,
    pub(super) digest: String,
}

/// Reads the table at `path`: a folder that holds both files, or one of the two.
pub(super) fn load(path: &Path) -> Result<FileTable, OpenError> {
    let no_model = || OpenError::NoModel { path: path.to_owned() };
    let (pair, folder) = find(path).ok_or_else(no_model)?;
    let table = read(folder.join(pair.table))?;
    let vocabulary = read(folder.join(pair.vocabulary))?;
    let digest = digest(&table, &vocabulary);
    let table = (pair.read)(table, &vocabulary)
        .map_err(|cause| OpenError::Model { name: path.display().to_string(), cause })?;
    Ok(FileTable { table, digest })
}

/// Which pair of files is meant, and the folder they are in.
fn find(path: &Path) -> Option<(&'static Pair, PathBuf)> {
    if path.is_dir() {
        let pair = PAIRS.iter().find(|pair| path.join(pair.table).is_file())?;
        return Some((pair, path.to_owned()));
    }
    let name = path.file_name()?;
    let pair = PAIRS.iter().find(|pair| name == pair.table || name == pair.vocabulary)?;
    Some((pair, path.parent()?.to_owned()))
}

fn read(path: PathBuf) -> Result<Vec<u8>, OpenError> {
    fs::read(&path).map_err(|cause| OpenError::Read { path, cause })
}

/// Of both contents, each with its length before it: no byte can change sides unseen.
fn digest(table: &[u8], vocabulary: &[u8]) -> String {
    let mut hash = Sha256::new();
    for content in [table, vocabulary] {
        hash.update((content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    let mut digits = data_encoding::HEXLOWER.encode(&hash.finalize());
    digits.truncate(8);
    digits
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{digest, load};

    /// What is said of a model that can't be loaded.
    fn told(path: &std::path::Path) -> String {
        load(path).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_path_without_a_model_says_what_one_looks_like() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("notes.txt");
        fs::write(&file, "no model").unwrap();
        for path in [folder.path(), &file, &folder.path().join("missing")] {
            let told = told(path);
            assert!(told.contains("vocab.tsv") && told.contains("tokenizer.json"), "{told}");
            assert!(told.contains(path.to_str().unwrap()), "{told}");
        }
    }

    #[test]
    fn a_missing_half_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("table.bin"), "SEM4").unwrap();
        let told = told(folder.path());
        assert!(told.contains("vocab.tsv") && told.contains("can't be read"), "{told}");
    }

    #[test]
    fn damaged_models_are_refused_and_named() {
        for (table, vocabulary) in
            [("table.bin", "vocab.tsv"), ("model.safetensors", "tokenizer.json")]
        {
            for (content, words) in
                [(&b"SEM4 and then nonsense"[..], &b"<unk>\t0.0\n"[..]), (b"", b""), (b"{}", b"{}")]
            {
                let folder = tempfile::tempdir().unwrap();
                fs::write(folder.path().join(table), content).unwrap();
                fs::write(folder.path().join(vocabulary), words).unwrap();
                let told = told(&folder.path().join(vocabulary));
                assert!(told.contains("can't be used"), "{told}");
            }
        }
    }

    #[test]
    fn a_vocabulary_that_is_not_utf_8_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("table.bin"), "").unwrap();
        fs::write(folder.path().join("vocab.tsv"), b"\xff").unwrap();
        assert!(told(folder.path()).contains("isn't UTF-8"));
    }

    #[test]
    fn the_digest_tells_where_one_file_ends_and_the_other_begins() {
        assert_eq!(digest(b"ab", b"c").len(), 8);
        assert_eq!(digest(b"ab", b"c"), digest(b"ab", b"c"));
        assert_ne!(digest(b"ab", b"c"), digest(b"a", b"bc"));
    }
}
