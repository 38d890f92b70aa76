//! Names and states of threads in Linux kernel events.

use super::kernel::{bundle, print, switch};
use super::*;

/// The system's list of processes.
fn processes(pids: &[u64]) -> Message {
    let tree = pids.iter().fold(message(), |tree, pid| tree.message(1, &message().number(1, *pid).text(3, "/bin/app")));
    message().message(2, &tree)
}

/// A new task with its name and flags.
fn new_task(tid: u64, name: &str, flags: u64) -> Message {
    message().message(235, &message().number(1, tid).text(2, name).number(3, flags))
}

fn rename(tid: u64, name: &str) -> Message {
    message().message(236, &message().number(1, tid).text(2, "old").text(3, name))
}

/// A packet with the release of the kernel.
fn release(text: &str) -> Message {
    message().message(45, &message().message(1, &message().text(1, "Linux").text(3, text)))
}

/// Process and name of each thread.
fn threads(packets: &[Message]) -> Vec<String> {
    let imported = flowline::import::read(trace(packets), &flowline::import::Progress::default()).expect("a trace");
    let profile = &imported.profile;
    profile.threads_with_ids().map(|(id, thread)| format!("{}/{}", profile.process_of(id).name, thread.name)).collect()
}

#[test]
fn a_thread_and_its_states_have_the_name_of_its_switches() {
    let packets = [
        processes(&[20]),
        bundle(
            0,
            &[
                (50, 0, switch(0, 0, 20, "ui")),
                (60, 20, print("B|20|work")),
                (70, 20, print("E|20")),
                (80, 20, switch(20, 1, 0, "swapper")),
                (90, 0, print("I|20|end")),
            ],
        ),
    ];
    assert_eq!(threads(&packets), ["CPUs/CPU 0", "app/ui", "app/ui: state", "app/Thread 0"]);
}

#[test]
fn a_main_thread_belongs_to_its_process() {
    let compact = message()
        .numbers(1, &[100, 50])
        .numbers(2, &[1, 1])
        .numbers(3, &[30, 0])
        .numbers(4, &[120, 0])
        .text(5, "columns")
        .numbers(6, &[0, 0]);
    let packets = [
        processes(&[20, 30]),
        bundle(0, &[(50, 0, switch(0, 0, 20, "main")), (80, 20, switch(20, 1, 0, "")), (300, 0, print("E"))]),
        message().message(1, &message().number(1, 1).message(4, &compact)),
    ];
    let states: Vec<String> = threads(&packets).into_iter().filter(|name| name.ends_with("state")).collect();
    assert_eq!(states, ["app/main: state", "app/columns: state"]);
}

#[test]
fn the_latest_name_of_a_thread_applies() {
    let previous = message().message(4, &message().text(1, "renamed").number(2, 21).signed(4, 1).number(6, 0));
    let packets = [
        processes(&[20]),
        // The later name comes first in the file.
        bundle(1, &[(70, 21, previous)]),
        bundle(0, &[(50, 20, new_task(21, "parent", 0x1_0000)), (60, 0, switch(0, 0, 21, "young"))]),
        bundle(0, &[(80, 20, new_task(22, "child", 0)), (85, 22, rename(22, "tool")), (90, 22, print("I|22|a"))]),
        bundle(2, &[(10, 0, switch(0, 0, 22, "older")), (20, 22, switch(22, 1, 0, ""))]),
    ];
    let names = threads(&packets);
    let has = |name: &str| names.iter().any(|known| known == name);
    assert!(has("app/renamed: state") && has("tool/tool") && has("tool/tool: state"), "{names:?}");
}

#[test]
fn better_names_stay() {
    let tree = message()
        .message(1, &message().number(1, 7).text(3, "app"))
        .message(2, &message().number(1, 8).text(2, "listed").number(3, 7));
    let packets = [
        message().message(2, &tree),
        thread(1, 7, 7, "own"),
        bundle(0, &[(50, 0, switch(0, 0, 7, "comm")), (60, 7, switch(7, 1, 8, "comm")), (70, 8, switch(8, 1, 0, ""))]),
    ];
    let expected = ["CPUs/CPU 0 own 50..60 0", "CPUs/CPU 0 listed 60..70 0"];
    let found: Vec<String> = slices(&packets).into_iter().filter(|slice| slice.starts_with("CPUs")).collect();
    assert_eq!(found, expected);
}

/// End states of the runs of thread 9 and names of its states, for states in context switches.
fn states(kernel: Option<&str>, raw: &[i64]) -> (Vec<String>, Vec<String>) {
    let mut events = Vec::new();
    for (at, state) in (0_u64..).zip(raw) {
        events.push((100 * at + 10, 0, switch(0, 0, 9, "t")));
        events.push((100 * at + 50, 9, switch(9, *state, 0, "")));
    }
    events.push((10_000, 0, switch(0, 0, 9, "t")));
    let read = read(&[kernel.map_or_else(|| processes(&[9]), release), bundle(0, &events)]);
    let all = || read.tracks.iter().flat_map(|track| &track.slices);
    let ends = all().filter_map(|slice| slice.args.get("end_state")?.as_str().map(str::to_owned)).collect();
    let is_state = |name: &str| !matches!(name, "t" | "Running");
    let names = all().map(|slice| slice.name.clone()).filter(|name| is_state(name)).collect();
    (ends, names)
}

