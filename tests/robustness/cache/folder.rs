//! The folder of cached indexes: its size limit, and failures to write.

use std::path::Path;
use std::time::{Duration, SystemTime};

use flowline::cache::Cache;
use flowline_synth::Format;

use super::{Folder, contents, opened, visit};

#[test]
fn the_oldest_entries_are_evicted() {
    let folder = Folder::new("bound");
    let recordings: Vec<_> =
        (0..4).map(|seed| folder.synthetic(&format!("{seed}.json"), Format::Chrome, 500, seed)).collect();
    let mut largest = 0;
    for path in recordings.iter().take(3) {
        assert_eq!(visit(path, &folder.cache()).1, "miss");
        for kept in folder.kept() {
            largest = largest.max(kept.metadata().expect("facts").len());
        }
    }
    // The first entry was used last, then the third; the second is the oldest.
    let hour = Duration::from_secs(3600);
    for kept in folder.kept() {
        let file = std::fs::File::options().write(true).open(kept).expect("opened");
        file.set_modified(SystemTime::now() - 3 * hour).expect("set");
    }
    for path in [&recordings[2], &recordings[0]] {
        assert_eq!(opened(path, &folder.cache()).cache.outcome.name(), "hit");
        std::thread::sleep(Duration::from_millis(20));
    }
    let bound = Cache::new(folder.path("kept"), Some(largest * 3)).with_min_bytes(0);
    assert_eq!(visit(&recordings[3], &bound).1, "miss");
    let outcomes: Vec<_> = recordings.iter().map(|path| opened(path, &bound).cache.outcome.name()).collect();
    assert_eq!(outcomes, ["hit", "miss", "hit", "hit"]);
    let names: Vec<_> = bound.list().into_iter().map(|entry| entry.recording).collect();
    assert_eq!(names, [3, 2, 0].map(|at: usize| recordings[at].clone()));
    let cleared = bound.clear();
    assert!(cleared.entries == 3 && cleared.bytes <= largest * 3 && folder.kept().is_empty());
}

#[test]
fn an_index_above_the_limit_is_not_cached_and_leaves_no_files() {
    let folder = Folder::new("large");
    let path = folder.synthetic("a.json", Format::Firefox, 2_000, 1);
    for limit in [0, 10, 1000, 50_000] {
        let cache = Cache::new(folder.path("kept"), Some(limit)).with_min_bytes(0);
        let loaded = opened(&path, &cache);
        let error = loaded.keep().expect_err("too large");
        assert!(error.to_string().contains("larger than the cache limit"), "{error}");
        assert_eq!(folder.kept(), [""; 0].map(Path::new), "{limit}");
    }
}

#[test]
fn no_cache_neither_reads_nor_writes() {
    let folder = Folder::new("off");
    let path = folder.synthetic("a.json", Format::Chrome, 200, 1);
    let off = Cache::off("switched off");
    let loaded = opened(&path, &off);
    assert_eq!((loaded.cache.outcome.name(), loaded.cache.reason), ("off", "switched off"));
    assert_eq!(loaded.keep().expect("nothing to do"), None);
    assert!(folder.kept().is_empty());
    // Existing entries are ignored.
    let (whole, _) = visit(&path, &folder.cache());
    std::fs::write(&folder.kept()[0], "no index").expect("written");
    let loaded = opened(&path, &off);
    assert!(loaded.cache.outcome.name() == "off" && contents(&loaded) == contents(&whole));
    assert_eq!(std::fs::read(&folder.kept()[0]).expect("there"), b"no index");
}

#[test]
fn the_hash_of_the_contents_is_the_same_with_and_without_an_entry() {
    let folder = Folder::new("hash");
    let path = folder.synthetic("a.json", Format::Chrome, 3_000, 1);
    let hash = |cache: &Cache| cache.content_hash(&path).expect("a regular file");
    let first = hash(&Cache::off("switched off"));
    assert_eq!(visit(&path, &folder.cache()).1, "miss");
    assert_eq!(hash(&folder.cache()), first);
    std::fs::write(&folder.kept()[0], "no index").expect("written");
    assert_eq!(hash(&folder.cache()), first, "a damaged entry is not asked");
    assert_eq!(visit(&path, &folder.cache()).1, "rebuilt");
    let mut bytes = std::fs::read(&path).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    assert_ne!(hash(&folder.cache()), first, "the entry belongs to the earlier contents");
    assert!(folder.cache().content_hash(&folder.path("missing")).is_err());
}

