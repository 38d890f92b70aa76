//! The first view of recordings of all kinds of producers: the range, the order of rows, what is unfolded, and the colors.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::Program;
use crate::protobuf::Message;
use crate::shown::{Shown, lines};

/// Height of a row in points.
const ROW: f64 = 18.0;

/// The broken rules of a first view.
pub(crate) fn faults(shown: &Shown) -> Vec<String> {
    let rows = shown.rows();
    let empty = shown.items("empty").next().and_then(|line| line["points"].as_f64()).unwrap_or(0.0);
    let folded: Vec<&&Value> = rows.iter().filter(|row| is_folded(row)).collect();
    let mut faults = Vec::new();
    if empty >= ROW && !folded.is_empty() {
        faults.push(format!("{empty} points are empty below folded rows: {folded:?}"));
    }
    // A chart that is not full shows everything, so only a full one is compared.
    let covered = |row: &&&Value| row["covered_ns"].as_i64().unwrap_or(0);
    let most = rows.iter().filter(|row| row["visible"] == true).map(|row| covered(&row)).max().unwrap_or(0);
    if most == 0 && rows.iter().any(|row| covered(&row) > 0) {
        faults.push("no visible row has any contents".to_owned());
    }
    faults
}

/// True for a line that hides contents within the visible range.
fn is_folded(row: &Value) -> bool {
    let hides = row["open"] == false || row["kind"] == "more";
    let has_contents = row["covered_ns"].as_i64().unwrap_or(0) > 0 || row["members"].as_u64().unwrap_or(0) > 0;
    // Idle threads stay hidden unless all of them fit. A chart of samples below slices is a second view of the same time.
    let is_extra = ["idle", "samples", "stack", "flows", "network", "custom_tracks"]
        .contains(&row["kind"].as_str().unwrap_or_default());
    hides && has_contents && !is_extra
}

fn show(name: &str, file: &str, contents: impl AsRef<[u8]>) -> Shown {
    let program = Program::new(name);
    let path = program.file(file, contents);
    let shown = Shown::of(&program, Path::new(&path)).expect("a recording");
    assert_eq!(faults(&shown), Vec::<String>::new());
    shown
}

fn show_events(name: &str, events: &[Value]) -> Shown {
    show(name, "recording.json", json!({ "traceEvents": events }).to_string())
}

fn slice((pid, tid): (u32, u32), name: &str, ts: f64, dur: f64) -> Value {
    json!({"ph": "X", "pid": pid, "tid": tid, "name": name, "cat": "work", "ts": ts, "dur": dur})
}

fn named(what: &str, (pid, tid): (u32, u32), name: &str) -> Value {
    json!({"ph": "M", "pid": pid, "tid": tid, "name": what, "args": {"name": name}})
}

fn range_ms(shown: &Shown) -> (f64, f64, String) {
    let line = shown.items("range").next().expect("a range");
    let ms = |key: &str| line[key].as_f64().expect("a time") / 1e6;
    (ms("start_ns"), ms("end_ns"), line["reason"].as_str().expect("a reason").to_owned())
}

fn row<'a>(shown: &'a Shown, name: &str) -> &'a Value {
    let rows = shown.rows();
    rows.iter().find(|row| row["name"] == name).copied().unwrap_or_else(|| panic!("no row {name}: {rows:?}"))
}

fn place(shown: &Shown, name: &str) -> usize {
    let rows = shown.rows();
    rows.iter().position(|row| row["name"] == name).unwrap_or_else(|| panic!("no row {name}: {rows:?}"))
}

fn colors(shown: &Shown) -> (String, f64) {
    let line = shown.items("colors").next().expect("colors");
    (line["by"].as_str().expect("a property").to_owned(), line["known_share"].as_f64().expect("a share"))
}

