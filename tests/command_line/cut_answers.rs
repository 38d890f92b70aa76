//! Parts of recordings give the same answers as the whole: requests, entries of custom tracks, call trees, notes,
//! counters.

use serde_json::{Value, json};

use crate::support::FORMATS;
use crate::support::program::Program;

fn event(name: &str, ts: i64, data: &Value) -> Value {
    json!({"name": name, "ph": "I", "s": "t", "cat": "devtools.timeline", "pid": 1, "tid": 1, "ts": ts, "args": {"data": data}})
}

fn slice(name: &str, ts: i64, dur: i64) -> Value {
    json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": 1, "tid": 1, "ts": ts, "dur": dur})
}

/// A browser trace of one millisecond: a request from 100 to 300, an entry named after a time stamp, a CPU profile,
/// notes.
pub(crate) fn trace() -> Value {
    let nodes = json!([{"id": 1, "callFrame": {"functionName": "(root)", "scriptId": 0}},
        {"id": 2, "parent": 1, "callFrame": {"functionName": "foo", "scriptId": 1, "url": "u"}}]);
    let chunk = json!({"cpuProfile": {"nodes": nodes, "samples": [2, 2, 2]}, "timeDeltas": [455, 5, 5]});
    let profile = |name: &str, ts: i64, data: &Value| json!({"ph": "P", "name": name, "id": "0x1", "ts": ts, "pid": 1, "tid": 1, "cat": "x", "args": {"data": data}});
    json!({
        "traceEvents": [
            event("TracingStartedInBrowser", 1, &json!({})),
            profile("Profile", 5, &json!({"startTime": 5})),
            slice("first", 2, 3),
            event("ResourceSendRequest", 100, &json!({"requestId": "1", "url": "http://a/x", "requestMethod": "GET"})),
            event("TimeStamp", 150, &json!({"name": "begun"})),
            event("ResourceReceiveResponse", 200, &json!({"requestId": "1", "statusCode": 200, "mimeType": "text/html"})),
            event("ResourceFinish", 300, &json!({"requestId": "1", "didFail": false, "encodedDataLength": 5})),
            event("TimeStamp", 350, &json!({"name": "measured", "start": "begun", "track": "Mine"})),
            slice("RunTask", 450, 40),
            slice("Unknown", 452, 30),
            slice("FunctionCall", 454, 20),
            profile("ProfileChunk", 6, &chunk),
            slice("last", 990, 10),
        ],
        "metadata": {"other": [1.50], "modifications": {
            "entriesModifications": {"hiddenEntries": ["r-9", "r-12"], "expandableEntries": ["r-8"]},
            "initialBreadcrumb": {"window": {"min": 1, "max": 1000, "range": 999}, "child": null},
            "annotations": {
                "entryLabels": [{"entry": "r-10", "label": "a call"}, {"entry": "s-3", "label": "a request"}],
                "labelledTimeRanges": [{"bounds": {"min": 10, "max": 20, "range": 10}, "label": "a range"}],
                "linksBetweenEntries": [{"entryFrom": "r-8", "entryTo": "r-10"}],
            },
        }},
    })
}

/// Lines of a dump without marker numbers, which differ in a part.
fn dump(program: &Program, file: &str, what: &[&str]) -> Vec<Value> {
    let mut lines = program.lines(&[&["dump", file], what].concat());
    for line in &mut lines {
        strip(line);
    }
    lines
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, _| !["marker", "markers", "key", "from_marker", "to_marker"].contains(&key.as_str()));
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn requests_and_entries_stay_complete_in_a_part() {
    let program = Program::new("cut-answers");
    let whole = program.file("whole.json", trace().to_string());
    let part = program.path("part.json");
    for range in ["0.05..0.15", "0.18..0.22", "0.25..0.28", "0.29..0.36"] {
        program.good(&["cut", &whole, "--range", range, "-o", &part]);
        let request = dump(&program, &whole, &["network"]);
        assert_eq!((request.len(), &request[0]["outcome"]), (1, &json!("finished")), "{request:?}");
        assert_eq!(dump(&program, &part, &["network"]), request, "{range}");
    }
    program.good(&["cut", &whole, "--search", "name:measured, TimeStamp -begun", "-o", &part]);
    let entries = dump(&program, &whole, &["customtracks"]);
    assert!(!entries.is_empty(), "an entry of 200 us");
    assert_eq!(dump(&program, &part, &["customtracks"]), entries);
    program.good(&["cut", &whole, "--range", "0.6..0.7", "-o", &part]);
    assert_eq!(dump(&program, &part, &["network"]), Vec::<Value>::new(), "requests outside the range are dropped");
}

