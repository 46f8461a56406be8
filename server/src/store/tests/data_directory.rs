//! The data directory: one user at a time, known formats only, creation that can be cut short anywhere.

use std::fs;
use std::path::PathBuf;

use super::*;

fn open_at(data: &Path) -> Result<Store<u32>, OpenError> {
    Store::open(on_disk(data), Arc::new(Recorder::default()), never_fatal())
}

fn layout_error(data: &Path) -> LayoutError {
    match open_at(data).err() {
        Some(OpenError::Layout(error)) => error,
        other => panic!("{other:?}"),
    }
}

fn every_file(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for name in fs::read_dir(folder).unwrap() {
        let path = name.unwrap().path();
        if path.is_dir() {
            files.extend(every_file(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn mcp_servers_4797_a_second_user_of_the_directory_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let first = open_at(&data).unwrap();
    let refusal = layout_error(&data);
    assert!(matches!(
        refusal,
        LayoutError::InUse { holder: Some(process), .. } if process == std::process::id()
    ));
    let text = refusal.to_string();
    assert!(text.contains("is in use by another process"), "{text}");
    assert!(text.contains(&*data.to_string_lossy()), "{text}");
    drop(first);
    open_at(&data).unwrap();
}

#[test]
fn an_unknown_format_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    drop(open_at(&data).unwrap());
    for content in ["memoryd-data 2\n", "memoryd-data 1 extra", "", "\u{0}"] {
        fs::write(data.join("format"), content).unwrap();
        let refusal = layout_error(&data);
        assert!(matches!(refusal, LayoutError::UnknownFormat { .. }));
        assert!(refusal.to_string().contains("start the version that wrote it"));
        assert_eq!(fs::read_to_string(data.join("format")).unwrap(), content);
    }
    fs::write(data.join("format"), "memoryd-data 1\n").unwrap();
    open_at(&data).unwrap();
}

#[test]
fn a_folder_of_other_files_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("holiday.jpg"), b"").unwrap();
    let refusal = layout_error(directory.path());
    assert!(matches!(
        refusal,
        LayoutError::NotADataDirectory { found, .. } if found == "holiday.jpg"
    ));
    assert_eq!(every_file(directory.path()).len(), 1);
}

#[test]
fn an_empty_folder_or_a_fresh_disk_is_taken() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("lost+found")).unwrap();
    open_at(directory.path()).unwrap();
}

#[test]
fn a_missing_parent_is_not_created() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("mistyped").join("data");
    assert!(matches!(layout_error(&data), LayoutError::NoParent(_)));
    assert!(!directory.path().join("mistyped").exists());
}

#[test]
fn a_directory_whose_creation_was_cut_short_opens() {
    // Each case is what a process that died at that step leaves.
    let cases: [&[&str]; 7] = [
        &[],
        &["lock"],
        &["lock", "keys/"],
        &["lock", "keys/", "keys/installation.unfinished"],
        &["lock", "keys/", "keys/slots.unfinished", "sled.unfinished/", "sled.unfinished/conf"],
        &["lock", "keys/", "sled.unfinished/", "sled.unfinished/blobs/", "sled.unfinished/db"],
        &["lock", "keys/", "format.unfinished"],
    ];
    for left in cases {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        fs::create_dir(&data).unwrap();
        for name in left {
            match name.strip_suffix('/') {
                Some(folder) => fs::create_dir(data.join(folder)).unwrap(),
                None => fs::write(data.join(name), b"cut sho").unwrap(),
            }
        }
        let store = open_at(&data).unwrap();
        let writer = Writer::new(&store, "user");
        writer.commit(Vec::new(), vec![writer.put("entry", b"content")]).unwrap();
        drop((writer, store));
        let store = open_at(&data).unwrap();
        let record = Writer::new(&store, "user").read("entry").unwrap();
        assert_eq!(record.content, b"content", "{left:?}");
        assert!(!data.join("sled.unfinished").exists());
    }
}

#[test]
fn everything_but_the_format_file_is_a_creation_cut_at_its_last_step() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let store = open_at(&data).unwrap();
    let writer = Writer::new(&store, "user");
    writer.commit(Vec::new(), vec![writer.put("entry", b"content")]).unwrap();
    drop((writer, store));
    fs::remove_file(data.join("format")).unwrap();
    let store = open_at(&data).unwrap();
    assert!(Writer::new(&store, "user").read("entry").is_some());
    assert!(data.join("format").exists());
}

#[test]
fn a_part_that_vanished_is_never_replaced_by_an_empty_one() {
    for part in ["keys", "sled", "keys/installation", "keys/slots", "sled/db"] {
        let directory = tempfile::tempdir().unwrap();
        let data = directory.path().join("data");
        drop(open_at(&data).unwrap());
        let path = data.join(part);
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        assert!(open_at(&data).is_err(), "{part}");
        assert!(!path.exists(), "{part}");
    }
}

#[cfg(unix)]
#[test]
fn secrets_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    drop(open_at(&data).unwrap());
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&data.join("keys")), 0o700);
    assert_eq!(mode(&data.join("keys/installation")), 0o600);
    assert_eq!(mode(&data.join("keys/slots")), 0o600);
}

#[test]
fn memory_vault_109_no_file_holds_names_or_text() {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    let store = open_at(&data).unwrap();
    let writer = Writer::new(&store, "alice@example.com");
    for number in 0..50 {
        let operation = writer.put(&format!("entry-name-{number}"), b"the secret text");
        writer.commit(Vec::new(), vec![operation]).unwrap();
    }
    drop((writer, store));
    let files = every_file(&data);
    assert!(files.len() >= 5);
    for file in files {
        let bytes = fs::read(&file).unwrap();
        for needle in ["alice@example.com", "entry-name", "secret text"] {
            let found = bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
            assert!(!found, "{needle} in {}", file.display());
        }
    }
}