#[test]
fn one_absurd_duration_does_not_stretch_the_view() {
    let mut events: Vec<Value> =
        (0..60).map(|number| slice((0, 7), "kernel", 100.0 + f64::from(number) * 90.0, 80.0)).collect();
    // Eleven years, as a counter of a device without a correct clock gives.
    events.insert(20, slice((0, 8), "kernel", 2_000.0, 3.5e14));
    let (start, end, reason) = range_ms(&show_events("view-absurd", &events));
    assert_eq!(reason, "most events");
    assert!(start <= 0.1 && (5.4..6.5).contains(&end), "{start} {end}");
}

#[test]
fn one_event_long_before_the_others_does_not_empty_the_view() {
    let main = (1, 1);
    let mut events = vec![named("thread_name", main, "CrRendererMain"), slice(main, "early", 1e6, 5.0)];
    events.push(
        json!({"ph": "I", "pid": 2, "tid": 2, "name": "TracingStartedInBrowser", "cat": "test", "ts": 6e7, "s": "t"}),
    );
    events.extend((0..40).map(|number| slice(main, "RunTask", 6e7 + f64::from(number) * 1e4, 5e3)));
    let (start, end, reason) = range_ms(&show_events("view-early", &events));
    assert_eq!(reason, "most events");
    assert!((start - 60_000.0).abs() < 1.0 && end < 60_500.0, "{start} {end}");
}

/// A view of events that are spread over the recording is whole.
#[test]
fn a_recording_without_outliers_is_shown_whole() {
    let events: Vec<Value> = (0..60).map(|number| slice((1, 1), "work", f64::from(number) * 1e5, 5e4)).collect();
    assert_eq!(range_ms(&show_events("view-whole", &events)).2, "whole");
}

#[test]
fn workers_are_unfolded_while_there_is_room() {
    let workers = |count: u32| -> Vec<Value> {
        let of = |worker: u32| {
            let own = (1, worker);
            let busy = (0..5).map(move |part| {
                slice(own, &format!("job {worker}"), f64::from(part) * 1e5 + f64::from(worker), 9e4 - f64::from(worker))
            });
            std::iter::once(named("thread_name", own, &format!("worker {worker}"))).chain(busy)
        };
        (1..=count).flat_map(of).collect()
    };
    let few = show_events("view-workers", &workers(9));
    assert!(few.rows().iter().all(|row| row["open"] != false), "{:?}", few.rows());
    let many = show_events("view-many-workers", &workers(60));
    let opened = many.rows().iter().filter(|row| row["kind"] == "thread" && row["open"] == true).count();
    let more = many.rows().into_iter().find(|row| row["kind"] == "more").expect("a line for the others").clone();
    assert!((10..30).contains(&opened), "{opened}");
    assert_eq!(more["members"].as_u64(), Some(60 - opened as u64), "{more}");
    assert_eq!(row(&many, "worker 1")["open"], true, "the busiest come first: {:?}", many.rows());
}

#[test]
fn operations_are_never_idle() {
    let main = (1, 1);
    let mut events = vec![named("process_name", (1, 0), "node"), named("thread_name", main, "JavaScriptMainThread")];
    events.extend((0..5).map(|number| slice(main, "V8.Execute", f64::from(number) * 1e6, 4e5)));
    for number in 0..20 {
        let (id, ts) = (format!("0x{number}"), f64::from(number) * 2e5);
        for (phase, ts) in [("b", ts), ("e", ts + 9e5)] {
            events.push(json!({"ph": phase, "pid": 1, "tid": 1, "id": id, "name": "PROMISE", "cat": "node", "ts": ts}));
        }
    }
    let shown = show_events("view-operations", &events);
    assert_eq!(row(&shown, "Async")["open"], true);
    assert!(row(&shown, "PROMISE")["covered_ns"].as_i64() > Some(4_000_000_000));
}

