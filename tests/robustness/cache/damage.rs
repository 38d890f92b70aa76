//! A cached index with any changed byte, or truncated anywhere, is rejected and the recording is read again. The same
//! applies to an index of any other recording.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flowline_synth::Format;

use super::{Folder, contents, opened, visit};

/// A recording with a cached index, and the file of the index.
fn kept(folder: &Folder, format: Format) -> (PathBuf, PathBuf) {
    let path = folder.synthetic("recording.json", format, 300, 7);
    assert_eq!(visit(&path, &folder.cache()).1, "miss");
    let [index] = &folder.kept()[..] else { panic!("{:?}", folder.kept()) };
    (path, index.clone())
}

/// True if the recording is read again; otherwise asserts that the result equals the cached contents.
#[track_caller]
fn refused_or_same(path: &Path, folder: &Folder, whole: &[u8], what: &str) -> bool {
    let loaded = opened(path, &folder.cache());
    match loaded.cache.outcome.name() {
        "rebuilt" => true,
        "hit" => {
            assert!(contents(&loaded) == whole, "{what}");
            false
        }
        other => panic!("{what}: {other}"),
    }
}

#[test]
fn any_changed_byte_is_detected() {
    let folder = Folder::new("byte");
    let (path, index) = kept(&folder, Format::Chrome);
    let whole = contents(&opened(&path, &folder.cache()));
    let bytes = std::fs::read(&index).expect("an index");
    let last = bytes.len() - 300;
    let places = (0..150).map(|part| last / 150 * part + part % 7).chain((last..bytes.len()).step_by(2));
    for place in places {
        let mut other = bytes.clone();
        other[place] ^= 1 << (place % 8);
        std::fs::write(&index, &other).expect("written");
        assert!(refused_or_same(&path, &folder, &whole, &format!("byte {place}")), "byte {place} of {}", bytes.len());
    }
    std::fs::write(&index, &bytes).expect("written");
    assert!(!refused_or_same(&path, &folder, &whole, "whole again"));
}

#[test]
fn any_truncation_or_addition_is_detected() {
    let folder = Folder::new("cut");
    let (path, index) = kept(&folder, Format::Firefox);
    let bytes = std::fs::read(&index).expect("an index");
    let lengths = (0..100).map(|part| bytes.len() / 100 * part).chain(bytes.len() - 200..bytes.len());
    for length in lengths {
        std::fs::write(&index, &bytes[..length]).expect("written");
        assert!(refused_or_same(&path, &folder, &[], &format!("{length} bytes")));
    }
    for addition in [&[0_u8; 8][..], &bytes] {
        std::fs::write(&index, [addition, &bytes[..]].concat()).expect("written");
        assert!(refused_or_same(&path, &folder, &[], "data before the index"));
    }
    std::fs::write(&index, [&bytes[..], &[0]].concat()).expect("written");
    assert!(refused_or_same(&path, &folder, &[], "data after the index"));
    // Reading the recording again replaces the index.
    assert_eq!(visit(&path, &folder.cache()).1, "rebuilt");
    assert_eq!(visit(&path, &folder.cache()).1, "hit");
}

#[test]
fn an_index_of_another_file_is_rejected() {
    let folder = Folder::new("foreign");
    let (_, first) = kept(&folder, Format::Chrome);
    let other = folder.synthetic("other.json", Format::Chrome, 300, 8);
    assert_eq!(visit(&other, &folder.cache()).1, "miss");
    let second = folder.kept().into_iter().find(|path| *path != first).expect("a second index");
    std::fs::copy(&first, &second).expect("copied");
    assert!(refused_or_same(&other, &folder, &[], "the other's"));
    for text in ["", "{}", "FLOWIDX\n"] {
        std::fs::write(&second, text).expect("written");
        assert!(refused_or_same(&other, &folder, &[], text));
    }
}

/// The fingerprint of a recording samples only some bytes; the file's change time reveals other writes.
#[test]
fn any_changed_byte_of_a_recording_is_detected_despite_a_restored_time() {
    let folder = Folder::new("middle");
    let (path, _) = kept(&folder, Format::Chrome);
    let text = std::fs::read(&path).expect("a recording");
    let time = path.metadata().expect("facts").modified().expect("a time");
    let digits: Vec<usize> = (0..text.len()).filter(|at| text[*at].is_ascii_digit()).collect();
    for at in digits.iter().step_by(digits.len() / 40 + 1) {
        let (loaded, _) = super::visit(&path, &folder.cache());
        drop(loaded);
        assert_eq!(opened(&path, &folder.cache()).cache.outcome.name(), "hit");
        let file = File::options().write(true).open(&path).expect("opened");
        let other = if text[*at] == b'7' { b"8" } else { b"7" };
        std::os::unix::fs::FileExt::write_all_at(&file, other, *at as u64).expect("written");
        file.set_modified(time).expect("set");
        assert_eq!(opened(&path, &folder.cache()).cache.outcome.name(), "rebuilt", "byte {at}");
        std::os::unix::fs::FileExt::write_all_at(&file, &text[*at..=*at], *at as u64).expect("written");
        file.set_modified(time).expect("set");
    }
}

#[test]
fn an_entry_that_is_a_pipe_does_not_block() {
    let folder = Folder::new("pipe");
    let (path, entry) = kept(&folder, Format::Chrome);
    std::fs::remove_file(&entry).expect("removed");
    let made = std::process::Command::new("mkfifo").arg(&entry).status().expect("mkfifo runs");
    assert!(made.success());
    assert_eq!(opened(&path, &folder.cache()).cache.outcome.name(), "miss");
    assert!(folder.cache().list().is_empty());
}

#[test]
fn a_changed_recording_is_read_again() {
    let folder = Folder::new("changed");
    let (path, _) = kept(&folder, Format::Firefox);
    let outcome = |path: &Path| opened(path, &folder.cache()).cache.outcome.name();
    let time = |path: &Path| path.metadata().expect("facts").modified().expect("a time");
    let first = time(&path);
    let set =
        |path: &Path, time| File::options().write(true).open(path).expect("opened").set_modified(time).expect("set");
    set(&path, first + Duration::from_nanos(1));
    assert_eq!(outcome(&path), "rebuilt", "touched");
    set(&path, first);
    assert_eq!(outcome(&path), "hit");
    let moved = folder.path("moved.json");
    std::fs::rename(&path, &moved).expect("moved");
    assert_eq!(outcome(&moved), "hit", "a new name");
    std::fs::copy(&moved, &path).expect("copied");
    set(&path, first);
    assert_eq!(outcome(&path), "miss", "a copy is another file");
    let text = std::fs::read_to_string(&moved).expect("a recording");
    std::fs::write(&moved, text.replacen("\"interval\":1", "\"interval\":2", 1)).expect("written");
    set(&moved, first);
    assert_eq!(outcome(&moved), "rebuilt", "other contents with equal size and time");
}