#[test]
fn small_recordings_are_not_cached() {
    let folder = Folder::new("small");
    let path = folder.synthetic("a.json", Format::Chrome, 200, 1);
    let cache = Cache::new(folder.path("kept"), None).with_min_bytes(1 << 40);
    let loaded = opened(&path, &cache);
    assert!(loaded.keep().expect("nothing to do").is_none() && folder.kept().is_empty());
}

#[test]
fn nothing_is_cached_in_an_unwritable_folder() {
    let folder = Folder::new("unwritable");
    let path = folder.synthetic("a.json", Format::Chrome, 200, 1);
    std::fs::write(folder.path("file"), "in the way").expect("written");
    let cache = Cache::new(folder.path("file").join("kept"), None).with_min_bytes(0);
    let loaded = opened(&path, &cache);
    assert_eq!(loaded.cache.outcome.name(), "miss");
    assert!(loaded.keep().is_err());
    assert_eq!(loaded.index.profile().marker_count(), 200);
}

#[test]
fn a_recording_that_changes_during_loading_is_not_cached() {
    let folder = Folder::new("meanwhile");
    let path = folder.synthetic("a.json", Format::Chrome, 200, 1);
    let loaded = opened(&path, &folder.cache());
    let file = std::fs::File::options().write(true).open(&path).expect("opened");
    file.set_modified(SystemTime::UNIX_EPOCH).expect("set");
    let error = loaded.keep().expect_err("it changed");
    assert!(error.to_string().contains("changed"), "{error}");
    assert!(folder.kept().is_empty());
}

#[test]
fn concurrent_writes_of_the_same_index_succeed() {
    let folder = Folder::new("two");
    let path = folder.synthetic("a.json", Format::Firefox, 2_000, 4);
    let loaded = opened(&path, &folder.cache());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..5 {
                    loaded.keep().expect("kept");
                    let again = opened(&path, &folder.cache());
                    assert_eq!(again.cache.outcome.name(), "hit");
                }
            });
        }
    });
    assert_eq!(folder.kept().len(), 1);
    assert!(contents(&opened(&path, &folder.cache())) == contents(&loaded));
}

#[test]
fn abandoned_files_are_removed() {
    let folder = Folder::new("sweep");
    let path = folder.synthetic("a.json", Format::Chrome, 200, 1);
    std::fs::create_dir_all(folder.path("kept")).expect("a folder");
    for (name, hours) in [("old.1-0.part", 2), ("new.1-0.part", 0), ("old.text", 2)] {
        let path = folder.path("kept").join(name);
        std::fs::write(&path, "half").expect("written");
        let file = std::fs::File::options().write(true).open(&path).expect("opened");
        file.set_modified(SystemTime::now() - Duration::from_secs(3600 * hours + 10)).expect("set");
    }
    assert_eq!(visit(&path, &folder.cache()).1, "miss");
    let names: Vec<_> = folder.kept().iter().filter_map(|path| path.extension().map(ToOwned::to_owned)).collect();
    assert_eq!(names, ["index", "part"]);
}

#[test]
fn clearing_removes_every_file() {
    let folder = Folder::new("cleared");
    let path = folder.synthetic("recording.json", Format::Chrome, 300, 7);
    let cache = folder.cache();
    assert_eq!((visit(&path, &cache).1, visit(&path, &cache).1), ("miss", "hit"));
    let files = || std::fs::read_dir(folder.path("kept")).expect("the cache").count();
    #[cfg(target_os = "linux")]
    assert_eq!(files(), 2, "an index and its stamp");
    cache.clear();
    assert_eq!(files(), 0);
}
