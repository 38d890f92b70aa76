//! Postings, flow timelines, blockers of waits, and critical paths: recordings with known results, and properties on
//! random and real recordings.

use std::sync::Arc;

use flowline::import::{self, Progress};
use flowline::index::flows::{FlowRules, RuleMatcher, SegmentKind};
use flowline::index::waits::{CriticalPath, PathKind, PathOptions, blocking};
use flowline::index::{Arrangement, FlowGraph, Index};
use flowline::profile::{MarkerId, Ns, Profile, ThreadId, TimeRange};
use serde_json::json;

use crate::recording::Row;
use crate::recording::flows::{name_of, point, recording_of, span};
use crate::waits_property::check;

pub(crate) fn trace(events: &str) -> Index {
    let text = format!("[{events}]");
    let profile = import::read(text.into_bytes(), &Progress::default()).expect("a trace").profile;
    Index::build(Arc::new(profile), Arrangement::Stack)
}

pub(crate) fn firefox(threads: Vec<Vec<Row>>) -> Index {
    let [(_, profile), _] = recording_of(threads).read_both();
    Index::build(Arc::new(profile), Arrangement::ByName)
}

pub(crate) fn marker(index: &Index, name: &str) -> MarkerId {
    let all = (0..index.profile().marker_count()).map(MarkerId::new);
    all.into_iter().find(|marker| name_of(index.profile(), *marker) == name).expect(name)
}

/// Kind, name, start and end of each segment, in microseconds from the recording's start.
pub(crate) fn path_to(index: &Index, name: &str) -> Vec<(&'static str, String, i64, i64)> {
    let zero = index.profile().time_zero();
    let path = CriticalPath::to_marker(index, marker(index, name), PathOptions { assume_followed: false });
    let plain = |segment: &flowline::index::waits::PathSegment| {
        let at = |time: Ns| (time - zero).0 / 1_000;
        (segment.kind.name(), name_of(index.profile(), segment.marker), at(segment.range.start), at(segment.range.end))
    };
    path.segments.iter().map(plain).collect()
}

