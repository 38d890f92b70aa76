//! Limits: decompression bombs, sparse files, files that shrink during loading, too little memory, no space for
//! decompressed text. Each leads to a clear error or to the readable part, never to a crash.

use std::io::Write;
use std::path::{Path, PathBuf};

use flowline::import::{self, Budget, ImportError, Options, Progress};
use flowline::profile::{Profile, WarningKind};
use flowline_synth as synth;

use crate::support::folder::Folder;

fn recording(format: synth::Format, markers: u64) -> Vec<u8> {
    let options = synth::Options { markers, format, threads: None, flows: None, samples: 0, seed: 5 };
    let mut text = Vec::new();
    synth::write(&options, &mut text).expect("writing to memory succeeds");
    text
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("writing to memory succeeds")
}

fn open(path: &Path, options: &Options) -> Result<Profile, ImportError> {
    import::open(path, options, &Progress::default()).map(|imported| imported.profile)
}

/// Facts about the markers of a profile, as numbers.
fn facts(profile: &Profile) -> Vec<(String, usize, i64, i64, u64)> {
    let of_thread = |thread: &flowline::profile::Thread| {
        let markers = &thread.markers;
        let add = |sum: i64, time: flowline::profile::Ns| sum.wrapping_add(time.0);
        let places = markers.payloads().fold(0_u64, |sum, place| sum.wrapping_add(place.0));
        let (starts, ends) = (markers.times().starts().fold(0, add), markers.times().ends().fold(0, add));
        (thread.name.to_string(), markers.len(), starts, ends, places)
    };
    profile.threads.iter().map(of_thread).collect()
}

#[test]
fn compressed_recordings_equal_plain_ones() {
    let folder = Folder::new("packed");
    for (name, format) in [("firefox", synth::Format::Firefox), ("chrome", synth::Format::Chrome)] {
        let text = recording(format, 120_000);
        let packed = gzip(&text);
        assert!(packed.len() > 2 << 20, "large enough for reading during decompression: {}", packed.len());
        let plain = open(&folder.file(name, &text), &Options::default()).expect("readable");
        let path = folder.file(&format!("{name}.gz"), &packed);
        for chunk in [Options::default().chunk, 10_000] {
            let options = Options { chunk, ..Options::default() };
            let read = open(&path, &options).expect("readable");
            assert_eq!(facts(&read), facts(&plain), "{name} in chunks of {chunk}");
            assert_eq!(read.explicit_flows.get().flows.len(), plain.explicit_flows.get().flows.len());
            assert_eq!(read.meta.json_bytes, text.len() as u64);
            assert!(read.source.bytes() == text.as_slice(), "the text is available");
        }
        // In memory, if there is no writable folder for the text.
        for spill in [None, Some(PathBuf::from("/proc/nothing/here"))] {
            let read = open(&path, &Options { spill, ..Options::default() }).expect("readable");
            assert_eq!(facts(&read), facts(&plain), "{name} in memory");
        }
        // A file cut in the middle keeps the part before the cut.
        let cut = folder.file("cut.gz", &packed[..packed.len() / 2]);
        let read = open(&cut, &Options::default()).expect("its beginning");
        assert!(read.marker_count() > 0 && read.marker_count() < plain.marker_count());
        assert!(read.warnings.count(WarningKind::Truncated) > 0);
    }
    assert_eq!(std::fs::read_dir(folder.root()).expect("a folder").count(), 5, "no other files remain");
}

#[test]
fn a_bomb_is_refused_at_the_limit_and_the_limit_can_be_raised() {
    let folder = Folder::new("bomb");
    // Decompresses to a gigabyte; the compressed size exceeds the threshold for decompression before reading.
    let mut text = b"[".to_vec();
    text.resize(64 << 20, b' ');
    text.push(b']');
    let mut packed = gzip(&text);
    while packed.len() < 2 << 20 {
        let once = gzip(&text);
        packed.extend_from_slice(&once);
    }
    let path = folder.file("bomb.json.gz", &packed);
    for spill in [None, Some(folder.root().to_owned())] {
        let options = Options { max_unpacked: 1 << 20, spill, ..Options::default() };
        let refused = open(&path, &options).expect_err("too large");
        assert!(matches!(refused, ImportError::TooLarge { limit } if limit == 1 << 20), "{refused}");
        assert!(refused.to_string().contains("--max-unpacked"), "{refused}");
    }
    let small = folder.file("small.json.gz", gzip(b"[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}]"));
    assert!(open(&small, &Options { max_unpacked: 4, ..Options::default() }).is_err());
    assert_eq!(open(&small, &Options { max_unpacked: 1 << 10, ..Options::default() }).expect("fits").marker_count(), 1);
}

