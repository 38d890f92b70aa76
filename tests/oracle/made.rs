//! Small recordings with known figures, which both the plain reader and the program must find.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::Program;
use crate::reader::{Figures, read};
use crate::shown::Shown;

/// A slice with a clock of its thread.
fn slice(tid: u32, name: &str, ts: f64, dur: f64, tdur: Option<f64>) -> Value {
    let mut event = json!({"ph": "X", "pid": 1, "tid": tid, "name": name, "cat": "test", "ts": ts, "dur": dur});
    if let Some(tdur) = tdur {
        event["tdur"] = json!(tdur);
    }
    event
}

/// A half of a slice.
fn half(phase: &str, tid: u32, name: &str, ts: f64, tts: Option<f64>) -> Value {
    let mut event = json!({"ph": phase, "pid": 1, "tid": tid, "name": name, "cat": "test", "ts": ts});
    if let Some(tts) = tts {
        event["tts"] = json!(tts);
    }
    event
}

/// Five threads: all measured, begins and ends, a message loop, nine tenths measured, and less.
fn trace() -> Value {
    let mut events = vec![
        slice(1, "RunTask", 0.0, 500.0, Some(120.25)),
        slice(1, "FunctionCall", 100.0, 300.0, Some(80.0)),
        slice(1, "RunTask", 600.0, 400.0, Some(400.5)),
        half("B", 2, "outer", 0.0, Some(1000.0)),
        half("B", 2, "inner", 10.0, Some(1005.0)),
        half("E", 2, "inner", 90.0, Some(1020.0)),
        half("E", 2, "outer", 100.0, Some(1030.5)),
        slice(3, "RunLoop::Run", 0.0, 1000.0, Some(700.0)),
        slice(3, "ThreadController active", 0.0, 600.0, Some(500.0)),
        slice(3, "task", 100.0, 50.0, Some(40.0)),
        slice(3, "RunLoop::Run", 110.0, 10.0, Some(5.0)),
        slice(3, "task", 400.0, 100.0, Some(90.0)),
        slice(4, "known", 0.0, 900.0, Some(300.0)),
        slice(4, "unknown", 900.0, 100.0, None),
        slice(5, "known", 0.0, 899.0, Some(300.0)),
        slice(5, "unknown", 900.0, 101.0, None),
        // Asynchronous operations, instants and counters are no work.
        json!({"ph": "b", "pid": 1, "tid": 1, "id": 1, "name": "load", "cat": "test", "ts": 0}),
        json!({"ph": "e", "pid": 1, "tid": 1, "id": 1, "name": "load", "cat": "test", "ts": 1000}),
        json!({"ph": "I", "pid": 1, "tid": 1, "name": "mark", "cat": "test", "ts": 550, "s": "t"}),
        json!({"ph": "C", "pid": 1, "tid": 1, "name": "count", "ts": 560, "args": {"n": 5}}),
    ];
    events.extend((1..=5).map(|tid| {
        let args = json!({"name": format!("thread {tid}")});
        json!({"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": args})
    }));
    json!({"traceEvents": events})
}

/// The figures that a thread must have.
#[derive(Clone, Copy)]
struct Known {
    thread: &'static str,
    cpu_ns: Option<i64>,
    busy_ns: Option<i64>,
}

fn known(thread: &'static str, cpu_ns: impl Into<Option<i64>>, busy_ns: i64) -> Known {
    Known { thread, cpu_ns: cpu_ns.into(), busy_ns: Some(busy_ns) }
}

/// Reads the figures with the plain reader and the program, and checks that both are the expected ones by thread.
#[track_caller]
fn check(name: &str, recording: &Value, expected: &[Known]) -> Shown {
    let text = recording.to_string();
    let plain = read(text.as_bytes()).expect("readable");
    let program = Program::new(name);
    let path = program.file("recording.json", &text);
    let shown = Shown::of(&program, Path::new(&path)).expect("a recording");
    for Known { thread, cpu_ns, busy_ns } in expected {
        let found = plain.threads.iter().find(|other| other.name.as_deref() == Some(*thread)).expect("a thread");
        let Figures { cpu_ns: cpu, busy_ns: busy, .. } = found.figures();
        assert_eq!((cpu, busy), (*cpu_ns, *busy_ns), "the plain reader: {thread}");
        let line = shown.threads.iter().chain(&shown.streams).find(|line| line["name"] == *thread).expect("a line");
        assert_eq!((line["cpu_ns"].as_i64(), line["busy_ns"].as_i64()), (*cpu_ns, *busy_ns), "{line}");
    }
    shown
}

#[test]
fn thread_clocks_of_slices_are_cpu_time() {
    let expected = [
        known("thread 1", 520_750, 900_000),
        known("thread 2", 30_500, 100_000),
        known("thread 3", 700_000, 150_000),
        known("thread 4", 300_000, 1_000_000),
        known("thread 5", None, 1_000_000),
    ];
    let shown = check("oracle-made-trace", &trace(), &expected);
    // One of the threads has no CPU time, so that the process has none.
    let rows = shown.rows();
    let process = rows.iter().find(|row| row["kind"] == "process").expect("a process");
    assert_eq!(
        (process["measure"].as_str(), process["value_ns"].as_i64()),
        (Some("busy"), Some(3_150_000)),
        "{process}"
    );
    assert!(process["value"].as_str().is_some_and(|value| value.contains("3.15 ms on 5 threads")), "{process}");
}

