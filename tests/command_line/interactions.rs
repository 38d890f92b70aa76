//! `flowline dump interactions` and `layout-shifts`.

use serde_json::{Value, json};

use crate::keys;
use crate::support::program::Program;

/// A click with its nested `pointerdown`, and two shifts, one of them after the input.
const TRACE: &str = r#"{"traceEvents":[
{"ph":"b","name":"EventTiming","cat":"devtools.timeline","id":"0x1","pid":7,"tid":7,"ts":100000,"args":{"data":{"type":"pointerdown","interactionId":5,"timeStamp":50,"processingStart":60,"processingEnd":70,"duration":250,"frame":"F"}}},
{"ph":"b","name":"EventTiming","cat":"devtools.timeline","id":"0x2","pid":7,"tid":7,"ts":105000,"args":{"data":{"type":"click","interactionId":5,"timeStamp":55,"processingStart":70,"processingEnd":200,"duration":245,"frame":"F"}}},
{"ph":"e","name":"EventTiming","cat":"devtools.timeline","id":"0x2","pid":7,"tid":7,"ts":350000},
{"ph":"e","name":"EventTiming","cat":"devtools.timeline","id":"0x1","pid":7,"tid":7,"ts":350000},
{"ph":"I","name":"LayoutShift","cat":"loading","s":"t","pid":7,"tid":7,"ts":360000,"args":{"frame":"F","data":{"weighted_score_delta":0.5,"had_recent_input":true}}},
{"ph":"I","name":"LayoutShift","cat":"loading","s":"t","pid":7,"tid":7,"ts":900000,"args":{"frame":"F","data":{"weighted_score_delta":0.125,"had_recent_input":false,"impacted_nodes":[{"debug_name":"P","old_rect":[1,2,3,4],"new_rect":[1,5,3,4]}]}}}]}"#;

#[test]
fn interactions_have_every_key() {
    let program = Program::new("interactions");
    let file = program.file("trace.json", TRACE);
    let lines = program.lines(&["dump", &file, "interactions"]);
    assert_eq!(lines.len(), 2);
    let expected = [
        "category",
        "committed_ns",
        "end_ns",
        "events",
        "frame",
        "input_delay_ns",
        "interaction",
        "interaction_id",
        "long",
        "marker",
        "markers",
        "navigation",
        "nested",
        "pid",
        "presentation_ns",
        "presented_by",
        "press",
        "processing_end_ns",
        "processing_ns",
        "processing_start_ns",
        "queued_ns",
        "start_ns",
        "thread",
        "type",
        "window",
    ];
    for line in &lines {
        assert_eq!(keys(line), expected);
    }
    let first = &lines[0];
    for (key, value) in [
        ("type", json!("pointerdown")),
        ("category", json!("pointer")),
        ("interaction_id", json!(5)),
        ("start_ns", json!(100_000_000)),
        ("processing_start_ns", json!(110_000_000)),
        ("processing_end_ns", json!(250_000_000)),
        ("end_ns", json!(350_000_000)),
        ("presentation_ns", json!(100_000_000)),
        ("long", json!(true)),
        ("nested", json!(false)),
        ("frame", json!("F")),
        ("pid", json!("7")),
        ("press", Value::Null),
    ] {
        assert_eq!(first[key], value, "{key}");
    }
    assert_eq!((&lines[1]["type"], &lines[1]["nested"]), (&json!("click"), &json!(true)));
    let markers = program.lines(&["dump", &file, "markers"]);
    let own = markers.iter().find(|marker| marker["marker"] == first["marker"]).expect("a marker");
    assert_eq!((&own["name"], &own["start_ns"]), (&json!("EventTiming"), &first["start_ns"]));
    assert_eq!(program.lines(&["dump", &file, "interactions", "--search", "LayoutShift"]).len(), 0);
}

#[test]
fn layout_shifts_follow_their_clusters() {
    let program = Program::new("interactions");
    let file = program.file("trace.json", TRACE);
    let lines = program.lines(&["dump", &file, "layout-shifts"]);
    let kinds: Vec<&Value> = lines.iter().map(|line| &line["kind"]).collect();
    assert_eq!(kinds, ["shift", "cluster", "shift"]);
    let shift = ["cluster", "frame", "input", "kind", "marker", "navigation", "nodes", "pid", "score", "t_ns"];
    assert_eq!(keys(&lines[0]), shift);
    let cluster = ["cluster", "end_ns", "kind", "navigation", "rating", "score", "shifts", "start_ns", "worst"];
    assert_eq!(keys(&lines[1]), cluster);
    assert_eq!((&lines[0]["cluster"], &lines[0]["input"]), (&Value::Null, &json!(true)));
    assert_eq!(lines[1]["shifts"], json!([lines[2]["marker"]]));
    assert_eq!((&lines[1]["score"], &lines[1]["rating"]), (&json!(0.125), &json!("needs improvement")));
    assert_eq!(lines[2]["nodes"], json!([{"name": "P", "old": [1.0, 2.0, 3.0, 4.0], "new": [1.0, 5.0, 3.0, 4.0]}]));
}

#[test]
fn firefox_records_no_layout_shifts() {
    let program = Program::new("interactions");
    assert_eq!(program.lines(&["dump", "example", "layout-shifts"]).len(), 0);
}