/// A trace with one event: a long incompressible name, then spaces that compress a thousandfold.
fn dense(noise: usize, mebibytes: usize) -> Vec<u8> {
    let pack = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(text).and_then(|()| encoder.finish()).expect("writing to memory succeeds")
    };
    let mut random = fastrand::Rng::with_seed(7);
    let name: String = (0..noise).map(|_| random.alphanumeric()).collect();
    let event = format!("[{{\"ph\":\"X\",\"name\":\"{name}\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1}}");
    let spaces = pack(&vec![b' '; 16 << 20]).repeat(mebibytes / 16);
    [pack(event.as_bytes()), spaces, pack(b"]")].concat()
}

#[test]
fn suspicious_compression_ratios_are_refused_unless_allowed() {
    let folder = Folder::new("growth");
    let small = dense(10, 288);
    assert!(small.len() < 1 << 20, "decompressed into memory first: {}", small.len());
    let path = folder.file("bomb.json.gz", &small);
    let large = dense(2 << 20, 1024);
    assert!(large.len() > 1 << 20, "read during decompression: {}", large.len());
    let spilled = folder.file("spilled.json.gz", &large);
    for (path, spill) in [(&path, None), (&spilled, Some(folder.root().to_owned()))] {
        let refused = open(path, &Options { spill, ..Options::default() }).expect_err("suspicious");
        let ImportError::Suspicious { packed, unpacked } = refused else { panic!("{refused}") };
        assert!(unpacked > packed * 200 && unpacked < 600 << 20, "{packed} to {unpacked}");
        assert!(refused.to_string().contains("--max-unpacked"), "{refused}");
    }
    let allowed = Options { max_expansion: None, ..Options::default() };
    assert_eq!(open(&path, &allowed).expect("allowed").marker_count(), 1);
    let modest = folder.file("modest.json.gz", dense(10, 240));
    assert_eq!(open(&modest, &Options::default()).expect("not large").marker_count(), 1);
}

