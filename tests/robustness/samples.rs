//! Damaged samples and stacks: every cut, flipped bytes and wrong types leave a consistent profile.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::damage::exercise;
use crate::recording::text;

/// A thread object with one sample, as in payloads of raw profiles.
fn taken(stack: u32) -> Value {
    json!({"name": "", "samples": {"schema": {"stack": 0, "time": 1}, "data": [[stack, 1.5]]}, "tid": 2})
}

fn meta() -> Value {
    let category = |name: &str, color: &str| json!({"name": name, "color": color, "subcategories": ["Other", "More"]});
    json!({
        "version": 34, "interval": 1, "startTime": 1000.0, "sampleUnits": {"threadCPUDelta": "ns"},
        "categories": [category("Idle", "transparent"), category("Other", "grey")],
    })
}

fn raw() -> Value {
    let markers = json!([
        [4, 1, 0, 0, 1, {"type": "T", "stack": taken(2)}],
        [4, 2, 0, 0, 1, {"type": "JS allocation", "size": 8, "stack": taken(1)}],
        [4, 2, 0, 0, 1, {"type": "Native allocation", "size": -8, "memoryAddress": 4096}],
    ]);
    let thread = json!({
        "name": "T", "pid": 1, "tid": 2,
        "samples": {"schema": {"stack": 0, "time": 1, "eventDelay": 2, "threadCPUDelta": 3}, "data": [[2, 1.5, 0, 64], [null, 2], [1, 3]]},
        "markers": {"schema": {"name": 0, "startTime": 1, "endTime": 2, "phase": 3, "category": 4, "data": 5}, "data": markers},
        "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1], [1, 2]]},
        "frameTable": {
            "schema": {"location": 0, "relevantForJS": 1, "innerWindowID": 2, "implementation": 3, "line": 4, "column": 5, "category": 6, "subcategory": 7},
            "data": [[0, false, 0, null, null, null, 1, 1], [1, true], [2, false, 0, null, 7, 9]],
        },
        "stringTable": ["(root)", "0x1010", "f (http://x/a.js:1:2)[0]", "lib (in libxul.so)", "Mark"],
    });
    let libs = json!([{"start": 4096, "end": 8192, "offset": 0, "name": "libfoo.so"}]);
    let sources = json!({"schema": {"id": 0, "filename": 1}, "data": [["id", "http://x/a.js"]]});
    json!({"meta": meta(), "libs": libs, "sources": sources, "threads": [thread], "processes": []})
}

fn processed() -> Value {
    let mut profile = json!({"meta": meta(), "libs": [{"name": "lib.so"}]});
    profile["meta"]["preprocessedProfileVersion"] = json!(70);
    profile["shared"] = json!({
        "stringArray": ["root", "f", "x.js", "lib.so", "Mark"],
        "stackTable": {"frame": [0, 1, 2], "prefixOffset": [0, 1, 1], "length": 3},
        "frameTable": {
            "address": [-1, 16, -1], "inlineDepth": [0, 1, 0], "category": [1, null, 1], "subcategory": [0, null, 1], "func": [0, 1, 1],
            "nativeSymbol": [null, 0, null], "line": [null, null, 8], "column": [null, null, null], "originalLocation": [null, 0, null], "length": 3,
        },
        "funcTable": {
            "name": [0, 1], "isJS": [false, true], "relevantForJS": [true, false], "resource": [-1, 0], "source": [null, 0],
            "lineNumber": [null, 5], "columnNumber": [null, 6], "originalLocation": [null, null], "length": 2,
        },
        "resourceTable": {"name": [3], "type": [1], "length": 1},
        "nativeSymbols": {"libIndex": [0], "address": [12], "name": [1], "length": 1},
        "sources": {"id": [null], "filename": [2], "length": 1},
        "sourceLocationTable": {"source": [0], "line": [1], "column": [2], "length": 1},
    });
    profile["threads"] = json!([{
        "name": "T", "pid": "1", "tid": 2,
        "samples": {"stack": [2, null, 1], "timeDeltas": [1.5, 0.5, 1], "weight": [1, 2, 3], "weightType": "samples", "threadCPUDelta": [64, null, 5]},
        "jsAllocations": {"time": [1], "weight": [8], "weightType": "bytes", "stack": [0]},
        "nativeAllocations": {"time": [1], "weight": [-8], "weightType": "bytes", "stack": [null], "memoryAddress": [4096]},
        "markers": {
            "name": [4], "startTime": [1], "endTime": [null], "phase": [0], "category": [1],
            "data": [{"type": "T", "cause": {"tid": 2, "time": 1.5, "stack": 2}}],
        },
    }]);
    profile
}

