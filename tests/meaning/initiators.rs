//! Initiators of page events: a trace with known results, and comparison with Chrome DevTools on real recordings.

use std::collections::BTreeMap;
use std::sync::Arc;

use flowline::index::Index;
use flowline::index::waits::{CriticalPath, PathOptions};
use flowline::profile::MarkerId;
use serde_json::{Value, json};

use crate::recording::flows::name_of;
use crate::recording::real;

/// An event that lasts one millisecond.
fn event(name: &str, ts: i64, args: Value) -> Value {
    json!({"ph": "X", "pid": 1, "tid": 1, "cat": "devtools.timeline", "name": name, "ts": ts, "dur": 1000, "args": args})
}

fn data(data: Value) -> Value {
    json!({"data": data})
}

fn begun(frame: &str) -> Value {
    json!({"beginData": {"frame": frame}})
}

fn index_of(events: &[Value]) -> Index {
    let text = serde_json::to_vec(events).expect("JSON");
    let profile = flowline::import::read(text, &flowline::import::Progress::default()).expect("a trace").profile;
    let arrangement = profile.meta.arrangement();
    Index::build(Arc::new(profile), arrangement)
}

/// Entries such as "TimerFire@5000 <- TimerInstall@1000", ordered by time.
fn listed(index: &Index) -> Vec<String> {
    let profile = index.profile();
    let at = |marker: MarkerId| {
        let (thread, local) = profile.locate(marker).expect("a marker");
        let start = (profile.thread(thread).markers.start(local) - profile.time_zero()).0 / 1_000;
        (start, format!("{}@{start}", name_of(profile, marker)))
    };
    let mut all: Vec<_> = index.initiators().iter().map(|(event, initiator)| (at(event), at(initiator))).collect();
    all.sort();
    all.into_iter().map(|((_, event), (_, initiator))| format!("{event} <- {initiator}")).collect()
}

#[test]
fn events_are_linked_by_identifiers_and_frames() {
    let timer = |id: i64| data(json!({"timerId": id}));
    let timer_of = |frame: &str, id: i64| data(json!({"timerId": id, "frame": frame}));
    let frame = |frame: &str| data(json!({"frame": frame}));
    let mut other = event("TimerFire", 9_000, timer(7));
    other["pid"] = json!(2);
    let index = index_of(&[
        event("TimerInstall", 0, timer(7)),
        event("TimerInstall", 2_000, timer(8)),
        event("TimerFire", 5_000, timer(7)),
        event("TimerFire", 7_000, timer(7)),
        event("TimerFire", 8_000, timer(9)),
        other,
        event("TimerInstall", 10_000, timer_of("F", 1)),
        event("TimerInstall", 11_500, timer_of("G", 1)),
        event("TimerFire", 13_000, timer_of("F", 1)),
        event("ScheduleStyleRecalculation", 20_000, frame("A")),
        event("ScheduleStyleRecalculation", 21_100, frame("B")),
        event("ScheduleStyleRecalculation", 22_200, frame("A")),
        event("UpdateLayoutTree", 25_000, begun("A")),
        // During style computation: the cause of the invalid layout is the event that scheduled the styles.
        event("InvalidateLayout", 25_500, frame("A")),
        event("Layout", 27_000, begun("A")),
        event("Layout", 29_000, begun("A")),
        event("InvalidateLayout", 31_000, frame("A")),
        event("InvalidateLayout", 33_000, frame("A")),
        event("Layout", 35_000, begun("A")),
    ]);
    assert_eq!(
        listed(&index),
        [
            "TimerFire@5000 <- TimerInstall@0",
            "TimerFire@7000 <- TimerInstall@0",
            "TimerFire@13000 <- TimerInstall@10000",
            "UpdateLayoutTree@25000 <- ScheduleStyleRecalculation@22200",
            "Layout@27000 <- ScheduleStyleRecalculation@22200",
            "Layout@35000 <- InvalidateLayout@33000",
        ]
    );
    // The critical path follows the initiators backward.
    let fire = index.initiators().iter().map(|(event, _)| event).min().expect("the first timer");
    let path = CriticalPath::to_marker(&index, fire, PathOptions { assume_followed: false });
    let kinds: Vec<_> =
        path.segments.iter().map(|segment| (segment.kind.name(), name_of(index.profile(), segment.marker))).collect();
    let named = |kind, name: &str| (kind, name.to_owned());
    assert_eq!(
        kinds,
        [
            named("unknown", "TimerInstall"),
            named("run", "TimerInstall"),
            named("wait", "TimerFire"),
            named("run", "TimerFire")
        ]
    );
    let none = index_of(&[event("Other", 0, json!({}))]);
    assert!(listed(&none).is_empty());
}