#[test]
fn states_follow_the_version_of_the_kernel() {
    let raw = [0x100, 0x40, 0x80, 0x800, 1];
    let (ends, names) = states(Some("6.1.25-android14"), &raw);
    assert_eq!(ends, ["R+", "P", "I", "R", "S"]);
    assert_eq!(names, ["Runnable (Preempted)", "Parked", "Idle", "Runnable", "Sleeping"]);
    let old =
        (["W", "x", "K", "R+", "S"], ["Not running", "Exited", "Not running", "Runnable (Preempted)", "Sleeping"]);
    for kernel in [Some("4.4.302"), None, Some("unknown")] {
        let (ends, names) = states(kernel, &raw);
        assert_eq!((ends, names), (old.0.map(str::to_owned).to_vec(), old.1.map(str::to_owned).to_vec()), "{kernel:?}");
    }
    assert_eq!(states(Some("4.9.0"), &[0x1000, 0x800]).0, ["R+", "n"]);
}

#[test]
fn a_new_thread_can_run_from_its_creation_on() {
    let packets = [
        processes(&[100]),
        bundle(
            0,
            &[
                (10, 0, switch(0, 0, 100, "parent")),
                (20, 100, new_task(101, "parent", 0x1_0000)),
                (50, 100, switch(100, 1, 101, "child")),
                (90, 101, switch(101, 1, 0, "")),
                (95, 101, print("I|100|end")),
            ],
        ),
    ];
    let found: Vec<String> = slices(&packets).into_iter().filter(|slice| slice.contains("child: state")).collect();
    let expected = ["Runnable 20..50", "Running 50..90", "Sleeping 90..95"];
    assert_eq!(found, expected.map(|state| format!("app/child: state {state} 0")));
    let runnable = slice_named(&read(&packets), "Runnable");
    assert_eq!(runnable.args["waker_tid"], 100);
}

#[test]
fn lost_events_end_the_running_slice() {
    let lossy = |event: &Message| {
        let event = Message([message().number(1, 500).number(2, 8).0, event.0.clone()].concat());
        message().message(1, &message().number(1, 0).number(3, 1).message(2, &event))
    };
    let packets = [
        processes(&[7, 8]),
        bundle(0, &[(100, 0, switch(0, 0, 7, "a")), (150, 7, print("I|7|last"))]),
        lossy(&switch(8, 1, 7, "a")),
        bundle(0, &[(600, 7, switch(7, 1, 0, ""))]),
    ];
    let found: Vec<String> = slices(&packets).into_iter().filter(|slice| !slice.contains("last")).collect();
    let expected = [
        "CPUs/CPU 0 a 100..150 0",
        "CPUs/CPU 0 a 500..600 0",
        "app/a: state Running 100..150 0",
        "app/a: state Running 500..600 0",
        "app/Thread 8: state Sleeping 500..600 0",
    ];
    assert_eq!(found, expected);
    assert_eq!(warned(&read(&packets), "not_drawn"), 1);
}

#[test]
fn events_before_those_of_all_cpus_are_left_out() {
    // Fields 9 and 10 of the first bundle of a CPU state the time from which it has all events.
    for field in [9, 10] {
        let starting = |cpu: u64, start: u64, events: &[(u64, u64, Message)]| {
            let bundle =
                events.iter().fold(message().number(1, cpu).number(field, start), |bundle, (ts, tid, what)| {
                    bundle.message(2, &Message([message().number(1, *ts).number(2, *tid).0, what.0.clone()].concat()))
                });
            message().message(1, &bundle)
        };
        let packets = [
            processes(&[7]),
            starting(0, 10, &[(20, 0, switch(0, 0, 7, "a")), (30, 7, print("I|7|early")), (90, 7, print("I|7|first"))]),
            starting(1, 80, &[(95, 0, switch(0, 0, 8, "b"))]),
            starting(1, 200, &[(210, 8, switch(8, 1, 0, ""))]),
        ];
        let expected = ["CPUs/CPU 1 b 95..210 0", "CPUs/b 8: state Running 95..210 0", "app/a first 90 0"];
        assert_eq!(slices(&packets), expected, "{field}");
        assert_eq!(warned(&read(&packets), "not_drawn"), 2);
    }
}

#[test]
fn a_sleep_has_the_reason_that_follows_it() {
    let reason = |tid: u64, function: u64, by_io: u64| {
        message().message(18, &message().number(1, tid).number(2, function).number(3, by_io))
    };
    let waking = |woken: u64| message().message(20, &message().number(2, woken));
    let events = [
        (10, 0, switch(0, 0, 7, "a")),
        (20, 7, switch(7, 2, 0, "")),
        (30, 0, waking(7)),
        // The kernel states the reason after the wake-up.
        (31, 0, reason(7, 5, 1)),
        (40, 0, switch(0, 0, 7, "a")),
        (50, 7, switch(7, 2, 0, "")),
        (60, 0, reason(7, 9, 0)),
        (61, 0, waking(7)),
        (70, 0, switch(0, 0, 7, "a")),
        (80, 7, switch(7, 2, 0, "")),
        (90, 0, waking(7)),
    ];
    let symbols = message().message(26, &message().number(1, 5).text(2, "folio_wait_bit"));
    let start = message().number(10, 1).number(13, 1).message(12, &symbols);
    let packets = [processes(&[7]), Message([start.0, bundle(0, &events).0].concat())];
    let read = read(&packets);
    let slices = read.tracks.iter().flat_map(|track| &track.slices).filter(|slice| slice.name.contains("Sleep"));
    let found: Vec<(&str, i64, serde_json::Value)> =
        slices.map(|slice| (slice.name.as_str(), slice.start_ns, slice.args.clone())).collect();
    let expected = [
        ("Uninterruptible Sleep (IO)", 20, serde_json::json!({"io_wait": true, "blocked_function": "folio_wait_bit"})),
        ("Uninterruptible Sleep (non-IO)", 50, serde_json::json!({"io_wait": false})),
        ("Uninterruptible Sleep", 80, serde_json::Value::Null),
    ];
    assert_eq!(found, expected);
}