#[test]
fn a_process_of_measured_threads_has_cpu_time() {
    let mut recording = trace();
    recording["traceEvents"].as_array_mut().expect("events").retain(|event| event["tid"] != 5);
    let shown = check("oracle-made-process", &recording, &[known("thread 1", 520_750, 900_000)]);
    let rows = shown.rows();
    let process = rows.iter().find(|row| row["kind"] == "process").expect("a process");
    assert_eq!(
        (process["measure"].as_str(), process["value_ns"].as_i64()),
        (Some("cpu"), Some(1_551_250)),
        "{process}"
    );
}

#[test]
fn message_loops_are_not_busy() {
    let mut recording = trace();
    let events = recording["traceEvents"].as_array_mut().expect("events");
    events.push(slice(1, "MessagePump::Run", 0.0, 2000.0, Some(900.0)));
    events.push(slice(5, "ThreadController active", 0.0, 1500.0, Some(1500.0)));
    let expected = [known("thread 1", 900_000, 900_000), known("thread 5", 1_500_000, 1_000_000)];
    check("oracle-made-loops", &recording, &expected);
}

/// A Firefox profile whose deltas have a unit. The first frame is idle, the second one is not, and the third one has no category.
fn profile(unit: Option<&str>, samples: &[Row]) -> Value {
    let rows: Vec<Value> = samples.iter().map(|row| json!([row.stack, row.ms, row.delta])).collect();
    let mut meta = json!({
        "version": 34, "interval": 2, "startTime": 1000, "processType": 0, "product": "Firefox", "markerSchema": [],
        "categories": [{"name": "Idle", "color": "transparent", "subcategories": ["Other"]},
            {"name": "Other", "color": "grey", "subcategories": ["Other"]}],
    });
    if let Some(unit) = unit {
        meta["sampleUnits"] = json!({"time": "ms", "eventDelay": "ms", "threadCPUDelta": unit});
    }
    json!({
        "meta": meta, "libs": [], "pages": [], "processes": [], "pausedRanges": [],
        "threads": [{
            "name": "GeckoMain", "processType": "default", "processName": "Parent Process", "pid": 1, "tid": 1,
            "registerTime": 0, "unregisterTime": null,
            "samples": {"schema": {"stack": 0, "time": 1, "threadCPUDelta": 2}, "data": rows},
            "markers": {"schema": {"name": 0, "startTime": 1, "endTime": 2, "phase": 3, "category": 4, "data": 5}, "data": []},
            "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [null, 1], [1, 2]]},
            "frameTable": {"schema": {"location": 0, "category": 1}, "data": [[0, 0], [1, 1], [1, null]]},
            "stringTable": ["wait", "run"],
        }],
    })
}

/// A sample with stack 0 (idle), 1 (work) or 2 (work, by a frame without a category).
#[derive(Clone, Copy)]
struct Row {
    stack: u32,
    ms: f64,
    delta: Option<u64>,
}

const fn row(stack: u32, ms: f64, delta: Option<u64>) -> Row {
    Row { stack, ms, delta }
}

/// The first delta is about the time before the recording, one is unknown, an idle sample has one, and the last one is
/// longer than the time since the sample before.
const SAMPLES: [Row; 6] = [
    row(1, 0.0, Some(900)),
    row(0, 2.0, Some(0)),
    row(0, 4.0, Some(30)),
    row(1, 6.0, None),
    row(2, 8.0, Some(500)),
    row(1, 9.0, Some(4000)),
];

/// 2 ms, 2 ms, 1 ms, and the interval.
const BUSY: i64 = 7_000_000;

#[test]
fn deltas_of_samples_are_cpu_time() {
    check("oracle-made-us", &profile(Some("µs"), &SAMPLES), &[known("GeckoMain", 4_530_000, BUSY)]);
    check("oracle-made-ns", &profile(Some("ns"), &SAMPLES), &[known("GeckoMain", 4_530, BUSY)]);
    // Cycles have no length, and without a unit there is no clock.
    check("oracle-made-cycles", &profile(Some("variable CPU cycles"), &SAMPLES), &[known("GeckoMain", None, BUSY)]);
    check("oracle-made-none", &profile(None, &SAMPLES), &[known("GeckoMain", None, BUSY)]);
}

#[test]
fn idle_samples_add_nothing() {
    let mut samples = SAMPLES.to_vec();
    samples.extend((0..50).map(|at| row(0, 11.0 + 2.0 * f64::from(at), Some(0))));
    check("oracle-made-idle", &profile(Some("µs"), &samples), &[known("GeckoMain", 4_530_000, BUSY)]);
}

#[test]
fn idle_is_not_busy_in_a_cpu_profile() {
    let node = |id: u32, name: &str, children: &[u32]| {
        let frame = json!({"functionName": name, "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1});
        json!({"id": id, "callFrame": frame, "hitCount": 1, "children": children})
    };
    let nodes = [
        node(1, "(root)", &[2, 3, 4, 5]),
        node(2, "(program)", &[]),
        node(3, "(idle)", &[]),
        node(4, "(garbage collector)", &[]),
        node(5, "work", &[]),
    ];
    let recording = json!({
        "nodes": nodes, "startTime": 100, "endTime": 1500, "samples": [2, 3, 4, 3, 5], "timeDeltas": [0, 100, 300, 50, 400],
    });
    let text = recording.to_string();
    // (program) 100, (garbage collector) 50, and work for a quarter of the time from 100 to 950.
    let expected = Figures { cpu_ns: None, busy_ns: Some(362_500), measured_share: None };
    assert_eq!(read(text.as_bytes()).expect("readable").threads[0].figures(), expected);
    let program = Program::new("oracle-made-cpuprofile");
    let path = program.file("recording.cpuprofile", &text);
    let shown = Shown::of(&program, Path::new(&path)).expect("a recording");
    assert_eq!((&shown.threads[0]["cpu_ns"], &shown.threads[0]["busy_ns"]), (&Value::Null, &json!(362_500)));
}
