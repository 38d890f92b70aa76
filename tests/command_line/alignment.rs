//! `compare --align`: the range of B is that of A at the aligned times.

use serde_json::{Value, json};

use crate::support::program::Program;

/// A page load. All times are in milliseconds: of the first event, of the navigation and of its first contentful paint.
fn page(start: i64, navigation: i64, paint: i64) -> String {
    let event = |name: &str, phase: &str, ms: i64, args: Value| json!({"name": name, "ph": phase, "dur": 1000, "cat": "loading,devtools.timeline", "pid": 7, "tid": 7, "ts": ms * 1000, "args": args});
    let slice = |name: &str, ms: i64| event(name, "X", ms, json!({}));
    json!({"traceEvents": [
        slice("first", start),
        event("TracingStartedInBrowser", "I", start + 1, json!({"data": {"frames": [{"frame": "MAIN", "url": "http://a.test/",
            "processId": 7, "isOutermostMainFrame": true, "isInPrimaryMainFrame": true}]}})),
        event("navigationStart", "R", navigation,
            json!({"frame": "MAIN", "data": {"navigationId": "one", "documentLoaderURL": "http://a.test/"}})),
        slice("after the navigation", navigation + 5),
        event("firstContentfulPaint", "I", paint, json!({"frame": "MAIN", "data": {"navigationId": "one"}})),
        slice("after the paint", paint + 5),
        slice("at the same time", 2000),
    ]})
    .to_string()
}

/// The number of the marker with a name.
fn number(program: &Program, file: &str, name: &str) -> String {
    program.lines(&["dump", file, "markers", "--search", &format!("name:={name:?}")])[0]["marker"].to_string()
}

#[test]
fn the_range_of_the_other_recording_is_at_the_aligned_times() {
    let program = Program::new("alignment");
    let a = program.file("a.json", page(0, 100, 400));
    let b = program.file("b.json", page(50, 300, 900));
    let markers =
        format!("marker:{},{}", number(&program, &a, "after the paint"), number(&program, &b, "after the paint"));
    // The displayed clocks are zero at the first events.
    let [navigation, paint, same] = ["103..107", "403..407", "1999..2002"];
    for (align, range, expected) in [
        (None, navigation, ("after the navigation", "vanished")),
        (Some("start"), navigation, ("after the navigation", "vanished")),
        (Some("navigation"), navigation, ("after the navigation", "both")),
        (Some("fcp"), navigation, ("after the navigation", "vanished")),
        (Some("FCP"), paint, ("after the paint", "both")),
        (Some("navigation"), paint, ("after the paint", "vanished")),
        (Some(&markers), paint, ("after the paint", "both")),
        (Some("search:name:\"after the paint\""), paint, ("after the paint", "both")),
        (Some("time:105,255"), navigation, ("after the navigation", "both")),
        (Some("offset:-150"), navigation, ("after the navigation", "both")),
        (Some("zero"), same, ("at the same time", "both")),
        (Some("start"), same, ("at the same time", "vanished")),
    ] {
        let options = align.map_or_else(Vec::new, |align| vec!["--align", align]);
        let lines = program.lines(&[&["compare", &a, &b, "--json", "--range", range][..], &options].concat());
        let found: Vec<(&str, &str)> = lines
            .iter()
            .map(|line| (line["name"].as_str().expect("a name"), line["status"].as_str().expect("a status")))
            .collect();
        assert_eq!(found, [expected], "{align:?} {range}");
    }
}

#[test]
fn an_alignment_that_is_not_there_is_refused() {
    let program = Program::new("alignment-refused");
    let a = program.file("a.json", page(0, 100, 400));
    let b = program.file("b.json", r#"[{"name":"only","ph":"X","pid":1,"tid":1,"ts":1,"dur":2}]"#);
    for (align, expected) in [
        ("FCP", "recording B shows no page load with this milestone: FCP"),
        ("search:name:first", "recording B has no marker that matches"),
        ("marker:0,9", "recording B has no marker 9"),
    ] {
        let message = program.refused(&["compare", &a, &b, "--range", "0..9", "--align", align]);
        assert!(message.contains(expected), "{message}");
    }
    for options in [&["--align", "TBT", "--range", "0..9"][..], &["--align", "FCP"]] {
        assert_eq!(program.run([&["compare", &a, &b][..], options].concat()).status, Some(2), "{options:?}");
    }
}