#[test]
fn unknown_kinds_are_colored_by_category_or_name() {
    let thread = (1, 1);
    let of = |categories: &[&str]| -> Vec<Value> {
        let event = |number: u32| {
            let at = number as usize % categories.len();
            let mut event = slice(thread, &format!("{}Unit", categories[at]), f64::from(number) * 1e3, 900.0);
            event["cat"] = json!(categories[at]);
            event
        };
        (0..60).map(event).collect()
    };
    let many = show_events("view-categories", &of(&["alpha", "beta", "gamma", "delta"]));
    assert_eq!(colors(&many), ("category".to_owned(), 0.0));
    let one = show_events("view-names", &of(&["alpha"]));
    assert_eq!(colors(&one), ("name".to_owned(), 0.0));
    let known = show_events("view-kinds", &of(&["v8", "alpha"]));
    assert_eq!(colors(&known).0, "kind");
}

#[test]
fn counters_are_drawn_as_far_as_they_fit() {
    let mut events = Vec::new();
    for process in 1..=12 {
        events.push(named("process_name", (process, 0), &format!("service {process}")));
        for counter in 0..9 {
            for time in 0..4 {
                let args = json!({"value": counter * time});
                events.push(
                    json!({"ph": "C", "pid": process, "name": format!("m{counter}"), "ts": time * 1000, "args": args}),
                );
            }
        }
    }
    let shown = show_events("view-counters", &events);
    let counters = |process: u32| {
        let first = place(&shown, &format!("service {process}"));
        let own =
            shown.rows().into_iter().skip(first + 1).take_while(|row| row["kind"] != "process").collect::<Vec<_>>();
        own.iter().filter(|row| row["kind"] == "counter").count()
    };
    assert_eq!((counters(1), counters(12)), (3, 3), "{:?}", shown.rows());
    // One process with as many as fit.
    events.retain(|event| event["pid"] == 1);
    let shown = show_events("view-counters-one", &events);
    assert_eq!(shown.rows().iter().filter(|row| row["kind"] == "counter").count(), 9, "{:?}", shown.rows());
}

#[test]
fn a_renderer_that_did_nothing_is_not_the_page() {
    let mut events = vec![
        named("process_name", (1, 0), "Renderer"),
        named("thread_name", (1, 1), "CrRendererMain"),
        slice((1, 1), "RunTask", 10.0, 20.0),
        named("process_name", (2, 0), "service"),
    ];
    events.extend((0..40).map(|number| slice((2, 10), "work", f64::from(number) * 2e4, 1.8e4)));
    let shown = show_events("view-renderer", &events);
    assert!(place(&shown, "service") < place(&shown, "Renderer"), "{:?}", shown.rows());
    let lane = shown.items("lane").find(|lane| lane["name"] == "CPU").expect("a lane");
    assert_eq!(lane["caption"], "service");
}

#[test]
fn a_training_loop_opens_at_a_full_step() {
    let (host, gpu) = ((9, 9), (0, 7));
    let lengths = [4e5, 49.0, 2e5, 2.1e5, 1.9e5];
    let (mut events, mut ts) = (Vec::new(), 0.0);
    for (number, length) in (1..).zip(lengths) {
        let mut step = slice(host, &format!("ProfilerStep#{number}"), ts, length);
        step["cat"] = json!("user_annotation");
        events.push(step);
        for part in 0..20 {
            let mut kernel = slice(gpu, "gemm", ts + length * f64::from(part) / 20.0, length / 25.0);
            kernel["cat"] = json!("kernel");
            events.push(kernel);
        }
        ts += length;
    }
    let shown = show_events("view-steps", &events);
    let (start, end, reason) = range_ms(&shown);
    assert_eq!(reason, "step");
    assert!((start - 400.049).abs() < 1.0 && (600.0..625.0).contains(&end), "{start} {end}");
}

