//! Custom tracks: entries from the user timings and time stamps of a trace, and comparison with DevTools on real
//! traces.

use std::sync::Arc;

use flowline::index::custom_tracks::{CustomEntry, CustomTracks, EntryKind};
use flowline::index::{Arrangement, Index, RowItems as _};
use flowline::profile::{Ns, Value as Payload};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::recording::read_bytes;
use crate::recording::real::{open, shared};

/// A measure with times in microseconds.
fn measure(name: &str, [start, end]: [i64; 2], detail: &str) -> Vec<Value> {
    let event = |ph: &str, ts: i64, args: Value| {
        json!({"name": name, "ph": ph, "cat": "blink.user_timing", "pid": 9, "tid": 9, "ts": ts,
            "id2": {"local": format!("0x{start:x}{end:x}{name}")}, "args": args})
    };
    vec![event("b", start, json!({"detail": detail})), event("e", end, json!({}))]
}

fn mark(name: &str, ts: i64, detail: &str) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "blink.user_timing", "pid": 9, "tid": 9, "ts": ts,
        "args": {"data": {"detail": detail}}})
}

fn stamp(ts: i64, data: Value) -> Value {
    json!({"name": "TimeStamp", "ph": "I", "s": "t", "cat": "devtools.timeline", "pid": 9, "tid": 9, "ts": ts,
        "args": {"data": data}})
}

fn index(mut events: Vec<Value>) -> Index {
    events.push(json!({"name": "Task", "ph": "X", "pid": 9, "tid": 9, "ts": 0, "dur": 100_000, "args": {}}));
    let text = json!({"traceEvents": events}).to_string();
    Index::build(Arc::new(read_bytes(text.into_bytes()).expect("a trace")), Arrangement::Stack)
}

/// Kind, group and track, name, start and end in microseconds.
type Line = (EntryKind, String, String, i64, Option<i64>);

fn line(entry: &CustomEntry) -> Line {
    let track = format!("{}/{}", entry.group, entry.track);
    (entry.kind, track, entry.name.clone(), entry.start.0 / 1000, entry.end.map(|end| end.0 / 1000))
}

fn lines(events: Vec<Value>) -> Vec<Line> {
    CustomTracks::build(index(events).profile()).entries().iter().map(line).collect()
}

