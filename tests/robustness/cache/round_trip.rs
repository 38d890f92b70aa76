//! A recording opened from a cached index equals the recording that was read: every column, and everything computed
//! from them.

use std::path::Path;

use flowline::index::flows::{FlowTrackRow, FlowTrackShapes};
use flowline::index::search::{Query, run};
use flowline::index::{Arrangement, Span};
use flowline::profile::MarkerId;
use flowline_load::Loaded;

use super::{FORMATS, Folder, contents, opened, visit};

/// Opens a recording twice and compares both results.
#[track_caller]
fn check(path: &Path, folder: &Folder) {
    let cache = folder.cache();
    let (read, outcome) = visit(path, &cache);
    assert_eq!(outcome, "miss", "{}", path.display());
    let (kept, outcome) = visit(path, &cache);
    assert_eq!(outcome, "hit", "{}: {}", path.display(), kept.cache.reason);
    assert!(contents(&read) == contents(&kept), "{}", path.display());
    assert_eq!(answers(&read), answers(&kept), "{}", path.display());
    // Queries build more data, but the cached index stays unchanged.
    assert_eq!(opened(path, &cache).cache.outcome.name(), "hit");
}

/// Rows, spans, payloads, flows, hits, tracks and notes, as text.
fn answers(loaded: &Loaded) -> Vec<String> {
    let (index, mut found) = (&loaded.index, Vec::new());
    let profile = index.profile();
    let length = index.extent().len() as f64;
    for arrangement in [Arrangement::ByName, Arrangement::Stack] {
        let layout = index.layout(arrangement);
        for (id, thread) in profile.threads_with_ids() {
            let rows = layout.thread(id);
            let summary = index.summary(id);
            for row in 0..rows.rows.len() {
                for zoom in [1.0, length / 2000.0, length / 20.0] {
                    let spans: Vec<Span> = rows.spans(index.source(), thread, row, zoom, 0, u64::MAX);
                    found.push(format!("{arrangement:?} {id:?} {row} {:?} {spans:?}", rows.rows.group_of(row)));
                }
            }
            for row in 0..summary.rows.len() {
                found.push(format!("{:?}", summary.spans(index.source(), thread, row, length / 500.0, 0, u64::MAX)));
            }
        }
    }
    for marker in (0..profile.marker_count()).step_by(7).map(MarkerId::new) {
        let (thread, local) = profile.locate(marker).expect("a marker");
        let name = profile.strings.get(profile.thread(thread).markers.name(local));
        let mut payload = String::new();
        profile.payload_resolved(thread, local).to_json(&mut payload);
        found.push(format!("{name} {payload} {:?}", profile.event_members(thread, local)));
    }
    let flows = index.flows();
    for flow in flows.iter() {
        let connections = flows.connections(&[flow]);
        let (name, members) = (flows.name(profile, flow), flows.members(flow));
        let steps = flows.steps(profile, flow);
        found.push(format!("{name} {:?} {members:?} {connections:?} {steps:?}", flows.explicit_name(profile, flow)));
        assert_eq!(flows.find(profile, &name).first(), Some(&flow));
        found.push(format!("{:?}", loaded.setup.rules.appearance(profile, flows, index.source().styles, flow)));
    }
    for track in &loaded.setup.tracks {
        let mut spans = Vec::new();
        track.visit((FlowTrackRow::Summary, FlowTrackShapes::Boxes), length / 300.0, (0, u64::MAX), |span| {
            spans.push(span)
        });
        found.push(format!("{} {:?} {} {:?} {spans:?}", track.name, track.process, track.rows(), track.flows()));
    }
    for query in ["a", "dur:>1ms", "-cat:other", "name:net, load", "type:text", "thread:main", "no such thing"] {
        let hits = run(profile, flows, &Query::parse(query), &|| true).expect("not canceled");
        found.push(format!("{query}: {:?}", hits.iter(profile).collect::<Vec<_>>()));
    }
    found.push(format!("{:?} {:?}", profile.meta, index.warnings().list()));
    found
}

#[test]
fn the_compressed_example_is_cached_unchanged() {
    let folder = Folder::new("example");
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/example.json.gz");
    check(&packed, &folder);
    // The index includes the decompressed text, so it is larger than the text.
    let text = opened(&packed, &folder.cache()).index.profile().source.bytes().len();
    let kept = folder.kept().first().expect("an entry").metadata().expect("facts").len();
    assert!(kept > text as u64, "{kept} bytes for {text} of text");
}

#[test]
fn decompressed_text_beside_the_index_is_used() {
    let folder = Folder::new("beside");
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/example.json.gz");
    let beside = folder.cache().lookup(&packed).handle.expect("a handle").text_file();
    let read = opened(&packed, &folder.cache());
    std::fs::create_dir_all(beside.parent().expect("a folder")).expect("made");
    std::fs::write(&beside, read.index.profile().source.bytes()).expect("written");
    read.keep().expect("kept");
    let kept = opened(&packed, &folder.cache());
    assert_eq!(kept.cache.outcome.name(), "hit");
    assert!(contents(&kept) == contents(&read) && answers(&kept) == answers(&read));
    let [index, text] = &folder.kept()[..] else { panic!("{:?}", folder.kept()) };
    let length = |path: &Path| path.metadata().expect("facts").len();
    assert_eq!(length(text), read.index.profile().source.bytes().len() as u64);
    assert_eq!(folder.cache().list()[0].bytes, length(index) + length(text));
    let file = std::fs::File::options().write(true).open(text).expect("opened");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("set");
    assert_eq!(opened(&packed, &folder.cache()).cache.outcome.name(), "rebuilt", "another text");
    folder.cache().clear();
    assert!(folder.kept().is_empty());
}

#[test]
fn synthetic_recordings_are_cached_unchanged() {
    let folder = Folder::new("synthetic");
    for format in FORMATS {
        for seed in 0..8 {
            let markers = [1, 60, 700, 3_000][seed % 4] + seed as u64;
            check(&folder.synthetic(&format!("{format:?}-{seed}.json"), format, markers, seed as u64), &folder);
        }
    }
}

#[test]
fn damaged_and_odd_recordings_are_cached_unchanged() {
    let folder = Folder::new("odd");
    let texts = [
        r#"[]"#,
        r#"{"traceEvents":[]}"#,
        r#"{"traceEvents":[{"ph":"B","name":"a","pid":1,"tid":1,"ts":5},{"ph":"C","name":"n","pid":1,"ts":1,"args":{"x":-1,"y":2}},
            {"ph":"X","name":"b","pid":1,"tid":1,"ts":6,"dur":9,"cname":"terrible","args":{"é":"\ud83d\ude00"}},{"ph":"C","name":"n"#,
        r#"{"meta":{"version":34,"startTime":0,"interval":1,"markerSchema":[{"name":"T","chartLabel":"{marker.data.x ? 'a' : 'b'} {marker.name}",
            "data":[{"key":"x","label":"X","format":{"type":"table","columns":[{"label":"c","type":"bytes"},{}]}},{"key":"y","format":"odd"}]}],
            "categories":[{"name":"Other","color":"grey"}]},"threads":[{"name":"T","tid":1,"pid":2,"markers":{"schema":{"name":0,"startTime":1,
            "endTime":2,"phase":3,"category":4,"data":5},"data":[[0,1,2,1,0,{"type":"T","x":[[1,2]]}]]},"stringTable":["Ä"]}]}"#,
    ];
    for (number, text) in texts.iter().enumerate() {
        let path = folder.path(&format!("{number}.json"));
        std::fs::write(&path, text).expect("a file");
        check(&path, &folder);
    }
}
