//! Critical paths through the thread states of the Linux scheduler, and the threads that a runnable thread waited for.

use flowline::index::Index;
use flowline::index::references::{Reference, ReferenceTarget, references};
use flowline::index::waits::{CriticalPath, PathOptions, runnable_behind};
use flowline::profile::{LocalMarker, MarkerId, Ns};
use serde_json::{Value, json};

use crate::recording::flows::name_of;
use crate::waits::trace;

fn slice(pid: Value, tid: Value, name: &str, [start, end]: [i64; 2], args: Value) -> String {
    let category = if pid.as_str().is_some_and(|pid| pid.ends_with("cpus")) { "sched" } else { "thread state" };
    json!({"ph": "X", "pid": pid, "tid": tid, "ts": start, "dur": end - start, "name": name, "cat": category, "args": args})
        .to_string()
}

/// Thread 8 wakes thread 7 at 30, which runs from 50 on: another thread ran on its CPU. At 80, thread 7 loses the CPU and
/// goes on at 90. `woken` are the arguments of its first runnable state.
fn recording(woken: Value) -> Index {
    trace(&slices_of("", woken).join(","))
}

/// The same slices on a machine, such as `2:`.
fn slices_of(machine: &str, woken: Value) -> Vec<String> {
    let [pid, cpus] = ["7", "cpus"].map(|id| json!(format!("{machine}{id}")));
    let state = |tid: &str, name: &str, range, args| slice(pid.clone(), json!(tid), name, range, args);
    let ran = |name: &str, tid: i64, range| slice(cpus.clone(), json!(3), name, range, json!({"tid": tid, "pid": 7}));
    vec![
        state("8 state", "Running", [0, 60], json!({"cpu": 1})),
        state("7 state", "Sleeping", [0, 30], json!({})),
        state("7 state", "Runnable", [30, 50], woken),
        state("7 state", "Running", [50, 80], json!({"cpu": 3})),
        state("7 state", "Runnable (Preempted)", [80, 90], json!({})),
        state("7 state", "Running", [90, 100], json!({"cpu": 3})),
        state("9 state", "Running", [20, 48], json!({"cpu": 3})),
        ran("surfaceflinger", 9, [20, 40]),
        ran("surfaceflinger", 9, [42, 48]),
        ran("app", 7, [50, 80]),
        ran("", 11, [80, 90]),
        ran("app", 7, [90, 100]),
    ]
}

/// The marker of a thread that starts at a time, in µs.
fn marker(index: &Index, tid: &str, start: i64) -> MarkerId {
    let profile = index.profile();
    let (_, thread) = profile.threads_with_ids().find(|(_, thread)| thread.tid == tid).expect(tid);
    let starts = |at: &usize| thread.markers.start(LocalMarker::new(*at)) == Ns(start * 1_000);
    thread.global(LocalMarker::new((0..thread.markers.len()).find(starts).expect("a marker")))
}

/// Kind, thread, name, start and end of each segment, with the blockers.
fn path(index: &Index, marker: MarkerId) -> Vec<String> {
    let profile = index.profile();
    let path = CriticalPath::to_marker(index, marker, PathOptions::default());
    let segments = path.segments.iter().map(|segment| {
        let behind = segment.blocking.iter().flat_map(|activity| {
            let cpu = activity.cpu.map(|cpu| format!(" on CPU {cpu}"));
            let blockers = activity.blockers.iter().map(|by| format!(" behind {} {}", by.text(profile), by.ns / 1_000));
            cpu.into_iter().chain(blockers)
        });
        let (thread, name) = (&profile.thread(segment.thread).tid, name_of(profile, segment.marker));
        let [start, end] = [segment.range.start, segment.range.end].map(|time| time.0 / 1_000);
        format!("{} {thread} {name} {start}..{end}{}", segment.kind.name(), behind.collect::<String>())
    });
    segments.collect()
}