#[test]
fn measures_and_marks_name_their_tracks() {
    let events = [
        measure("a", [100, 300], r#"{"devtools":{"track":"T","trackGroup":"G"},"mine":[1]}"#),
        measure("b", [100, 400], r#"{"devtools":{"track":"T","dataType":"track-entry","trackGroup":""}}"#),
        vec![mark("c", 150, r#"{"devtools":{"track":"T"}}"#)],
        vec![mark("d", 160, r#"{"devtools":{"dataType":"marker","track":"T"}}"#)],
    ];
    let entry = |kind, track: &str, name: &str, start, end| (kind, track.to_owned(), name.to_owned(), start, end);
    let expected = [
        entry(EntryKind::Track, "/T", "b", 100, Some(400)),
        entry(EntryKind::Track, "G/T", "a", 100, Some(300)),
        entry(EntryKind::Track, "/T", "c", 150, None),
        entry(EntryKind::Marker, "/T", "d", 160, None),
    ];
    assert_eq!(lines(events.concat()), expected);
}

#[test]
fn timings_without_valid_track_data_stay_plain_timings() {
    let details = [
        "{oops",
        r#"{"devtools":{"track":"T"}} x"#,
        r#"{"devtools":{"track":""}}"#,
        r#"{"devtools":{"track":null}}"#,
        r#"{"devtools":{"track":"T","dataType":"thing"}}"#,
        r#"{"devtools":{"track":"T","dataType":null}}"#,
        r#"{"devtools":{"color":"error"}}"#,
        r#"{"devtools":"T"}"#,
        r#"{"devtools":null}"#,
        r#"{"track":"T"}"#,
        "[]",
        "null",
        "",
    ];
    for detail in details {
        let events = [measure("a", [10, 20], detail), vec![mark("b", 15, detail)]].concat();
        assert_eq!(lines(events), [], "{detail}");
    }
    // Timings of the browser itself, and a measure that never ends.
    let good = r#"{"devtools":{"track":"T"}}"#;
    assert_eq!(lines(measure("fetchStart", [1, 2], good)), []);
    assert_eq!(lines(measure("a", [1, 2], good)[..1].to_vec()), []);
    // Numbers are valid names.
    let number = lines(measure("a", [1, 2], r#"{"devtools":{"track":7,"trackGroup":true}}"#));
    assert_eq!(number[0].1, "true/7");
}

#[test]
fn stamps_span_earlier_labels_and_numbers() {
    let track = |data: Value| {
        let mut data = data;
        data["track"] = json!("T");
        data
    };
    let events = vec![
        stamp(100, json!({"name": "one"})),
        stamp(300, json!({"message": "two"})),
        stamp(400, track(json!({"name": "both", "start": "one", "end": "two"}))),
        stamp(410, track(json!({"name": "number", "start": 120, "end": 130.5}))),
        stamp(420, track(json!({"name": "open", "start": "two"}))),
        stamp(430, track(json!({"name": "itself", "start": "itself"}))),
        stamp(440, track(json!({"name": "later", "start": "one", "end": "last"}))),
        stamp(450, track(json!({"name": "dropped", "start": "nowhere", "end": "two"}))),
        stamp(460, track(json!({"name": "back", "start": "two", "end": "one"}))),
        stamp(470, track(json!({"name": "only"}))),
        stamp(480, json!({"name": "timing", "start": "one", "end": "two"})),
        stamp(490, json!({"name": "plain", "start": 0, "end": ""})),
        stamp(500, json!({"name": "last"})),
        stamp(510, json!("no object")),
    ];
    let found = lines(events);
    let short: Vec<(&str, i64, i64)> =
        found.iter().map(|(_, _, name, start, end)| (name.as_str(), *start, end.expect("an end"))).collect();
    let expected = [
        ("later", 100, 440),
        ("timing", 100, 300),
        ("both", 100, 300),
        ("number", 120, 130),
        ("open", 300, 420),
        ("back", 300, 100),
        ("itself", 430, 430),
        ("only", 470, 470),
    ];
    assert_eq!(short, expected);
    assert_eq!(found[1].0, EntryKind::Timing);
}

#[test]
fn a_group_and_a_track_with_the_same_name_are_separate() {
    let on = |track: &str, group: &str| json!({"devtools": {"track": track, "trackGroup": group}}).to_string();
    let events = [
        measure("a", [100, 200], &on("x", "N")),
        measure("b", [110, 120], &on("y", "N")),
        measure("c", [120, 130], &on("x", "N")),
        measure("d", [130, 140], &on("N", "")),
        measure("e", [150, 160], r#"{"devtools":{"dataType":"marker"}}"#),
    ];
    let index = index(events.concat());
    let tracks = index.custom_tracks().tracks();
    let described: Vec<_> = tracks
        .iter()
        .map(|track| {
            let parts: Vec<_> = track.parts.iter().map(|part| (part.name.as_str(), part.rows, part.entries)).collect();
            (track.name.as_str(), track.is_group, parts)
        })
        .collect();
    let expected = [
        ("N", true, vec![("x", 2, 2), ("y", 1, 1)]),
        ("N", false, vec![("N", 1, 1)]),
        ("Markers", false, vec![("Markers", 1, 1)]),
    ];
    assert_eq!(described, expected);
}

proptest! {
    /// Rows contain every entry once, without overlaps. Of two entries that start together, the longer one is on top.
    #[test]
    fn rows_contain_every_entry_once(made in prop::collection::vec((0_i64..300, 0_i64..60), 1..60)) {
        let detail = r#"{"devtools":{"track":"T"}}"#;
        let event = |(at, (start, length)): (usize, &(i64, i64))| measure(&format!("m{at}"), [*start, start + length], detail);
        let index = index(made.iter().enumerate().flat_map(event).collect());
        let custom = index.custom_tracks();
        let track = &custom.tracks()[0];
        let mut seen = vec![0; made.len()];
        for row in 0..track.rows() {
            let entries = track.row(Some(row)).expect("a row");
            let mut until = 0;
            for at in 0..entries.len() {
                let packed = entries.packed(at);
                prop_assert!(packed.start() >= until);
                until = packed.end();
                seen[entries.marker(at).index()] += 1;
            }
        }
        prop_assert!(seen.iter().all(|times| *times == 1));
        for (a, b) in (0_u32..).zip(custom.entries()).zip((1_u32..).zip(&custom.entries()[1..])) {
            if a.1.start == b.1.start && a.1.end > b.1.end && b.1.end > Some(b.1.start) {
                prop_assert!(track.row_of(a.0) < track.row_of(b.0));
            }
        }
    }
}

fn value_of(value: &Payload) -> Value {
    let mut text = String::new();
    value.to_json(&mut text);
    serde_json::from_str(&text).expect("JSON")
}

/// An entry according to DevTools, in the form of [`theirs`].
fn ours(entry: &CustomEntry) -> Value {
    let properties: Vec<Value> = entry.properties.iter().map(|(name, value)| json!([name, value_of(value)])).collect();
    json!({"name": entry.name, "group": entry.group, "track": entry.track, "start": entry.start.0,
        "end": entry.end.map(|end| end.0), "color": entry.color, "tooltip": entry.tooltip, "properties": properties,
        "detail": value_of(&entry.detail)})
}

/// Converts microseconds to nanoseconds.
#[expect(clippy::cast_possible_truncation, reason = "recording times fit")]
fn ns(us: f64) -> i64 {
    (us * 1000.0).round() as i64
}

fn theirs(entry: &Value, group: &Value, track: &Value) -> Value {
    let start = entry["ts_us"].as_f64().expect("a time");
    let or_empty = |value: &Value| if value.is_null() { json!([]) } else { value.clone() };
    let no_text = |value: &Value, text: &str| if value == text { Value::Null } else { value.clone() };
    json!({"name": entry["name"], "group": group, "track": track, "start": ns(start),
        "end": entry["dur_us"].as_f64().map(|length| ns(start + length)), "color": no_text(&entry["color"], "undefined"),
        "tooltip": entry["tooltipText"], "properties": or_empty(&entry["properties"]),
        "detail": no_text(&entry["userDetail"], "")})
}

#[test]
fn entries_match_devtools() {
    let recordings = [
        ("cases/devtools/s5-extension-tracks.json", "cases/devtools/s5-extension-tracks-devtools.expected.json"),
        ("traces/rec-a-annotated.json.gz", "cases/real/rec-a-annotated-devtools.expected.json"),
    ];
    for (recording, expected) in recordings {
        let Some((recording, expected)) = shared(recording).zip(shared(expected)) else { return };
        let index = Index::build(Arc::new(open(&recording).expect("readable")), Arrangement::Stack);
        let text = std::fs::read(expected).expect("readable");
        let expected: Value = serde_json::from_slice(&text).expect("JSON");
        let extensions = &expected["extensions"];
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let custom = index.custom_tracks();
        let mut entries: Vec<String> = Vec::new();
        let mut tracks: Vec<(String, bool)> = Vec::new();
        for heading in list(&extensions["tracks"]) {
            let is_group = heading["isTrackGroup"] == true;
            let group = if is_group { heading["name"].clone() } else { json!("") };
            tracks.push((heading["name"].as_str().unwrap_or_default().to_owned(), is_group));
            for track in list(&heading["tracks"]) {
                let own = list(&track["entries"]);
                entries.extend(own.iter().map(|entry| theirs(entry, &group, &track["track"]).to_string()));
                for entry in own {
                    let start = Ns(ns(entry["ts_us"].as_f64().expect("a time")));
                    let is_it = |known: &&CustomEntry| known.start == start && entry["name"] == known.name;
                    let at = custom.entries().iter().position(|known| is_it(&known)).expect("an entry");
                    let (track, row) = custom.place(u32::try_from(at).expect("few")).expect("a place");
                    let parts = &custom.tracks()[track].parts;
                    let first = parts.iter().rfind(|part| part.first_row <= row).expect("a part").first_row;
                    assert_eq!(entry["depth"], row - first, "{entry}");
                }
            }
        }
        let of = |kind: EntryKind| custom.entries().iter().filter(move |entry| entry.kind == kind);
        let mut own: Vec<String> = of(EntryKind::Track).map(|entry| ours(entry).to_string()).collect();
        own.sort();
        entries.sort();
        assert_eq!(own, entries);
        let own: Vec<(String, bool)> =
            custom.tracks().iter().map(|track| (track.name.clone(), track.is_group)).take(tracks.len()).collect();
        assert_eq!(own, tracks, "in this order");
        let times =
            |kind: EntryKind| of(kind).map(|entry| (entry.name.clone(), entry.start.0 / 1000)).collect::<Vec<_>>();
        let expected = |key: &str| -> Vec<(String, i64)> {
            let time = |entry: &Value| entry["ts_us"].as_i64().expect("a time");
            list(&extensions[key])
                .iter()
                .map(|entry| (entry["name"].as_str().expect("a name").to_owned(), time(entry)))
                .collect()
        };
        assert_eq!(times(EntryKind::Marker), expected("markers"));
        assert_eq!(times(EntryKind::Timing), expected("consoleEntriesForTimingsTrack"));
    }
}