fn forms() -> [Vec<u8>; 2] {
    [raw(), processed()].map(|profile| text(&profile).into_bytes())
}

#[test]
fn intact_forms_have_no_warnings_and_any_cut_stays_consistent() {
    for bytes in forms() {
        let whole = exercise(bytes.clone()).expect("readable");
        assert!(whole.warnings.list().is_empty(), "{:?}", whole.warnings.list());
        let samples = whole.threads[0].samples.as_ref().expect("samples");
        let counts = [&samples.cpu, &samples.js_allocations, &samples.native_allocations].map(|table| table.len());
        assert_eq!((counts, samples.marker_stacks.marker.len()), ([3, 1, 1], 1));
        for cut in 0..bytes.len() {
            let _ = exercise(bytes[..cut].to_vec());
        }
    }
}

/// JSON pointers of all values below the top level.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    let mut below = |key: &str, inner: &Value| {
        let place = format!("{at}/{key}");
        places(inner, &place, all);
        all.push(place);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, inner)| below(key, inner)),
        Value::Array(items) => items.iter().enumerate().for_each(|(index, inner)| below(&index.to_string(), inner)),
        _ => {}
    }
}

#[test]
fn wrong_values_anywhere_stay_consistent() {
    for whole in [raw(), processed()] {
        let mut all = Vec::new();
        places(&whole, "", &mut all);
        for place in all.iter().filter(|place| !place.starts_with("/meta") || place.contains("sampleUnits")) {
            for wrong in [json!(null), json!("x"), json!({}), json!([[-1]]), json!(4_294_967_294_u64), json!(-1e300)] {
                let mut profile = whole.clone();
                *profile.pointer_mut(place).expect("a place") = wrong;
                let _ = exercise(text(&profile).into_bytes());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn flipped_bytes_stay_consistent(
        flips in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}\",:0-9e.nN\\-]"), 1..6),
        form in 0_usize..2,
    ) {
        let mut bytes = forms()[form].clone();
        for (at, byte) in flips {
            let at = at.index(bytes.len());
            bytes[at] = byte.as_bytes()[0];
        }
        let _ = exercise(bytes);
    }

    #[test]
    fn arbitrary_callers_and_frames_stay_consistent(
        stacks in prop::collection::vec((0_u32..12, 0_u32..6), 0..12),
        samples in prop::collection::vec((0_u32..14, -3.0_f64..9.0), 0..12),
    ) {
        let mut profile = raw();
        profile["threads"][0]["stackTable"]["data"] = stacks.iter().map(|(caller, frame)| json!([caller, frame])).collect();
        profile["threads"][0]["samples"]["data"] = samples.iter().map(|(stack, time)| json!([stack, time])).collect();
        let read = exercise(text(&profile).into_bytes()).expect("readable");
        let count = read.threads[0].samples.as_ref().map_or(0, |samples| samples.cpu.len());
        prop_assert_eq!(count, samples.len());
        let circles = stacks.iter().zip(0_u32..).any(|((caller, _), own)| *caller == own);
        let warned = read.warnings.list().iter().any(|warning| warning.kind.name() == "stack_order");
        prop_assert!(warned || !circles);
    }
}
