//! `dump path`: to the end of a marker or a flow, or to a time; invalid ends.

use serde_json::Value;

use crate::support::example;
use crate::support::program::Program;

fn total(lines: &[Value]) -> i64 {
    let length = |line: &Value| line["end_ns"].as_i64().expect("a time") - line["start_ns"].as_i64().expect("a time");
    lines.iter().map(length).sum()
}

#[test]
fn a_path_ends_at_a_marker_a_flow_or_a_time() {
    let program = Program::new("paths");
    let index = example();
    let (profile, graph) = (index.profile(), index.flows());
    let flow = graph.iter().max_by_key(|flow| graph.members(*flow).len()).expect("a flow");
    let last = graph.last_to_end(flow).expect("a marker");
    let of_flow =
        program.lines(&["dump", "example", "path", "--to", &format!("flow:{}", graph.id_text(profile, flow))]);
    let of_marker = program.lines(&["dump", "example", "path", "--marker", &last.0.to_string()]);
    assert_eq!(of_flow, of_marker, "the path to a flow equals the path to its last marker");
    assert!(of_flow.len() > 3);

    let end = of_flow.last().expect("a segment")["end_ns"].as_i64().expect("a time");
    let start = of_flow[0]["start_ns"].as_i64().expect("a time");
    assert_eq!(total(&of_flow), end - start, "segments have no gaps");
    let network = of_flow.iter().filter(|line| line["kind"] == "network");
    for line in network {
        let phases = line["phases"].as_object().expect("request phases");
        let sum: i64 = phases.values().filter_map(Value::as_i64).sum();
        assert!(!phases.is_empty() && sum <= total(std::slice::from_ref(line)), "{line}");
    }

    // A time covered by a marker.
    let middle = end - profile.time_zero().0 - 1;
    #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
    let at = format!("at:{}", middle as f64 / 1e6);
    let to_time = program.lines(&["dump", "example", "path", "--to", &at]);
    assert_eq!(to_time.last().expect("a segment")["end_ns"].as_i64(), Some(end - 1));
}

#[test]
fn invalid_ends_are_explained() {
    let program = Program::new("paths");
    for (arguments, part) in [
        (vec!["dump", "example", "path"], "--marker N or --to END"),
        (vec!["dump", "example", "path", "--marker", "999999"], "the recording has"),
        (vec!["dump", "example", "path", "--to", "flow:nope"], "no such flow"),
        (vec!["dump", "example", "path", "--to", "soon"], "flow:ID;T"),
        (vec!["dump", "example", "path", "--to", "at:0"], "no activity at this time"),
    ] {
        let outcome = program.run(&arguments);
        assert!(matches!(outcome.status, Some(1 | 2)) && outcome.out.is_empty(), "{arguments:?}: {outcome:?}");
        assert!(outcome.err.contains(part), "{arguments:?}: {}", outcome.err);
    }
}
