//! Insights: `dump insights`.

use serde_json::{Value, json};

use crate::keys;
use crate::support::program::Program;

/// A page that loads, with one long task before its first paint.
fn page() -> Value {
    let event = |name: &str, phase: &str, us: i64, args: Value| json!({"name": name, "ph": phase, "cat": "loading,devtools.timeline", "pid": 7, "tid": 7, "ts": us, "args": args});
    let mut task = event("RunTask", "X", 120_000, json!({}));
    task["dur"] = json!(180_000);
    json!({"traceEvents": [
        event("TracingStartedInBrowser", "I", 10_000, json!({"data": {"frames": [{"frame": "MAIN", "url": "http://a.test/",
            "processId": 7, "isOutermostMainFrame": true, "isInPrimaryMainFrame": true}]}})),
        event("navigationStart", "R", 100_000,
            json!({"frame": "MAIN", "data": {"navigationId": "one", "documentLoaderURL": "http://a.test/"}})),
        task,
        event("firstContentfulPaint", "I", 400_000, json!({"frame": "MAIN", "data": {"navigationId": "one"}})),
    ]})
}

#[test]
fn dumped_insights_have_their_keys_and_refer_to_markers() {
    let program = Program::new("insights");
    let file = program.file("page.json", page().to_string());
    let lines = program.lines(&["dump", &file, "insights"]);
    for line in &lines {
        let expected = [
            "data",
            "insight",
            "late",
            "markers",
            "navigation",
            "pid",
            "range_ns",
            "state",
            "summary",
            "unknown",
            "window",
        ];
        let mut found = keys(line);
        found.sort_unstable();
        assert_eq!(found, expected);
    }
    let tasks = lines.iter().find(|line| line["insight"] == "LongTasks" && line["navigation"] == 0).expect("the rule");
    assert_eq!((&tasks["state"], &tasks["unknown"]), (&json!("informative"), &Value::Null));
    assert_eq!(tasks["range_ns"], json!([120_000_000, 300_000_000]));
    assert_eq!((&tasks["data"]["count"], &tasks["data"]["longest_ns"]), (&json!(1), &json!(180_000_000)));
    let markers = program.lines(&["dump", &file, "markers", "--search", "name:RunTask"]);
    assert_eq!((&tasks["markers"], &tasks["late"]), (&json!([markers[0]["marker"]]), &markers[0]["marker"]));
    let found = program.lines(&["dump", &file, "insights", "--search", "name:RunTask"]);
    assert!(found.iter().any(|line| line == tasks), "{found:?}");
    assert_eq!(program.good(&["dump", &file, "insights", "--search", "name:\"no such name\""]), "");
}
