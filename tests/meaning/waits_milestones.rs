//! Critical paths to milestones of page loads: they start from what completed the milestone.

use flowline::index::waits::is_milestone;
use serde_json::json;

use crate::recording::flows::span;
use crate::waits::{PUT, firefox, listed, marker, path_to, post, task, trace, work};

/// A request, as a row of a Firefox profile with all its phases.
fn request(start: f64, end: f64) -> Vec<crate::recording::Row> {
    let times = json!({"type": "Network", "id": 3, "URI": "http://a.test/a.png", "requestMethod": "GET"});
    let row = |status: &str, from: f64, to: f64, more: serde_json::Value| {
        let mut data = times.clone();
        data["status"] = json!(status);
        (data["startTime"], data["endTime"]) = (json!(from), json!(to));
        for (key, value) in more.as_object().expect("members") {
            data[key] = value.clone();
        }
        crate::recording::interval("Load 3: http://a.test/a.png", from, to).with(data)
    };
    let phases = json!({"requestStart": start + 10.0, "responseStart": start + 20.0, "responseEnd": end});
    vec![row("STATUS_START", start, start + 1.0, json!({})), row("STATUS_STOP", start + 1.0, end, phases)]
}

#[test]
fn a_load_span_is_no_work_and_waits_for_its_last_request() {
    let mut rows = vec![span("DocumentLoad", 90.0, 510.0, "Text", json!({"name": "loaded"}))];
    rows.extend(request(95.0, 500.0));
    rows.push(work("Earlier", 0.0, 1.0));
    let index = firefox(vec![rows]);
    assert!(is_milestone(index.profile(), marker(&index, "DocumentLoad")));
    let request = "Load 3: http://a.test/a.png";
    assert_eq!(
        path_to(&index, "DocumentLoad"),
        listed(&[
            ("unknown", "DocumentLoad", 90_000, 95_000),
            ("wait", request, 95_000, 105_000),
            ("network", request, 105_000, 500_000),
            ("unknown", "DocumentLoad", 500_000, 510_000),
        ])
    );
}

#[test]
fn the_task_that_fired_the_load_event_completes_a_load() {
    let mut rows = vec![span("DocumentLoad", 90.0, 510.0, "Text", json!({"name": "loaded"}))];
    rows.extend(request(95.0, 400.0));
    rows.extend([work("Earlier", 0.0, 1.0), work("Fire", 505.0, 520.0)]);
    let path = path_to(&firefox(vec![rows]), "DocumentLoad");
    let request = "Load 3: http://a.test/a.png";
    assert_eq!(
        path[2..],
        listed(&[
            ("network", request, 105_000, 400_000),
            ("wait", "Fire", 400_000, 505_000),
            ("run", "Fire", 505_000, 510_000)
        ])
    );
    // A task whose posting is recorded continues with that.
    let rows = vec![
        vec![span("DocumentLoad", 90.0, 510.0, "Text", json!({"name": "loaded"})), task("Runnable", 505.0, 520.0, 1)],
        vec![work("Poster", 50.0, 420.0), post(PUT, 410.0, 1)],
    ];
    let path = path_to(&firefox(rows), "DocumentLoad");
    let expected = [
        ("run", "Poster", 50_000, 410_000),
        ("wait", "Runnable", 410_000, 505_000),
        ("run", "Runnable", 505_000, 510_000),
    ];
    assert_eq!(path[path.len() - 3..], listed(&expected));
}

#[test]
fn a_milestone_without_a_recorded_cause_says_so() {
    let index = firefox(vec![vec![work("Earlier", 0.0, 1.0), span("DocumentLoad", 90.0, 510.0, "Text", json!({}))]]);
    assert_eq!(path_to(&index, "DocumentLoad"), listed(&[("unknown", "DocumentLoad", 90_000, 510_000)]));
    let index = trace(
        r#"{"ph":"X","name":"other","pid":1,"tid":1,"ts":0,"dur":500},
        {"ph":"I","s":"t","cat":"loading","name":"firstContentfulPaint","pid":1,"tid":1,"ts":300}"#,
    );
    assert_eq!(path_to(&index, "firstContentfulPaint"), listed(&[("unknown", "firstContentfulPaint", 300, 300)]));
}

#[test]
fn a_paint_milestone_starts_from_its_frame_and_not_from_the_task_at_its_time() {
    let events = r#"{"ph":"X","name":"RunTask","pid":1,"tid":1,"ts":0,"dur":100},
        {"ph":"X","name":"Commit","pid":1,"tid":1,"ts":80,"dur":10},
        {"ph":"X","name":"Unrelated","pid":1,"tid":1,"ts":150,"dur":300},
        {"ph":"X","name":"Commit","pid":1,"tid":1,"ts":290,"dur":5},
        {"ph":"I","s":"t","cat":"loading","name":"largestContentfulPaint::Candidate","pid":1,"tid":1,"ts":300}"#;
    let mark = "largestContentfulPaint::Candidate";
    let frame = [("run", "RunTask", 0, 80), ("run", "Commit", 80, 90), ("wait", mark, 90, 300)];
    let drawn = format!(r#"{events},{{"ph":"I","s":"t","name":"DrawFrame","pid":1,"tid":2,"ts":120}}"#);
    let path = path_to(&trace(&drawn), mark);
    assert_eq!(path[path.len() - 3..], listed(&frame), "the frame drawn last");
    let path = path_to(&trace(events), mark);
    assert_eq!(
        path[path.len() - 1],
        listed(&[("wait", mark, 295, 300)])[0],
        "the last frame, if drawing is not recorded"
    );
}

#[test]
fn a_first_paint_of_firefox_ends_in_its_refresh() {
    let index = firefox(vec![vec![
        span("FirstContentfulPaint", 10.0, 95.0, "Text", json!({})),
        work("RefreshDriverTick", 80.0, 100.0),
        work("Other", 30.0, 40.0),
    ]]);
    let path = path_to(&index, "FirstContentfulPaint");
    assert_eq!(
        path,
        listed(&[("unknown", "FirstContentfulPaint", 10_000, 80_000), ("run", "RefreshDriverTick", 80_000, 95_000)])
    );
}
