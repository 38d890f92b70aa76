//! Names of calls: function and place in titles and labels, for stated calls, for calls from samples, and for long tasks.

use flowline::index::waits::Blocker;
use flowline::index::{Derived, Index};
use flowline::insights::harm::{Harm, TaskNames};
use flowline::insights::insights::InsightName;
use flowline::profile::text::LabelKind;
use flowline::profile::{FuncId, LocalMarker, MarkerId};
use serde_json::{Value, json};

use crate::page_trace::{Trace, data, finding};

const APP: &str = "http://shop.test/js/app.js?v=3";

fn call(name: &str, line: i64) -> Value {
    json!({"data": {"functionName": name, "url": APP, "scriptId": "3", "lineNumber": line, "columnNumber": 18}})
}

/// The markers of a name with their titles.
fn titles(index: &Index, name: &str) -> Vec<String> {
    let profile = index.profile();
    let mut found = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        for marker in (0..thread.markers.len()).map(LocalMarker::new) {
            if profile.marker_name(id, marker) == name {
                let title = profile.marker_title(id, marker).into_owned();
                for kind in [LabelKind::Chart, LabelKind::Tooltip] {
                    assert_eq!(profile.marker_label(kind, id, marker, profile.clock()), title);
                }
                found.push(title);
            }
        }
    }
    found
}

#[test]
fn calls_are_titled_with_what_they_ran() {
    let mut trace = Trace::page();
    trace.slice(7, "RunTask", (10_000, 80_000), json!({}));
    // The longest of the calls inside names an event; a call inside another one does not count.
    trace.slice(7, "EventDispatch", (11_000, 30_000), json!({"data": {"type": "click"}}));
    trace.slice(7, "FunctionCall", (11_000, 4_000), call("short", 1));
    trace.slice(7, "v8.callFunction", (16_000, 20_000), json!({}));
    trace.slice(7, "FunctionCall", (16_100, 19_800), call("onClick", 20));
    trace.slice(7, "FunctionCall", (17_000, 18_000), call("inner", 99));
    trace.slice(7, "EventDispatch", (41_500, 400), json!({"data": {"type": "load"}}));
    trace.slice(7, "TimerFire", (42_000, 3_000), json!({"data": {"timerId": 4}}));
    trace.slice(7, "FunctionCall", (42_100, 2_800), call("tick", 9));
    trace.slice(7, "TimerFire", (46_000, 500), json!({"data": {"timerId": 5}}));
    trace.slice(7, "FireAnimationFrame", (47_000, 1_000), json!({"data": {"id": 1}}));
    trace.slice(7, "FunctionCall", (47_100, 800), call("", 31));
    trace.slice(7, "EvaluateScript", (50_000, 3_000), json!({"data": {"url": APP, "lineNumber": 1}}));
    trace.slice(7, "EvaluateScript", (54_000, 3_000), json!({"data": {"url": "http://shop.test/", "lineNumber": 12}}));
    // The begin of a call states its function, its end does not.
    for (phase, us, args) in [("B", 60_000, call("halves", 5)), ("E", 61_000, json!({}))] {
        trace.0.push(
            json!({"name": "FunctionCall", "ph": phase, "cat": "devtools.timeline", "pid": 7, "tid": 7, "ts": us,
            "args": args}),
        );
    }
    // A call on another thread at the same time belongs to that thread.
    trace.slice(9, "FunctionCall", (46_100, 300), call("other", 1));
    let index = trace.index();
    assert_eq!(titles(&index, "EventDispatch"), ["click: onClick, app.js:20", "Event: load"]);
    assert_eq!(titles(&index, "v8.callFunction"), ["onClick, app.js:20"]);
    assert_eq!(titles(&index, "TimerFire"), ["Timer fired: tick, app.js:9", "TimerFire"]);
    assert_eq!(titles(&index, "FireAnimationFrame"), ["Animation frame fired: (anonymous), app.js:31"]);
    assert_eq!(titles(&index, "EvaluateScript"), ["Evaluate script: app.js", "Evaluate script: shop.test:12"]);
    assert_eq!(titles(&index, "RunTask"), ["RunTask"]);
    let calls = titles(&index, "FunctionCall");
    for title in ["short, app.js:1", "onClick, app.js:20", "halves, app.js:5", "other, app.js:1"] {
        assert!(calls.iter().any(|own| own == title), "{title}: {calls:?}");
    }
}

/// A profile of the main thread: `nodes` are names with their parents, `samples` are nodes every 10 ms from 10 ms on.
fn sampled(trace: &mut Trace, nodes: &[(&str, Option<usize>, &str, i64)], samples: &[usize]) {
    let nodes = nodes.iter().enumerate().map(|(id, (name, parent, url, line))| {
        let mut node = json!({"id": id + 1, "callFrame": {"functionName": name, "scriptId": if url.is_empty() { "0" } else { "3" },
            "url": url, "lineNumber": line - 1, "columnNumber": 4}});
        if let Some(parent) = parent {
            node["parent"] = json!(parent + 1);
        }
        node
    });
    let nodes: Vec<Value> = nodes.collect();
    let deltas: Vec<i64> = std::iter::once(10_000).chain(samples.iter().skip(1).map(|_| 10_000)).collect();
    let samples: Vec<usize> = samples.iter().map(|node| node + 1).collect();
    let event = |name: &str, args: Value| json!({"name": name, "ph": "P", "cat": "d", "pid": 7, "tid": 7, "ts": 0, "id": "0x1", "args": args});
    trace.0.push(event("Profile", json!({"data": {"startTime": 0}})));
    let chunk = json!({"cpuProfile": {"nodes": nodes, "samples": samples}, "timeDeltas": deltas});
    trace.0.push(event("ProfileChunk", json!({"data": chunk})));
}