#[test]
fn work_computed_inside_the_call_has_no_wait() {
    let mut call = event("FunctionCall", 0, json!({}));
    call["dur"] = json!(100_000);
    let mut schedule = event("ScheduleStyleRecalculation", 10_000, data(json!({"frame": "A"})));
    schedule["dur"] = json!(1);
    let index = index_of(&[call, schedule, event("UpdateLayoutTree", 80_000, begun("A"))]);
    let (event, _) = index.initiators().iter().next().expect("an event that was initiated");
    let path = CriticalPath::to_marker(&index, event, PathOptions::default());
    assert!(path.segments.iter().all(|segment| segment.kind.name() != "wait"), "{path:?}");
    assert_eq!(path.range().len(), 81_000_000);
}

#[test]
fn initiators_match_devtools() {
    let ours = [
        "ScheduleStyleRecalculation",
        "InvalidateLayout",
        "TimerInstall",
        "RequestIdleCallback",
        "WebSocketCreate",
        "SchedulePostTaskCallback",
        "SchedulePostMessage",
    ];
    for name in ["chromium-156-2s", "devtools-web-dev", "lighthouse-load", "rec-a-annotated", "chrome-69-simple"] {
        let trace = real::shared(&format!("traces/{name}.json.gz"));
        let expected = real::shared(&format!("cases/real/{name}-devtools.expected.json"));
        let Some((trace, expected)) = trace.zip(expected) else { continue };
        let expected: Value = serde_json::from_slice(&std::fs::read(expected).expect("a file")).expect("JSON");
        let profile = real::open(&trace).expect("a trace");
        let arrangement = profile.meta.arrangement();
        let index = Index::build(Arc::new(profile), arrangement);
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for (event, initiator) in index.initiators().iter() {
            let [event, initiator] = [event, initiator].map(|marker| name_of(index.profile(), marker));
            *found.entry(kind_of(name, &format!("{initiator} -> {event}"))).or_default() += 1;
        }
        let mut wanted: BTreeMap<String, u64> = BTreeMap::new();
        let kinds = expected["initiators"]["kinds"].as_object().expect("kinds");
        for (kind, count) in kinds {
            if ours.iter().any(|ours| kind.starts_with(&format!("{ours} -> "))) {
                *wanted.entry(kind_of(name, kind)).or_default() += count.as_u64().expect("a number");
            }
        }
        for (kind, count) in wanted {
            assert_eq!(found.get(&kind), Some(&count), "{name}: {kind}, of {found:?}");
        }
    }
}

/// The kind in comparable form. For the engine, events written as halves have no extent, so nothing happens during
/// them. For those traces, layouts are compared regardless of their initiator.
fn kind_of(trace: &str, kind: &str) -> String {
    match kind.strip_suffix(" -> Layout") {
        Some(_) if trace == "lighthouse-load" => "any -> Layout".to_owned(),
        _ => kind.to_owned(),
    }
}

/// A launch on a thread of a program, and the work on a stream of a GPU.
fn gpu_event(category: &str, tid: i64, ts: i64, args: Value) -> Value {
    let pid = i64::from(tid == 100);
    json!({"ph": "X", "pid": pid, "tid": tid, "cat": category, "name": category, "ts": ts, "dur": 1000, "args": args})
}

#[test]
fn work_of_a_gpu_is_linked_to_its_launch() {
    let own = |id: i64| json!({"correlation": id, "External id": id});
    let index = index_of(&[
        gpu_event("cuda_runtime", 100, 0, own(7)),
        gpu_event("cuda_runtime", 100, 2_000, own(8)),
        gpu_event("cuda_driver", 100, 4_000, own(9)),
        gpu_event("cuda_runtime", 100, 6_000, json!({})),
        gpu_event("kernel", 7, 10_000, own(8)),
        gpu_event("gpu_memcpy", 7, 12_000, own(7)),
        gpu_event("gpu_memset", 8, 14_000, own(9)),
        gpu_event("kernel", 7, 16_000, own(5)),
        gpu_event("cpu_op", 100, 18_000, own(7)),
    ]);
    assert_eq!(
        listed(&index),
        [
            "kernel@10000 <- cuda_runtime@2000",
            "gpu_memcpy@12000 <- cuda_runtime@0",
            "gpu_memset@14000 <- cuda_driver@4000"
        ]
    );
    // The critical path to a kernel goes back to its launch.
    let profile = index.profile();
    let kernel = index.initiators().iter().map(|(event, _)| event).min().expect("linked work");
    let path = CriticalPath::to_marker(&index, kernel, PathOptions::default());
    assert!(path.segments.iter().any(|segment| name_of(profile, segment.marker).starts_with("cuda_")), "{path:?}");
}

#[test]
fn flows_from_launches_need_no_initiators() {
    let own = || json!({"correlation": 7});
    let flow = |phase: &str, tid: i64, ts: i64| {
        let pid = i64::from(tid == 100);
        json!({"ph": phase, "id": 7, "pid": pid, "tid": tid, "ts": ts, "cat": "ac2g", "name": "ac2g", "bp": "e"})
    };
    let index = index_of(&[
        gpu_event("cuda_runtime", 100, 0, own()),
        flow("s", 100, 0),
        gpu_event("kernel", 7, 10_000, own()),
        flow("f", 7, 10_000),
    ]);
    assert_eq!(listed(&index), Vec::<String>::new());
}