#[test]
fn the_path_goes_on_at_the_waker_and_names_the_threads_on_the_cpu() {
    let index = recording(json!({"waker_tid": 8}));
    let expected = [
        "unknown 8 state Running 0..0",
        "run 8 state Running 0..30",
        "wait 7 state Running 30..50 on CPU 3 behind surfaceflinger 16",
        "run 7 state Running 50..80",
        "wait 7 state Running 80..90 on CPU 3 behind Thread 11 10",
        "run 7 state Running 90..100",
    ];
    assert_eq!(path(&index, marker(&index, "7 state", 90)), expected);
    // A runnable state itself is a wait, and a sleep ends with the wake-up.
    let runnable = ["unknown 8 state Running 0..0", "run 8 state Running 0..30"];
    let waits = "wait 7 state Runnable 30..50 on CPU 3 behind surfaceflinger 16";
    assert_eq!(path(&index, marker(&index, "7 state", 30)), [runnable[0], runnable[1], waits]);
    assert_eq!(path(&index, marker(&index, "7 state", 0)), runnable);
}

#[test]
fn an_interrupted_thread_is_no_waker() {
    for woken in [json!({"waker_tid": 8, "in_interrupt": true}), json!({"waker_tid": 99}), json!({})] {
        let index = recording(woken);
        assert_eq!(
            path(&index, marker(&index, "7 state", 50)),
            ["unknown 7 state Running 50..50", "run 7 state Running 50..80"]
        );
    }
}

#[test]
fn a_runnable_state_refers_to_the_threads_that_ran_on_its_cpu() {
    let index = recording(json!({"waker_tid": 8}));
    let profile = index.profile();
    let runnable = marker(&index, "7 state", 30);
    let shown = |reference: Reference| match reference.target {
        ReferenceTarget::Thread(thread) => {
            format!("{} {} {:?}", reference.relation, profile.thread(thread).tid, reference.ns)
        }
        ReferenceTarget::Flow(_) => "a flow".to_owned(),
    };
    let found: Vec<String> = references(&index, runnable, true).into_iter().map(shown).collect();
    assert_eq!(found, ["Woken by 8 state None", "Runnable on CPU 3 behind 9 state Some(16000)"]);
    let activity = runnable_behind(&index, runnable).expect("a runnable state");
    assert_eq!((activity.blockers[0].count, activity.unknown, activity.idle), (2, 4_000, 0));
    assert!(runnable_behind(&index, marker(&index, "7 state", 50)).is_none(), "a running thread waits for nothing");
}

#[test]
fn the_cpus_and_threads_of_another_machine_are_others() {
    let mut slices = slices_of("2:", json!({"waker_tid": 8}));
    // The machine of the recording has a CPU and a thread with the same numbers.
    slices.push(slice(json!("cpus"), json!(3), "elsewhere", [20, 50], json!({"tid": 12, "pid": 7})));
    slices.push(slice(json!("7"), json!("8 state"), "Sleeping", [0, 100], json!({})));
    let index = trace(&slices.join(","));
    let expected = [
        "unknown 8 state Running 0..0",
        "run 8 state Running 0..30",
        "wait 7 state Running 30..50 on CPU 3 behind surfaceflinger 16",
    ];
    assert_eq!(path(&index, marker(&index, "7 state", 50))[..3], expected);
    let profile = index.profile();
    let woken = references(&index, marker(&index, "7 state", 30), false);
    let machines = woken.iter().map(|reference| match reference.target {
        ReferenceTarget::Thread(thread) => profile.process_of(thread).pid.to_string(),
        ReferenceTarget::Flow(_) => "a flow".to_owned(),
    });
    assert_eq!(machines.collect::<Vec<_>>(), ["2:7"]);
}

#[test]
fn only_running_states_are_work() {
    let index = recording(json!({}));
    let profile = index.profile();
    let (id, thread) = profile.threads_with_ids().find(|(_, thread)| thread.tid == "7 state").expect("states");
    let (busy, states) = (index.rank().thread(id), thread.markers.len());
    assert_eq!((busy, states), (Ns(40_000), 5), "30 and 10 µs; sleeping and runnable time is none");
    assert!(!index.rank().is_idle(id));
}