pub(crate) fn listed(path: &[(&'static str, &str, i64, i64)]) -> Vec<(&'static str, String, i64, i64)> {
    path.iter().map(|(kind, name, start, end)| (*kind, (*name).to_owned(), *start, *end)).collect()
}

fn flow(id: u32) -> serde_json::Value {
    json!({"flow": format!("{id}")})
}

pub(crate) fn post(name: &str, at: f64, id: u32) -> Row {
    point(name, at, "Flow", flow(id))
}

pub(crate) fn task(name: &str, start: f64, end: f64, id: u32) -> Row {
    span(name, start, end, "FlowStack", flow(id))
}

pub(crate) fn work(name: &str, start: f64, end: f64) -> Row {
    span(name, start, end, "PlainStack", json!({}))
}

pub(crate) const PUT: &str = "EventQueueInternal::PutEvent";
pub(crate) const DISPATCH: &str = "TaskQueue::DispatchLocked";

#[test]
fn a_posting_starts_a_flow_unless_it_forwards_a_task() {
    let index = firefox(vec![vec![
        post(DISPATCH, 1.0, 7),
        post(PUT, 2.0, 7),
        post(DISPATCH, 3.0, 7),
        post(PUT, 4.0, 7),
        post(PUT, 5.0, 7),
        post("TaskController::AddTask", 6.0, 7),
        post("Other", 7.0, 7),
        post(PUT, 8.0, 7),
        post(DISPATCH, 9.0, 7),
    ]]);
    let members = |flows: &FlowGraph| -> Vec<usize> { flows.iter().map(|flow| flows.members(flow).len()).collect() };
    assert_eq!(members(index.flows()), [2, 2, 1, 2, 1, 1]);
    assert_eq!(members(&FlowGraph::build(index.profile())), [9]);
    let own = FlowRules::parse(r#"{"once": ["Other"], "disable": "once"}"#);
    assert!(own.1.is_empty(), "{:?}", own.1);
    let rules = FlowRules::built_in().with_user(own.0);
    assert_eq!(members(&FlowGraph::build_with(index.profile(), &rules)), [9], "one posting starts no second flow");
    assert_eq!(members(&FlowGraph::build_with(index.profile(), &FlowRules::built_in().without_postings())), [9]);
}

#[test]
fn a_task_posted_behind_a_long_task_waits_for_it() {
    let index = firefox(vec![
        vec![work("Poster", 0.0, 20.0), post(PUT, 10.0, 1)],
        vec![work("Long", 2.0, 100.0), work("Nested", 20.0, 90.0), task("Runnable", 101.0, 105.0, 1)],
    ]);
    assert_eq!(
        path_to(&index, "Runnable"),
        listed(&[
            ("unknown", "Poster", 0, 0),
            ("run", "Poster", 0, 10_000),
            ("wait", "Runnable", 10_000, 101_000),
            ("run", "Runnable", 101_000, 105_000)
        ])
    );
    let wait = TimeRange {
        start: times(index.profile(), marker(&index, PUT)).start,
        end: times(index.profile(), marker(&index, "Runnable")).start,
    };
    assert_eq!(blockers_of(&index, wait), (vec![("Long", 90_000)], 0, 1_000));
}

#[test]
fn time_between_two_uses_of_an_object_is_no_wait() {
    use SegmentKind::{Idle, Run, Wait};
    let kinds = |threads: Vec<Vec<Row>>| -> Vec<(SegmentKind, i64)> {
        let index = firefox(threads);
        let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
        let flow = index.flows().iter().next().expect("a flow");
        let timeline = rules.timeline(index.profile(), index.flows(), flow);
        let totals = rules.timeline_totals(index.profile(), index.flows(), flow);
        let length = index.flows().range(index.profile(), flow).len();
        assert_eq!(totals.run + totals.wait + totals.idle, length, "the parts add up");
        timeline.segments.iter().map(|own| (own.kind, own.range.len() / 1_000_000)).collect()
    };
    let used = vec![task("Use", 0.0, 1.0, 1), task("Use again", 10.0, 11.0, 1), post("Last use", 30.0, 1)];
    assert_eq!(kinds(vec![used.clone()]), [(Run, 1), (Idle, 9), (Run, 1), (Idle, 19)]);
    let mut posted = used;
    posted.insert(1, post(PUT, 4.0, 1));
    assert_eq!(kinds(vec![posted]), [(Run, 1), (Idle, 3), (Wait, 6), (Run, 1), (Idle, 19)]);
    let handed = vec![vec![post("Announced", 2.0, 1)], vec![task("Elsewhere", 5.0, 6.0, 1)]];
    assert_eq!(kinds(handed), [(Wait, 3), (Run, 1)], "work on another thread was handed to it");
}

#[test]
fn a_rule_lists_the_markers_that_post() {
    let index = firefox(vec![vec![post("Ask", 0.0, 1), task("Answer", 4.0, 5.0, 1), post("Ask", 6.0, 1)]]);
    let waits = |rule: &str| {
        let (rules, messages) = FlowRules::parse(rule);
        assert!(messages.is_empty(), "{messages:?}");
        let rules = RuleMatcher::new(rules, index.profile());
        let flow = index.flows().iter().next().expect("a flow");
        rules.timeline_totals(index.profile(), index.flows(), flow).wait / 1_000_000
    };
    assert_eq!(waits(r#"{"rules": [{"when": {"first": "Ask"}}]}"#), 0);
    assert_eq!(waits(r#"{"rules": [{"when": {"first": "Ask"}, "posts": "Ask"}]}"#), 4);
    assert_eq!(waits(r#"{"rules": [{"when": {"first": "Ask"}, "posts": "*"}]}"#), 5);
    assert_eq!(waits(r#"{"rules": [{"when": {"first": "Ask"}, "posts": "*", "until": "Answer"}]}"#), 4);
}

#[test]
fn a_loop_around_the_wait_reveals_its_blockers() {
    let index = firefox(vec![
        vec![work("Poster", 0.0, 20.0), post(PUT, 10.0, 1)],
        vec![
            work("Loop", 1.0, 200.0),
            work("Inner loop", 2.0, 150.0),
            work("Long", 5.0, 60.0),
            work("Nested", 20.0, 50.0),
            work("Short", 70.0, 75.0),
            task("Runnable", 101.0, 105.0, 1),
        ],
    ]);
    let wait = TimeRange {
        start: times(index.profile(), marker(&index, PUT)).start,
        end: times(index.profile(), marker(&index, "Runnable")).start,
    };
    let found = blockers_of(&index, wait);
    assert_eq!(found, (vec![("Long", 50_000), ("Inner loop", 36_000), ("Short", 5_000)], 0, 0));
}

/// Blockers of a wait on the second thread, in microseconds: by name, idle and unknown.
fn blockers_of(index: &Index, wait: TimeRange) -> (Vec<(&str, i64)>, i64, i64) {
    let found = blocking(index, ThreadId::new(1), wait).expect("a thread");
    let blockers = found.blockers.iter().map(|blocker| (index.profile().strings.get(blocker.name), blocker.ns / 1_000));
    (blockers.collect(), found.idle / 1_000, found.unknown / 1_000)
}

#[test]
fn the_later_of_two_causes_decides_and_inner_intervals_own_their_time() {
    let index = firefox(vec![
        vec![work("First", 0.0, 8.0), post(PUT, 5.0, 1)],
        vec![work("Second", 0.0, 30.0), post("TaskController::AddTask", 25.0, 2)],
        vec![
            span("Both", 40.0, 60.0, "FlowStack", json!({"flow": "1"})),
            span("Inner", 45.0, 50.0, "FlowStack", json!({"flow": "2"})),
        ],
    ]);
    assert_eq!(
        path_to(&index, "Inner"),
        listed(&[
            ("unknown", "First", 0, 0),
            ("run", "First", 0, 5_000),
            ("wait", "Both", 5_000, 40_000),
            ("run", "Both", 40_000, 45_000),
            ("run", "Inner", 45_000, 50_000)
        ]),
        "the outer marker ran continuously after the inner one was posted"
    );
    let two = trace(
        r#"{"ph":"X","name":"A","pid":1,"tid":1,"ts":0,"dur":10},{"ph":"s","name":"f","cat":"c","id":1,"pid":1,"tid":1,"ts":5},
           {"ph":"X","name":"B","pid":1,"tid":2,"ts":0,"dur":30},{"ph":"s","name":"f","cat":"c","id":2,"pid":1,"tid":2,"ts":25},
           {"ph":"X","name":"M","pid":1,"tid":3,"ts":40,"dur":20},
           {"ph":"f","bp":"e","name":"f","cat":"c","id":1,"pid":1,"tid":3,"ts":40},
           {"ph":"f","bp":"e","name":"f","cat":"c","id":2,"pid":1,"tid":3,"ts":40}"#,
    );
    assert_eq!(
        path_to(&two, "M"),
        listed(&[("unknown", "B", 0, 0), ("run", "B", 0, 25), ("wait", "M", 25, 40), ("run", "M", 40, 60)])
    );
}

#[test]
fn a_slice_can_continue_at_a_step_inside_it() {
    let index = trace(
        r#"{"ph":"X","name":"Worker","pid":1,"tid":2,"ts":10,"dur":50},{"ph":"s","name":"f","cat":"c","id":1,"pid":1,"tid":2,"ts":50},
           {"ph":"X","name":"Blocked","pid":1,"tid":1,"ts":0,"dur":100},
           {"ph":"f","bp":"e","name":"f","cat":"c","id":1,"pid":1,"tid":1,"ts":70}"#,
    );
    assert_eq!(
        path_to(&index, "Blocked"),
        listed(&[
            ("unknown", "Worker", 10, 10),
            ("run", "Worker", 10, 50),
            ("wait", "Blocked", 50, 70),
            ("run", "Blocked", 70, 100)
        ])
    );
}

#[test]
fn a_path_crosses_three_processes_and_cycles_of_posts_end() {
    let step = |name: &str, pid: u32, ts: u32, id: u32| {
        format!(
            r#"{{"ph":"X","name":"{name}","pid":{pid},"tid":{pid},"ts":{ts},"dur":10}},
               {{"ph":"f","bp":"e","name":"f","cat":"c","id":{id},"pid":{pid},"tid":{pid},"ts":{ts}}},
               {{"ph":"s","name":"f","cat":"c","id":{},"pid":{pid},"tid":{pid},"ts":{}}}"#,
            id + 1,
            ts + 5
        )
    };
    let events = [step("one", 1, 0, 1), step("two", 2, 20, 2), step("three", 3, 40, 3)].join(",");
    assert_eq!(
        path_to(&trace(&events), "three"),
        listed(&[
            ("unknown", "one", 0, 0),
            ("run", "one", 0, 5),
            ("wait", "two", 5, 20),
            ("run", "two", 20, 25),
            ("wait", "three", 25, 40),
            ("run", "three", 40, 50)
        ])
    );
    // Two simultaneous slices that post each other.
    let cycle = trace(
        r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10},{"ph":"X","name":"b","pid":2,"tid":2,"ts":0,"dur":10},
           {"ph":"s","name":"f","cat":"c","id":1,"pid":1,"tid":1,"ts":0},{"ph":"f","bp":"e","name":"f","cat":"c","id":1,"pid":2,"tid":2,"ts":0},
           {"ph":"s","name":"f","cat":"c","id":2,"pid":2,"tid":2,"ts":0},{"ph":"f","bp":"e","name":"f","cat":"c","id":2,"pid":1,"tid":1,"ts":0}"#,
    );
    for name in ["a", "b"] {
        let path = path_to(&cycle, name);
        assert_eq!((path.len(), path.last().map(|segment| segment.3)), (2, Some(10)), "{path:?}");
    }
}

#[test]
fn a_network_wait_is_reported_as_network() {
    let event = |name: &str, ts: u32, data: &str| {
        format!(
            r#"{{"ph":"X","name":"task {ts}","pid":1,"tid":1,"ts":{},"dur":10}},
            {{"ph":"I","s":"t","cat":"devtools.timeline","name":"{name}","pid":1,"tid":1,"ts":{ts},"args":{{"data":{{"requestId":"r1"{data}}}}}}}"#,
            ts - 5
        )
    };
    let timing = r#","statusCode":200,"mimeType":"text/html","timing":{"requestTime":0.0002,"dnsStart":-1,"dnsEnd":-1,"connectStart":-1,"connectEnd":-1,"sslStart":-1,"sslEnd":-1,"sendStart":0.1,"sendEnd":0.2,"receiveHeadersEnd":0.7}"#;
    let events = [
        event("ResourceSendRequest", 100, r#","url":"https://a.example/x","requestMethod":"GET""#),
        event("ResourceReceiveResponse", 1_000, timing),
        event("ResourceFinish", 2_000, r#","didFail":false,"finishTime":0.0018,"encodedDataLength":10"#),
    ];
    let index = trace(&events.join(","));
    let path = CriticalPath::to_marker(&index, marker(&index, "ResourceFinish"), PathOptions::default());
    let plain: Vec<(&str, i64)> =
        path.segments.iter().map(|segment| (segment.kind.name(), segment.range.len() / 1_000)).collect();
    // Queued until 200, stalled until 300, waiting for the response until 900, receiving until 1,800, processing until
    // 2,000.
    assert_eq!(
        plain,
        [("unknown", 0), ("run", 5), ("wait", 200), ("network", 1_500), ("wait", 200)],
        "{:?}",
        index.network().requests()
    );
    let waits: Vec<_> = path.segments.iter().filter(|segment| segment.kind == PathKind::Wait).collect();
    // Only the response waits for a thread.
    assert!(waits[0].blocking.is_none(), "{waits:?}");
}

#[test]
fn a_wait_in_a_trace_starts_inside_the_posting_slice() {
    let index = trace(
        r#"{"ph":"X","name":"post","pid":1,"tid":1,"ts":0,"dur":100},{"ph":"s","name":"f","cat":"c","id":1,"pid":1,"tid":1,"ts":10},
           {"ph":"X","name":"run","pid":1,"tid":2,"ts":40,"dur":20},{"ph":"f","bp":"e","name":"f","cat":"c","id":1,"pid":1,"tid":2,"ts":40}"#,
    );
    let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
    let flow = index.flows().iter().next().expect("a flow");
    let timeline = rules.timeline(index.profile(), index.flows(), flow);
    let plain: Vec<(SegmentKind, String, i64, i64)> = timeline
        .segments
        .iter()
        .map(|segment| {
            let name = name_of(index.profile(), segment.marker);
            (segment.kind, name, segment.range.start.0 / 1_000, segment.range.end.0 / 1_000)
        })
        .collect();
    let expected = [
        (SegmentKind::Run, "post", 0, 10),
        (SegmentKind::Wait, "run", 10, 40),
        (SegmentKind::Run, "run", 40, 60),
        (SegmentKind::Run, "post", 60, 100),
    ];
    assert_eq!(plain, expected.map(|(kind, name, start, end)| (kind, name.to_owned(), start, end)));
}

#[test]
fn a_slice_with_an_untimed_step_runs_to_its_end() {
    let index = trace(
        r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10,"bind_id":1,"flow_out":true},
           {"ph":"X","name":"b","pid":1,"tid":2,"ts":20,"dur":10,"bind_id":1,"flow_in":true,"flow_out":true},
           {"ph":"X","name":"c","pid":1,"tid":3,"ts":25,"dur":15,"bind_id":1,"flow_in":true}"#,
    );
    let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
    let flow = index.flows().iter().next().expect("a flow");
    let timeline = rules.timeline(index.profile(), index.flows(), flow);
    assert_eq!((timeline.total(SegmentKind::Run), timeline.total(SegmentKind::Wait)), (30_000, 10_000));
    assert_eq!(timeline.longest_wait().map(|wait| (wait.range.start.0, wait.range.end.0)), Some((10_000, 20_000)));
    let expected = [
        ("unknown", "a", 0, 0),
        ("run", "a", 0, 10),
        ("wait", "b", 10, 20),
        ("run", "b", 20, 25),
        ("run", "c", 25, 40),
    ];
    assert_eq!(path_to(&index, "c"), listed(&expected));
}

#[test]
fn the_previous_marker_is_followed_only_if_assumed() {
    let index = firefox(vec![
        vec![work("Poster", 0.0, 5.0), post(PUT, 1.0, 1)],
        vec![task("Before", 10.0, 20.0, 1), work("After", 20.5, 30.0), work("Late", 32.0, 40.0)],
    ]);
    let kinds = |name: &str, assume_followed: bool| -> Vec<&str> {
        let path = CriticalPath::to_marker(&index, marker(&index, name), PathOptions { assume_followed });
        path.segments.iter().map(|segment| segment.kind.name()).collect()
    };
    assert_eq!(kinds("After", true), ["unknown", "run", "wait", "run", "followed", "run"]);
    assert_eq!(kinds("After", false), ["unknown", "run"]);
    assert_eq!(kinds("Late", true), ["unknown", "run"], "2 ms exceed the limit");
}

#[test]
fn the_image_of_the_example_waits_for_the_script() {
    let index = crate::support::example();
    let all = (0..index.profile().marker_count()).map(MarkerId::new);
    let is_load = |marker: &MarkerId| {
        let (thread, local) = index.profile().locate(*marker).expect("a marker");
        let payload = index.profile().payload(thread, local);
        let url = payload.get("url").and_then(|url| url.as_str()).unwrap_or_default();
        name_of(index.profile(), *marker) == "load" && url.ends_with("aurora-hero-3840.jpg")
    };
    let load = all.into_iter().find(is_load).expect("the image's load event");
    let path = CriticalPath::to_marker(&index, load, PathOptions::default());
    let wait = path.segments.iter().rev().find(|segment| segment.kind == PathKind::Wait).expect("a wait");
    assert_eq!(wait.range.len() / 1_000_000, 178);
    let blocker = &wait.blocking.as_ref().expect("on a thread").blockers[0];
    assert!(blocker.ns * 100 > wait.range.len() * 99, "one task blocks all of it");
    let script = wait.range.start + Ns(wait.range.len() / 2);
    let task = times(index.profile(), blocker.longest);
    assert!(task.start < script && script < task.end);
    check(&index, &mut fastrand::Rng::with_seed(1), 200);
}

/// Start and end of a marker.
pub(crate) fn times(profile: &Profile, marker: MarkerId) -> TimeRange {
    let (thread, local) = profile.locate(marker).expect("a marker");
    let markers = &profile.thread(thread).markers;
    TimeRange { start: markers.start(local), end: markers.end(local) }
}
