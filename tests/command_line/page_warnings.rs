//! Damaged events of page loads in `dump warnings` and `info`.

use serde_json::{Value, json};

use crate::support::program::Program;

fn event(name: &str, phase: &str, us: i64, args: Value) -> Value {
    json!({"name": name, "ph": phase, "cat": "loading,devtools.timeline", "pid": 7, "tid": 7, "ts": us, "args": args})
}

/// A page with a navigation.
fn page() -> Vec<Value> {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let navigation = json!({"frame": "MAIN", "data": {"navigationId": "one", "documentLoaderURL": "http://a.test/"}});
    vec![
        event("TracingStartedInBrowser", "I", 10_000, json!({"data": {"frames": frames}})),
        event("navigationStart", "R", 100_000, navigation),
    ]
}

fn paint(us: i64, index: Value) -> Value {
    let args = json!({"frame": "MAIN", "data": {"navigationId": "one", "candidateIndex": index}});
    event("largestContentfulPaint::Candidate", "R", us, args)
}

/// The kinds of damage: the part that it is about, and its events.
fn damages() -> [(&'static str, Vec<Value>); 6] {
    let timing = json!({"type": "click", "interactionId": 5, "timeStamp": 50, "processingStart": 40, "processingEnd": 60,
        "duration": 90});
    let mut halves =
        [event("EventTiming", "b", 300_000, json!({"data": timing})), event("EventTiming", "e", 390_000, json!({}))];
    halves.iter_mut().for_each(|half| half["id"] = json!("0x5"));
    let frame = |args| event("BeginFrame", "I", 500_000, args);
    [
        ("interactions: EventTiming", halves.to_vec()),
        (
            "layout shifts: LayoutShift",
            vec![event("LayoutShift", "I", 400_000, json!({"data": {"weighted_score_delta": "?"}}))],
        ),
        ("milestones: largestContentfulPaint::Candidate", vec![paint(350_000, json!(0))]),
        ("milestones: largestContentfulPaint::Candidate", vec![paint(50_000, json!(1))]),
        ("milestones: firstPaint", vec![event("firstPaint", "R", 90_000, json!({"data": {"navigationId": "one"}}))]),
        (
            "frames: BeginFrame",
            vec![frame(json!({"frameSeqId": 1, "layerTreeId": 2})), frame(json!({"frameSeqId": 2}))],
        ),
    ]
}

#[test]
fn every_damaged_event_of_a_page_load_is_counted() {
    let program = Program::new("page_warnings");
    let write = |damage: Vec<Value>| {
        let events: Vec<Value> = page().into_iter().chain(damage).collect();
        program.file("page.json", json!({"traceEvents": events}).to_string())
    };
    let count = |file: &str| {
        let lines = program.lines(&["dump", file, "warnings"]);
        let own: Vec<Value> = lines.into_iter().filter(|line| line["kind"] == "page_events").collect();
        let info = program.object(&["info", file, "--json"]);
        (own.first().cloned().unwrap_or_default(), info["warnings"].as_u64())
    };
    assert_eq!(count(&write(Vec::new())), (Value::Null, Some(0)));
    // A stage of an operation with the name of an event is no damaged event.
    let mut stage = [event("Commit", "b", 300_000, json!({})), event("Commit", "e", 310_000, json!({}))];
    stage.iter_mut().for_each(|half| half["id"] = json!("0x9"));
    let frame = event("BeginFrame", "I", 500_000, json!({"frameSeqId": 1, "layerTreeId": 2}));
    assert_eq!(count(&write(stage.into_iter().chain([frame]).collect())), (Value::Null, Some(0)));
    for (place, damage) in damages() {
        let file = write(damage);
        let (line, all) = count(&file);
        assert_eq!((&line["count"], all), (&json!(1), Some(1)), "{place}: {line}");
        let first = line["first"].as_str().expect("a place");
        assert!(first.starts_with(place) && first.contains("marker"), "{place}: {first}");
        assert!(program.good(&["info", &file]).contains("1 × page_events"), "{place}");
    }
    let all: Vec<Value> = damages().into_iter().flat_map(|(_, damage)| damage).collect();
    assert_eq!(count(&write(all)).0["count"], 6);
}