/// A stack takes the rows that its visible range needs.
#[test]
fn a_stack_that_is_deep_elsewhere_leaves_no_empty_rows() {
    let deep = (0..150).map(|depth| slice((1, 1), "deep", 5e6 + f64::from(depth), 1e5 - 2.0 * f64::from(depth)));
    let flat = (0..100).map(|number| slice((1, 1), "flat", f64::from(number) * 1e5, 5e4));
    let events: Vec<Value> = flat.chain(deep).collect();
    let program = Program::new("view-deep");
    let path = program.file("recording.json", json!({ "traceEvents": events }).to_string());
    let whole = lines(&program, Path::new(&path), &["view"]).expect("a view");
    let height = |view: &[Value]| {
        let rows = view.iter().filter(|line| line["item"] == "row" && line["kind"] == "thread");
        rows.map(|row| row["height"].as_f64().unwrap_or(0.0)).sum::<f64>()
    };
    assert!(height(&whole) > 2_000.0, "{whole:?}");
    let saved = program.file("view.json", json!({"visible": [0, 1_000_000_000]}).to_string());
    let part = lines(&program, Path::new(&path), &["view", "--view", &saved]);
    if let Ok(part) = part {
        assert!(height(&part) < 100.0, "{part:?}");
    }
}

/// Frames of Android are no CPU time, the app with frames is first, and its render thread follows its main thread.
#[test]
fn an_app_of_android_precedes_the_scheduler() {
    let packet = |field: u64, contents: &Message| Message::default().number(10, 1).message(field, contents);
    let process = |pid: u64, name: &str| Message::default().number(1, pid).number(2, 1).text(3, name);
    let thread = |tid: u64, pid: u64, name: &str| Message::default().number(1, tid).text(2, name).number(3, pid);
    let tree = Message::default()
        .message(1, &process(40, "com.example.app"))
        .message(1, &process(50, "/system/bin/surfaceflinger"))
        .message(1, &process(60, "system_server"))
        .message(2, &thread(40, 40, "com.example.app"))
        .message(2, &thread(41, 40, "RenderThread"))
        .message(2, &thread(50, 50, "surfaceflinger"))
        .message(2, &thread(60, 60, "system_server"));
    let mut bundle = Message::default().number(1, 0);
    let order = [40_u64, 60, 41, 60, 50, 60];
    for number in 0..60_usize {
        let (from, to) = (order[number % 6], order[(number + 1) % 6]);
        let event = Message::default()
            .text(1, &format!("t{from}"))
            .number(2, from)
            .number(3, 120)
            .number(4, 1)
            .text(5, &format!("t{to}"))
            .number(6, to)
            .number(7, 120);
        let time = (number as u64 + 1) * 1_000_000;
        bundle = bundle.message(2, &Message::default().number(1, time).number(2, from).message(4, &event));
    }
    let mut trace = Message::default().message(1, &packet(2, &tree)).message(1, &packet(1, &bundle));
    for number in 0..20_u64 {
        let (cookie, start) = (100 + number, 1_000_000 + number * 2_900_000);
        // ActualSurfaceFrameStart: cookie, token, display frame token, pid, layer name, present type, on time.
        let frame = Message::default()
            .number(1, cookie)
            .number(2, cookie)
            .number(3, cookie)
            .number(4, 40)
            .text(5, "app#1")
            .number(6, 1)
            .number(7, 1);
        let begin = Message::default().number(8, start).message(76, &Message::default().message(4, &frame));
        let end = Message::default().message(5, &Message::default().number(1, cookie));
        let end = Message::default().number(8, start + 2_000_000).message(76, &end);
        trace = trace.message(1, &begin).message(1, &end);
    }
    let shown = show("view-android", "recording.pftrace", trace.0);
    let processes: Vec<&str> = shown
        .rows()
        .into_iter()
        .filter(|row| row["kind"] == "process")
        .filter_map(|row| row["process"].as_str())
        .collect();
    assert_eq!(processes[..3], ["com.example.app", "surfaceflinger", "CPUs"], "{:?}", shown.rows());
    assert_eq!(shown.rows().iter().find(|row| row["kind"] == "process").expect("an app")["measure"], "cpu");
}
