//! Long tasks: the lane of the overview, the marks of slices and the sums of threads have the same ones, in every kind of
//! recording.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::harm::{Harm, HarmSums};
use flowline::insights::overview::{OverviewLanes, Responsiveness};
use flowline::profile::MarkerId;
use serde_json::{Value, json};

use crate::page_trace::Trace;
use crate::recording::{self, Recording, interval, opening, read_bytes};

/// Starts of the long tasks in milliseconds, after a check that everything agrees about them.
fn starts(index: &Index) -> Vec<f64> {
    let profile = index.profile();
    let lanes = OverviewLanes::build(index, index.extent(), &BTreeSet::new(), false);
    let lane: Vec<MarkerId> = match lanes.responsiveness {
        Some(Responsiveness::LongTasks(tasks)) => tasks.iter().map(|task| task.marker).collect(),
        other => panic!("no lane of long tasks: {other:?}"),
    };
    let name = |marker: MarkerId| profile.locate(marker).map(|(thread, _)| profile.thread(thread).name.to_string());
    let main = |marker: &MarkerId| name(*marker).is_some_and(|name| name == "CrRendererMain" || name == "GeckoMain");
    let harm = Harm::of(index);
    let marked: Vec<MarkerId> = harm.long().all().iter().map(|task| task.marker).filter(main).collect();
    assert_eq!(lane, marked, "lane and marks");
    let sum = |(id, _)| usize::try_from(HarmSums::of(index).thread(id).long).expect("few");
    let mains = profile
        .threads_with_ids()
        .filter(|(_, thread)| ["CrRendererMain", "GeckoMain"].contains(&thread.name.as_str()));
    assert_eq!(mains.map(sum).sum::<usize>(), lane.len(), "lane and sums");
    let times = lane.iter().filter_map(|marker| profile.locate(*marker));
    times.map(|(thread, local)| profile.thread(thread).markers.start(local).as_ms()).collect()
}

#[test]
fn chrome_states_tasks() {
    let mut trace = Trace::page();
    trace.0.push(json!({"ph": "M", "name": "thread_name", "pid": 7, "tid": 8, "args": {"name": "DedicatedWorker"}}));
    trace.instant("TracingSessionIdForWorker", 10, json!({"data": {"workerThreadId": 8, "sessionId": "1"}}));
    for (tid, us, length) in [(7, 10_000, 50_000), (7, 100_000, 50_001), (8, 100_000, 90_000), (7, 200_000, 80_000)] {
        trace.slice(tid, "RunTask", (us, length), json!({}));
    }
    // Slices inside or outside of tasks are none.
    trace.slice(7, "Layout", (200_100, 79_000), json!({}));
    trace.slice(7, "Layout", (300_000, 79_000), json!({}));
    // The end of the last one is not recorded.
    let open = json!({"ph": "B", "name": "RunTask", "cat": "toplevel", "pid": 7, "tid": 7, "ts": 500_000});
    trace.0.push(open);
    trace.slice(7, "Layout", (600_000, 10_000), json!({}));
    assert_eq!(starts(&trace.index()), [100.0, 200.0]);
}

#[test]
fn the_outermost_slices_of_main_threads_are_tasks_where_none_are_stated() {
    let mut trace = Trace::page();
    trace.slice(7, "TaskQueueManager::ProcessTaskFromWorkQueue", (10_000, 60_000), json!({}));
    trace.slice(7, "FunctionCall", (11_000, 58_000), json!({"data": {}}));
    trace.slice(7, "EvaluateScript", (100_000, 40_000), json!({"data": {}}));
    trace.slice(7, "EvaluateScript", (200_000, 70_000), json!({"data": {}}));
    // Other threads may be busy for long.
    trace.slice(9, "Decode", (10_000, 900_000), json!({}));
    let index = trace.index();
    assert_eq!(starts(&index), [10.0, 200.0]);
    assert_eq!(Harm::of(&index).long().all().len(), 2);
}

#[test]
fn firefox_states_long_tasks_in_two_ways() {
    let rows = vec![
        interval("LongTask", 1.0, 51.0),
        interval("LongIdleTask", 60.0, 130.0),
        interval("LongTask", 140.0, 189.0),
        opening("LongTask", 300.0),
    ];
    let profile = recording::read(&Recording::of(rows).raw());
    assert_eq!(starts(&Index::build(Arc::new(profile), Arrangement::Stack)), [1.0, 60.0]);
}

/// Everything agrees about random tasks.
#[test]
fn random_tasks_are_the_same_everywhere() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..40 {
        let mut trace = Trace::page();
        let is_stated = random.bool();
        let mut us = 2_000;
        for _ in 0..random.usize(1..40) {
            let length = random.i64(1_000..120_000);
            let name = if is_stated && random.u8(0..4) > 0 { "RunTask" } else { "Layout" };
            trace.slice(7, name, (us, length), json!({}));
            if random.bool() {
                trace.slice(7, "Paint", (us + 1, length - 2), json!({}));
            }
            us += length + random.i64(0..3_000);
        }
        let found = starts(&trace.index());
        let text = |event: &Value| event["name"].as_str().unwrap_or_default().to_owned();
        let has_stated = trace.0.iter().any(|event| text(event) == "RunTask");
        let wanted = if has_stated { "RunTask" } else { "Layout" };
        let tasks = trace.0.iter().filter(|event| text(event) == wanted && event["dur"].as_i64() > Some(50_000));
        assert_eq!(found.len(), tasks.count(), "{:?}", trace.0);
    }
}

#[test]
fn other_recordings_have_no_lane_of_tasks() {
    let events = [json!({"ph": "X", "pid": 1, "tid": 1, "name": "compile", "ts": 0, "dur": 900_000})];
    let profile = read_bytes(serde_json::to_vec(&events).expect("JSON")).expect("a trace");
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    let lanes = OverviewLanes::build(&index, index.extent(), &BTreeSet::new(), false);
    assert!(lanes.responsiveness.is_none() && Harm::of(&index).long().all().is_empty());
}