#[test]
fn call_trees_and_notes_match_the_whole() {
    let program = Program::new("cut-notes");
    let whole = program.file("whole.json", trace().to_string());
    let part = program.path("part.json");
    program.good(&["cut", &whole, "--range", "0.44..0.6", "-o", &part]);
    let tree = |file: &str| dump(&program, file, &["calltree", "--thread", "0", "--range", "0.44..0.6"]);
    assert!(!tree(&whole).is_empty());
    assert_eq!(tree(&part), tree(&whole));

    let notes = |file: &str| dump(&program, file, &["annotations"]);
    let (all, kept) = (notes(&whole), notes(&part));
    assert!(all.len() > 6, "{all:?}");
    let omitted: Vec<&Value> = all.iter().filter(|note| !kept.contains(note)).collect();
    assert_eq!(omitted.len(), 1, "the request: {omitted:?}");
    assert!(omitted[0].to_string().contains("a request"), "{omitted:?}");
    assert!(kept.iter().all(|note| all.contains(note)), "no other notes are kept: {kept:?}");
    let text: Value = serde_json::from_slice(&std::fs::read(&part).expect("a file")).expect("JSON");
    assert_eq!(text["metadata"]["other"], json!([1.5]));
    let twice = program.path("twice.json");
    program.good(&["cut", &part, "--range", "0.44..0.6", "-o", &twice]);
    assert!(
        std::fs::read(&twice).expect("a file") == std::fs::read(&part).expect("a file"),
        "cutting again changes nothing"
    );
}

#[test]
fn counter_levels_match_the_whole() {
    let program = Program::new("cut-levels");
    for format in FORMATS {
        let whole = program.synthetic("whole.json", format, 20_000, 4);
        let length = program.object(&["info", &whole, "--json"])["duration_ns"].as_i64().expect("a length");
        let range = format!("{}ns..{}ns", length / 2, length / 3 * 2);
        let part = program.path("part.json");
        program.good(&["cut", &whole, "--range", &range, "-o", &part]);
        let levels = |file: &str| program.good(&["stats", file, "--of", "counters", "--range", &range, "--json"]);
        assert_eq!(levels(&part), levels(&whole), "{format:?}");
    }
}

/// A processed profile with one thread, sampled from 0 to 20 ms.
fn profile(markers: &Value) -> String {
    let fields = json!([{"key": "flow", "format": "flow-id"}, {"key": "g", "format": "flow-id"}]);
    json!({
        "meta": {"interval": 1, "startTime": 0, "preprocessedProfileVersion": 60, "version": 30, "product": "Firefox",
            "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}],
            "markerSchema": [{"name": "FM", "display": ["marker-chart"], "fields": fields}]},
        "libs": [],
        "shared": {"stringArray": ["A", "B", "f1", "f2"], "stackTable": {"frame": [], "prefix": [], "length": 0},
            "frameTable": {"length": 0, "func": []}, "funcTable": {"length": 0, "name": []},
            "resourceTable": {"length": 0}, "nativeSymbols": {"length": 0}},
        "threads": [{"processType": "default", "processName": "Main", "pid": "1", "tid": 1, "name": "GeckoMain",
            "isMainThread": true, "registerTime": 0, "unregisterTime": null,
            "samples": {"stack": [null, null], "time": [0, 20], "length": 2, "weight": null, "weightType": "samples"},
            "markers": markers}],
    })
    .to_string()
}

#[test]
fn an_end_closes_a_start_that_shares_any_flow() {
    let program = Program::new("pairs");
    let markers = json!({"name": [0, 0, 0, 0], "startTime": [1, 2, null, null], "endTime": [null, null, 3, 4],
        "phase": [2, 2, 3, 3], "category": [0, 0, 0, 0], "length": 4,
        "data": [{"type": "FM", "flow": 2, "g": 3}, {"x": 1}, {"type": "FM", "flow": 3}, {"type": "FM", "flow": 2}]});
    let times = |file: &str| -> Vec<(i64, i64)> {
        let ms = |time: &Value| time.as_i64().expect("a time") / 1_000_000;
        let lines = program.lines(&["dump", file, "markers"]);
        lines.iter().map(|line| (ms(&line["start_ns"]), ms(&line["end_ns"]))).collect()
    };
    assert_eq!(times(&program.file("second.json", profile(&markers))), [(1, 3), (2, 4)]);
    // The second field of the end names the flow, in a list that only the slower reader supports.
    let markers = json!({"name": [0, 0, 0, 0], "startTime": [1, 2, null, null], "endTime": [null, null, 3, 4],
        "phase": [2, 2, 3, 3], "category": [0, 0, 0, 0], "length": 4,
        "data": [{"type": "FM", "g": 3}, {"x": 1}, {"type": "FM", "flow": 2, "g": [null, 3]}, {"y": 1}]});
    assert_eq!(times(&program.file("list.json", profile(&markers))), [(1, 3), (2, 4)]);
}

#[test]
fn a_range_may_contain_markers_only() {
    let program = Program::new("cut-late");
    let markers = json!({"name": [0, 1], "startTime": [5, 30], "endTime": [40, 31], "phase": [1, 1], "category": [0, 0],
        "length": 2, "data": [null, null]});
    let (whole, part) = (program.file("whole.json", profile(&markers)), program.path("part.json"));
    program.good(&["cut", &whole, "--range", "29..32", "-o", &part]);
    assert_eq!(dump(&program, &part, &["markers"]), dump(&program, &whole, &["markers"]));
    let message = program.refused(&["cut", &whole, "--range", "50..60", "-o", &part]);
    assert!(message.contains("--range is outside the recording"), "{message}");
}
