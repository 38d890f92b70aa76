//! `annotate`, `dump annotations` and `--notes`.

use serde_json::{Value, json};

use crate::support::program::Program;

const TRACE: &str = r#"{"traceEvents":[{"name":"A","ph":"X","pid":1,"tid":1,"ts":10,"dur":5,"args":{}},
{"name":"B","ph":"X","pid":1,"tid":1,"ts":20,"dur":5,"args":{}}]}"#;

fn notes() -> Value {
    json!({"format": "flowline notes", "version": 1, "notes": [
        {"kind": "label", "text": "slow", "entry": {"name": "B", "start_ns": 20_000, "end_ns": 25_000, "marker": 7,
            "marker_name": "B", "marker_start_ns": 20_000, "pid": "1", "tid": "1"}},
        {"kind": "range", "text": "both", "start_ns": 10_000, "end_ns": 25_000},
        {"kind": "bookmark", "start_ns": 12_000},
        {"kind": "label", "text": "lost", "entry": {"name": "C", "start_ns": 1, "end_ns": 2, "marker": 0,
            "marker_name": "C", "marker_start_ns": 1}},
    ]})
}

#[test]
fn notes_are_written_to_a_copy_of_a_trace_and_read_back() {
    let program = Program::new("notes");
    let (trace, notes) = (program.file("trace.json", TRACE), program.file("a.notes.json", notes().to_string()));
    let copy = program.path("copy.json.gz");
    assert!(program.lines(&["dump", &trace, "annotations"]).is_empty());
    let outcome = program.run(["annotate", &trace, "--notes", &notes, "-o", &copy]);
    assert_eq!(outcome.status, Some(0), "{}", outcome.err);
    assert!(
        outcome.err.contains("missing from this recording") && outcome.err.contains("left out 1 note"),
        "{}",
        outcome.err
    );
    let lines = program.lines(&["dump", &copy, "annotations"]);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(
        (&lines[0]["kind"], &lines[0]["label"], &lines[0]["name"]),
        (&json!("label"), &json!("slow"), &json!("B"))
    );
    assert_eq!((&lines[0]["key"], &lines[0]["start_ns"]), (&json!("r-1"), &json!(20_000)));
    assert_eq!((&lines[1]["start_ns"], &lines[1]["end_ns"]), (&json!(10_000), &json!(25_000)));
    assert_eq!(lines[2], json!({"kind": "bookmark", "label": "", "start_ns": 12_000}));
}

#[test]
fn read_and_write_failures_are_reported() {
    let program = Program::new("bad-notes");
    let trace = program.file("trace.json", TRACE);
    let newer = json!({"format": "flowline notes", "version": 2, "notes": []}).to_string();
    for (text, expected) in
        [("{", "damaged"), ("{}", "not a notes file"), (newer.as_str(), "newer version"), ("[1,2]", "not a notes file")]
    {
        let notes = program.file("bad.notes.json", text);
        let message = program.refused(&["dump", &trace, "annotations", "--notes", &notes]);
        assert!(message.contains(expected) && message.contains("bad.notes.json"), "{message}");
    }
    let mut good = notes();
    good["notes"].as_array_mut().expect("a list").pop();
    let good = program.file("good.notes.json", good.to_string());
    let copy = program.path("none/copy.json");
    program.refused(&["annotate", &trace, "--notes", &good, "-o", &copy]);
    #[cfg(target_os = "linux")]
    program.refused(&["annotate", &trace, "--notes", &good, "-o", "/dev/full"]);
    let lines = program.file("lines.json", "{\"name\":\"B\",\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":20,\"dur\":5}\n");
    let out = program.path("copy.json");
    program.refused(&["annotate", &lines, "--notes", &good, "-o", &out]);
    assert!(!std::path::Path::new(&out).exists(), "no half-written copy");
}