/// A trace with one event on each of `count` threads.
fn threads(count: usize) -> String {
    let event = |at: usize| format!(r#"{{"ph":"X","name":"a","ts":{at},"dur":1,"pid":1,"tid":{at}}}"#);
    format!("[{}]", (0..count).map(event).collect::<Vec<_>>().join(",\n"))
}

#[test]
fn a_thread_with_a_marker_takes_less_than_300_bytes() {
    const THREADS: usize = 50_000;
    let profile = import::read(threads(THREADS).into_bytes(), &Progress::default()).expect("a trace").profile;
    let index = flowline::index::Index::build(profile.into(), flowline::profile::Arrangement::Stack);
    let (rows, pyramids) = index.bytes();
    let bytes = index.profile().bytes() + rows + pyramids;
    assert!(bytes < 300 * THREADS, "{} bytes a thread", bytes / THREADS);
    // Queried threads are built.
    for thread in [0, 1, THREADS / 2, THREADS - 1].map(flowline::profile::ThreadId::new) {
        let rows = index.layout(flowline::profile::Arrangement::Stack).thread(thread);
        assert_eq!((rows.rows.len(), index.summary(thread).rows.len()), (1, 2));
    }
}

#[test]
fn decompressed_text_on_disk_counts_against_an_explicit_limit() {
    let folder = Folder::new("spool-limit");
    // Reading it needs little memory: it consists mostly of spaces.
    let path = folder.file("recording.json.gz", dense(2 << 20, 1024));
    let limited = |limit| {
        let spill = Some(folder.root().to_owned());
        Options { budget: Budget { limit: Some(limit) }, max_expansion: None, spill, ..Options::default() }
    };
    let refused = open(&path, &limited(800 << 20)).expect_err("exceeds the limit");
    assert!(matches!(refused, ImportError::OutOfMemory { needed, .. } if needed > 800 << 20), "{refused}");
    assert_eq!(open(&path, &limited(8 << 30)).expect("allowed").marker_count(), 1);
}

#[test]
fn sparse_files_of_more_than_4_gib_are_handled() {
    let folder = Folder::new("sparse");
    let hollow = |name: &str, text: &[u8]| {
        let path = folder.file(name, text);
        let file = std::fs::File::options().write(true).open(&path).expect("opens");
        file.set_len(5 << 30).map(|()| path)
    };
    // The file system may not support sparse files.
    let Ok(empty) = hollow("zeros.json", b"") else { return };
    let refused = open(&empty, &Options::default()).expect_err("no recording");
    assert!(matches!(refused, ImportError::NotARecording { .. }), "{refused}");
    let begun = hollow("begun.json", b"[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1},\n")
        .expect("sparse");
    let profile = open(&begun, &Options::default()).expect("its beginning");
    assert_eq!(profile.marker_count(), 1);
    assert!(profile.warnings.count(WarningKind::BrokenJson) > 0);
}

#[test]
fn a_file_that_shrinks_during_loading_loses_only_the_cut_part() {
    let folder = Folder::new("shrinks");
    for format in [synth::Format::Firefox, synth::Format::Chrome] {
        let path = folder.file("shrinks.json", recording(format, 60_000));
        let profile = open(&path, &Options::default()).expect("readable");
        let file = std::fs::File::options().write(true).open(&path).expect("opens");
        file.set_len(1 << 16).expect("is cut");
        // Reading a payload in the cut part returns nothing and does not crash.
        let (mut seen, mut lost) = (0, 0);
        for (id, thread) in profile.threads_with_ids() {
            for marker in (0..thread.markers.len()).map(flowline::profile::LocalMarker::new) {
                match profile.payload(id, marker) {
                    flowline::profile::Value::Null => lost += 1,
                    _ => seen += 1,
                }
            }
        }
        assert!(lost > 50_000, "{seen} readable, {lost} lost");
        // During loading, the cut may come before, inside or behind the current position.
        for delay in 0..12 {
            let text = recording(format, 60_000);
            std::fs::write(&path, &text).expect("restored");
            let cutter = {
                let path = path.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(std::time::Duration::from_micros(delay * 1_500));
                    let file = std::fs::File::options().write(true).open(&path).expect("opens");
                    file.set_len(1 << 17).expect("is cut");
                })
            };
            match open(&path, &Options::default()) {
                Ok(profile) => drop(facts(&profile)),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            cutter.join().expect("cuts");
        }
    }
}

#[test]
fn too_little_memory_is_explained() {
    let folder = Folder::new("memory");
    for (name, format) in [("firefox.json", synth::Format::Firefox), ("chrome.json", synth::Format::Chrome)] {
        let path = folder.file(name, recording(format, 60_000));
        let options = Options { budget: Budget { limit: Some(1 << 20) }, ..Options::default() };
        let refused = open(&path, &options).expect_err("a megabyte is too little");
        assert!(matches!(refused, ImportError::OutOfMemory { .. }), "{refused}");
        assert!(refused.to_string().contains("--max-memory"), "{refused}");
        let options = Options { budget: Budget { limit: Some(64 << 30) }, ..Options::default() };
        assert!(open(&path, &options).is_ok());
    }
}

#[test]
fn canceling_stops_a_load_that_waits_for_compressed_text() {
    let folder = Folder::new("cancel");
    let path = folder.file("recording.json.gz", gzip(&recording(synth::Format::Firefox, 120_000)));
    let progress = std::sync::Arc::new(Progress::default());
    let other = std::sync::Arc::clone(&progress);
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        other.cancel();
    });
    let outcome = import::open(&path, &Options::default(), &progress);
    canceller.join().expect("cancels");
    // A fast machine may finish before the cancellation.
    assert!(matches!(outcome, Err(ImportError::Cancelled) | Ok(_)));
}
