//! Flows whose markers state what they do: by the words WAIT, EXEC and DONE in their names, or by the key `run` of a rule.

use flowline::index::flows::{FlowRules, RuleMatcher, SegmentKind};
use flowline::index::{Arrangement, FlowGraph, Index, Styles};
use flowline::profile::{FlowId, Profile};
use serde_json::json;

use crate::recording::Row;
use crate::recording::flows::{both, point, recording_of, span};

/// The segments of a flow, in milliseconds from its start.
fn segments(profile: &Profile, graph: &FlowGraph, rules: &RuleMatcher, flow: u32) -> Vec<(SegmentKind, i64, i64)> {
    let start = graph.range(profile, FlowId(flow)).start;
    let ms = |time: flowline::profile::Ns| (time - start).0 / 1_000_000;
    let segments = rules.timeline(profile, graph, FlowId(flow)).segments;
    segments.iter().map(|own| (own.kind, ms(own.range.start), ms(own.range.end))).collect()
}

/// Checks the segments of the only flow of rows on two threads, with the built-in rules and those given.
fn check(threads: [Vec<Row>; 2], rules: &serde_json::Value, expected: &[(SegmentKind, i64, i64)]) {
    for (form, profile, graph) in both(&recording_of(threads.to_vec())) {
        let (rules, messages) = FlowRules::parse(&json!({"rules": rules}).to_string());
        assert!(messages.is_empty(), "{messages:?}");
        let rules = RuleMatcher::new(rules, &profile);
        assert_eq!(segments(&profile, &graph, &rules, 0), expected, "{form}");
    }
}

fn step(name: &str, at: f64) -> Row {
    point(name, at, "Flow", json!({"flow": "7"}))
}

fn during(name: &str, from: f64, to: f64) -> Row {
    span(name, from, to, "Flow", json!({"flow": "7"}))
}

use SegmentKind::{Idle, Run, Wait};

#[test]
fn instants_state_that_a_flow_waits_runs_and_is_over() {
    let name = |state: &str| format!("net::http::transaction {state}");
    let main = vec![step(&name("WAIT"), 10.0)];
    let socket = vec![step(&name("EXEC"), 40.0), step("progress", 60.0), step(&name("DONE"), 90.0)];
    check([main.clone(), socket.clone()], &json!([]), &[(Wait, 0, 30), (Run, 30, 80)]);
    // Without an end, the flow runs to its last marker, and after it nothing happens.
    let open = vec![step(&name("EXEC"), 40.0), step("progress", 60.0)];
    check([main.clone(), open], &json!([]), &[(Wait, 0, 30), (Run, 30, 50)]);
    let reused = vec![step(&name("EXEC"), 40.0), step(&name("DONE"), 50.0), step("cleanup", 55.0)];
    check([main.clone(), reused], &json!([]), &[(Wait, 0, 30), (Run, 30, 40), (Idle, 40, 45)]);
    // A rule replaces the states.
    let rule = json!([{"when": {"first": name("WAIT")}, "prefix": "Request "}]);
    check([main, socket], &rule, &[(Idle, 0, 30), (Idle, 30, 50), (Idle, 50, 80)]);
}

#[test]
fn intervals_with_states_wait_and_run_as_long_as_they_last() {
    let main = vec![during("net::dns::lookup WAIT", 10.0, 30.0)];
    let socket = vec![during("net::dns::lookup EXEC", 30.0, 60.0)];
    check([main, socket], &json!([]), &[(Wait, 0, 20), (Run, 20, 50)]);
}

#[test]
fn a_slice_waits_until_its_first_step_that_executes() {
    let slice = vec![during("request", 0.0, 50.0)];
    let steps = vec![step("request.EXEC", 20.0), step("request.DONE", 45.0)];
    check([slice.clone(), steps], &json!([]), &[(Wait, 0, 20), (Run, 20, 45), (Run, 45, 50)]);
    // Without a step it runs.
    check([slice, vec![step("progress", 20.0)]], &json!([]), &[(Run, 0, 50)]);
}

#[test]
fn a_rule_names_instants_as_run() {
    let steps =
        [vec![step("queued", 0.0)], vec![step("begin", 5.0), step("note", 7.0), step("end", 12.0), step("x", 15.0)]];
    let rule = json!([{"when": {"first": "queued"}, "before": "queued", "run": "begin", "after": ["end", "x"]}]);
    check(steps.clone(), &rule, &[(Wait, 0, 5), (Run, 5, 12), (Idle, 12, 15)]);
    // Nothing ends it.
    let rule = json!([{"when": {"first": "queued"}, "before": "queued", "run": "begin"}]);
    check(steps, &rule, &[(Wait, 0, 5), (Run, 5, 15)]);
}

/// The state is no part of the flow's name and type.
#[test]
fn names_of_flows_omit_states() {
    let rows = vec![step("net::http::transaction WAIT", 1.0), step("net::http::transaction EXEC", 3.0)];
    let [(_, profile), _] = recording_of(vec![rows]).read_both();
    let index = Index::build(profile.into(), Arrangement::ByName);
    let (profile, graph) = (index.profile(), index.flows());
    let rules = RuleMatcher::new(FlowRules::built_in(), profile);
    let label = rules.appearance(profile, graph, &Styles::build(profile), FlowId(0)).label;
    assert_eq!(label, "net::http::transaction");
    assert_eq!(rules.type_of(profile, graph, FlowId(0)), "net::http::transaction");
}