/// The names of the long tasks, by start.
fn task_names(index: &Index) -> Vec<Option<String>> {
    let all = flowline::profile::TimeRange::new(flowline::profile::Ns(i64::MIN), flowline::profile::Ns(i64::MAX));
    Harm::of(index)
        .long()
        .starting_in(all)
        .iter()
        .map(|task| TaskNames::of(index).of_marker(task.marker).map(str::to_owned))
        .collect()
}

#[test]
fn long_tasks_are_named_by_the_function_with_most_time() {
    let mut trace = Trace::page();
    // Two functions directly under the task; the calls of the first one are longer together.
    trace.slice(7, "RunTask", (10_000, 100_000), json!({}));
    trace.slice(7, "EventDispatch", (11_000, 25_000), json!({"data": {"type": "load"}}));
    trace.slice(7, "FunctionCall", (12_000, 20_000), call("afterLoad", 30));
    trace.slice(7, "FunctionCall", (13_000, 18_000), call("inside", 90));
    trace.slice(7, "FunctionCall", (40_000, 30_000), call("other", 7));
    trace.slice(7, "FunctionCall", (71_000, 15_000), call("afterLoad", 30));
    // Without a function, the longest slice.
    trace.slice(7, "RunTask", (200_000, 60_000), json!({}));
    trace.slice(7, "ThreadControllerImpl::RunTask", (200_500, 59_000), json!({}));
    trace.slice(7, "UpdateLayoutTree", (201_000, 20_000), json!({"beginData": {"frame": "MAIN"}}));
    trace.slice(7, "Layout", (222_000, 30_000), json!({"beginData": {"frame": "MAIN"}}));
    trace.slice(7, "RunTask", (300_000, 70_000), json!({}));
    let index = trace.index();
    let named = |name: &str| Some(name.to_owned());
    assert_eq!(task_names(&index), [named("afterLoad, app.js:30"), named("Layout"), None]);
    let found = finding(&index, InsightName::LongTasks);
    assert_eq!(data(found, "tasks")[0]["name"], "afterLoad, app.js:30");
    assert_eq!(found.summary, "3 tasks over 50 ms, the longest 100.00 ms: afterLoad, app.js:30");
}

#[test]
fn sampled_functions_name_long_tasks_and_own_what_they_call() {
    let nodes = [
        ("(root)", None, "", 0),
        ("start", Some(0), "http://shop.test/app.js", 30),
        ("busy", Some(1), "https://www.googletagmanager.com/gtm.js", 4),
        ("now", Some(2), "", 0),
        ("(program)", Some(0), "", 0),
    ];
    let mut trace = Trace::page();
    trace.slice(7, "RunTask", (5_000, 150_000), json!({}));
    trace.slice(7, "RunMicrotasks", (8_000, 120_000), json!({}));
    sampled(&mut trace, &nodes, &[1, 2, 3, 3, 3, 3, 3, 3, 1, 4, 4, 4, 4]);
    let index = trace.index();
    assert_eq!(task_names(&index), [Some("start, app.js:30".to_owned())]);
    let tasks = data(finding(&index, InsightName::LongTasks), "tasks");
    let top: Vec<&Value> = tasks[0]["top"].as_array().expect("functions").iter().map(|own| &own["name"]).collect();
    assert_eq!(top, ["busy", "start"], "the built-in function works for its caller");
    // `now` is no company's; its caller is.
    let entities = data(finding(&index, InsightName::ThirdParties), "entities");
    let time = |name: &str| entities.as_array().expect("a list").iter().find(|own| own["name"] == name).cloned();
    assert_eq!(time("Google Tag Manager").expect("an entity")["main_thread_ns"], 70_000_000);
}

#[test]
fn sampled_calls_are_titled_with_function_and_place() {
    let mut trace = Trace::page();
    trace.slice(7, "RunTask", (5_000, 90_000), json!({}));
    trace.slice(7, "RunMicrotasks", (8_000, 80_000), json!({}));
    let nodes = [
        ("(root)", None, "", 0),
        ("reflow", Some(0), "http://shop.test/app.js", 14),
        ("", Some(1), "http://shop.test/app.js", 2),
        ("now", Some(2), "", 0),
    ];
    sampled(&mut trace, &nodes, &[1, 2, 3, 3]);
    let index = trace.index();
    let profile = index.profile();
    let mut titles: Vec<String> =
        (0..profile.stacks.funcs.len()).map(|func| profile.func_title(FuncId::new(func))).collect();
    titles.sort();
    for title in ["reflow, app.js:14", "(anonymous), app.js:2", "now"] {
        assert!(titles.iter().any(|own| own == title), "{title}: {titles:?}");
    }
}

#[test]
fn a_single_call_that_held_up_a_thread_is_named_by_its_function() {
    let mut trace = Trace::page();
    trace.slice(7, "FunctionCall", (12_000, 20_000), call("afterLoad", 30));
    let index = trace.index();
    let profile = index.profile();
    let name = profile.strings.find("FunctionCall").expect("a name");
    let longest = profile.threads_with_ids().find_map(|(_, thread)| {
        let is_call = |marker: &LocalMarker| thread.markers.name(*marker) == name;
        (0..thread.markers.len()).map(LocalMarker::new).find(is_call).map(|marker| thread.global(marker))
    });
    let longest: MarkerId = longest.expect("the call");
    let mut blocker = Blocker { name, task: None, ns: 20_000_000, count: 1, longest };
    assert_eq!(blocker.text(profile), "afterLoad, app.js:30");
    blocker.count = 2;
    assert_eq!(blocker.text(profile), "FunctionCall");
}
