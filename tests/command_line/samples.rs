//! `dump samples`, stacks in `dump markers`, and what `info` counts of them.

use serde_json::{Value, json};

use crate::support::program::Program;

fn recording() -> Value {
    json!({
        "meta": {
            "version": 34, "preprocessedProfileVersion": 70, "interval": 1, "startTime": 1000, "product": "Test",
            "sampleUnits": {"threadCPUDelta": "\u{b5}s"},
            "categories": [{"name": "Other", "color": "grey", "subcategories": ["Other"]}], "markerSchema": [],
        },
        "libs": [],
        "shared": {
            "stringArray": ["main", "", "x.js", "lib.so", "Mark"],
            "stackTable": {"frame": [0, 1, 2], "prefixOffset": [0, 1, 1]},
            "frameTable": {"func": [0, 1, 1], "line": [3, null, 8], "column": [null, null, null], "category": [0, 0, 0]},
            "funcTable": {
                "name": [0, 1], "isJS": [false, true], "relevantForJS": [false, false], "resource": [0, -1], "source": [null, 0],
                "lineNumber": [null, 5], "columnNumber": [null, 6],
            },
            "resourceTable": {"name": [3], "type": [1]},
            "sources": {"id": [null], "filename": [2]},
        },
        "threads": [
            {
                "name": "T", "pid": "1", "tid": 1,
                "samples": {"stack": [1, null, 2], "timeDeltas": [1, 1, 2.5], "weight": [2, 1, 0.5], "threadCPUDelta": [900, 40, null]},
                "jsAllocations": {"time": [1], "weight": [8], "weightType": "bytes", "stack": [0]},
                "markers": {
                    "name": [4, 4], "startTime": [1, 2], "endTime": [null, null], "phase": [0, 0], "category": [0, 0],
                    "data": [{"type": "T", "cause": {"time": 0.5, "stack": 0}}, {"type": "T", "cause": {"stack": 2}}],
                },
            },
            {"name": "U", "pid": "1", "tid": 2, "samples": {"stack": [], "timeDeltas": []}, "markers": {}},
        ],
    })
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn samples_are_counted_and_listed() {
    let program = Program::new("samples");
    let path = program.file("samples.json", recording().to_string().as_bytes());
    let summary = lines(&program.good(&["dump", &path, "samples"]));
    assert_eq!(
        summary,
        [
            json!({
                "thread": 0, "samples": 3, "null_stacks": 1, "first_ns": 1_000_000, "last_ns": 4_500_000, "cpu_ns": 40_000,
                "weight": 3.5, "weight_unit": "samples",
            }),
            json!({
                "thread": 1, "samples": 0, "null_stacks": 0, "first_ns": null, "last_ns": null, "cpu_ns": 0, "weight": 0,
                "weight_unit": "samples",
            }),
        ]
    );
    let main = json!({"name": "main", "file": "lib.so", "line": 3, "column": null});
    let inner = |line: u32| json!({"name": "(anonymous)", "file": "x.js", "line": line, "column": 6});
    let each = lines(&program.good(&["dump", &path, "samples", "--each"]));
    assert_eq!(
        each,
        [
            json!({"thread": 0, "t_ns": 1_000_000, "weight": 2, "cpu_ns": null, "stack": [inner(5), main]}),
            json!({"thread": 0, "t_ns": 2_000_000, "weight": 1, "cpu_ns": 40_000, "stack": null}),
            json!({"thread": 0, "t_ns": 4_500_000, "weight": 0.5, "cpu_ns": null, "stack": [inner(8), inner(5), main]}),
        ]
    );
    let markers = lines(&program.good(&["dump", &path, "markers"]));
    assert_eq!((&markers[0]["stack"], &markers[0]["stack_ns"]), (&json!([main]), &json!(500_000)));
    assert_eq!((&markers[1]["stack"], &markers[1]["stack_ns"]), (&json!([inner(8), inner(5), main]), &Value::Null));
}

#[test]
fn info_counts_samples_and_stacks() {
    let program = Program::new("samples-info");
    let path = program.file("samples.json", recording().to_string().as_bytes());
    let info = program.object(&["info", &path, "--json"]);
    let counts = [
        ("samples", 3),
        ("null_stacks", 1),
        ("js_allocations", 1),
        ("native_allocations", 0),
        ("marker_stacks", 2),
        ("stacks", 3),
        ("functions", 2),
    ];
    for (key, count) in counts {
        assert_eq!(info[key], count, "{key}: {info}");
    }
    assert!(info["memory"]["sample_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{info}");
    let text = program.good(&["info", &path]);
    for line in [
        "samples     3 of 1 thread, 1 without a stack, which no tree shows",
        "allocations 1 (1 of JavaScript, 0 native)",
        "stacks      3 of 2 functions; 2 markers with a stack",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} in {text}");
    }
}
