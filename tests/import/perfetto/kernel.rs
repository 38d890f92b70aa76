//! Linux kernel events: threads running on CPUs, and text printed by programs.

use super::*;

/// A bundle of events of a CPU: time, thread, and event.
pub(super) fn bundle(cpu: u64, events: &[(u64, u64, Message)]) -> Message {
    let start = message().number(1, cpu);
    let bundle = events.iter().fold(start, |bundle, (ts, tid, what)| {
        bundle.message(2, &Message([message().number(1, *ts).number(2, *tid).0, what.0.clone()].concat()))
    });
    message().message(1, &bundle)
}

pub(super) fn switch(previous: u64, state: i64, next: u64, name: &str) -> Message {
    message().message(4, &message().number(2, previous).signed(4, state).text(5, name).number(6, next).number(7, 120))
}

pub(super) fn print(line: &str) -> Message {
    message().message(3, &message().text(2, line))
}

/// The slices of CPUs.
fn on_processors(packets: &[Message]) -> Vec<String> {
    slices(packets).into_iter().filter(|slice| slice.starts_with("CPUs/CPU")).collect()
}

#[test]
fn cpus_have_rows_with_the_running_threads() {
    let tree = message()
        .message(1, &message().number(1, 7).text(3, "app"))
        .message(2, &message().number(1, 70).text(2, "worker").number(3, 7));
    let packets = [
        message().message(2, &tree),
        bundle(
            1,
            &[
                (100, 5, switch(5, 1, 70, "comm")),
                (150, 70, switch(70, 2, 0, "swapper")),
                (200, 0, switch(0, 0, 9, "other")),
            ],
        ),
        bundle(0, &[(120, 6, switch(6, 1, 6, "lost")), (130, 8, switch(8, 1, 9, "other"))]),
        bundle(0, &[(260, 9, switch(9, 2048, 0, "swapper"))]),
    ];
    assert_eq!(
        on_processors(&packets),
        [
            // The switch that ended this run was lost.
            "CPUs/CPU 0 lost 120..130 0",
            "CPUs/CPU 0 other 130..260 0",
            "CPUs/CPU 1 worker 100..150 0",
            "CPUs/CPU 1 other 200..260 0",
        ]
    );
    let ran = slice_named(&read(&packets), "worker");
    assert_eq!(ran.args, serde_json::json!({"tid": 70, "pid": 7, "process": "app", "priority": 120, "end_state": "D"}));
}

#[test]
fn switches_may_be_stored_in_columns() {
    let compact = message()
        .numbers(1, &[100, 50, 25])
        .numbers(2, &[1, 0, 2])
        .numbers(3, &[8, 0, 9])
        .numbers(4, &[120, 0, 100])
        .text(5, "alpha")
        .text(5, "idle")
        .numbers(6, &[0, 1, 0]);
    let packets = [
        message().message(1, &message().number(1, 3).message(4, &compact)),
        bundle(3, &[(300, 9, switch(9, 1, 0, ""))]),
    ];
    assert_eq!(on_processors(&packets), ["CPUs/CPU 3 alpha 100..150 0", "CPUs/CPU 3 alpha 175..300 0"]);
}

#[test]
fn threads_have_rows_with_their_states() {
    let waking = |woken: u64| message().message(20, &message().number(2, woken));
    let tree = message()
        .message(1, &message().number(1, 7).text(3, "app"))
        .message(2, &message().number(1, 7).text(2, "zygote").number(3, 7))
        .message(2, &message().number(1, 8).text(2, "worker").number(3, 7));
    let packets = [
        message().message(2, &tree),
        // The file contains the events of one CPU after those of another.
        bundle(
            1,
            &[(100, 0, switch(0, 0, 7, "zygote")), (200, 7, switch(7, 1, 0, "idle")), (500, 7, print("B|7|draw"))],
        ),
        bundle(0, &[(150, 7, waking(8)), (160, 7, waking(8)), (170, 0, switch(0, 0, 8, "worker"))]),
        bundle(0, &[(300, 8, waking(7)), (310, 8, switch(8, 2048, 7, "zygote")), (400, 7, switch(7, 2, 8, "worker"))]),
        bundle(0, &[(600, 8, print("I|7|end"))]),
    ];
    let states: Vec<String> = slices(&packets).into_iter().filter(|slice| slice.contains(": state ")).collect();
    let expected = [
        "app/zygote: state Running 100..200 0",
        "app/zygote: state Sleeping 200..300 0",
        "app/zygote: state Runnable 300..310 0",
        "app/zygote: state Running 310..400 0",
        "app/zygote: state Uninterruptible Sleep 400..600 0",
        "app/worker: state Runnable 150..170 0",
        "app/worker: state Running 170..310 0",
        "app/worker: state Runnable (Preempted) 310..400 0",
        "app/worker: state Running 400..600 0",
    ];
    assert_eq!(states, expected);
    let read = read(&packets);
    let woken: Vec<_> =
        read.tracks.iter().flat_map(|track| &track.slices).filter(|slice| slice.name == "Runnable").collect();
    assert_eq!(woken[0].args, serde_json::json!({"waker_tid": 8, "waker": "worker"}));
    // The states of the main thread are below it, before other threads.
    let order: Vec<&str> = read.tracks.iter().map(|track| track.tid.as_str()).collect();
    let of_app: Vec<&str> = order.into_iter().filter(|tid| tid.starts_with(['7', '8'])).collect();
    assert_eq!(of_app, ["7", "7 state", "8", "8 state"]);
}

#[test]
fn printed_lines_become_slices_and_counters() {
    let line = |cpu: u64, ts: u64, tid: u64, text: &str| bundle(cpu, &[(ts, tid, print(text))]);
    let packets = [
        line(0, 10, 70, "B|7|draw|frame\n"),
        line(0, 20, 70, "B|7|inner"),
        // The thread continues on another CPU, whose events come later in the file.
        line(1, 40, 70, "E|7"),
        line(0, 30, 70, "E|7\n"),
        line(0, 50, 70, "S|7|load|1"),
        line(0, 55, 70, "S|7|load|2"),
        line(0, 60, 71, "F|7|load|1"),
        line(0, 70, 71, "F|7|load|2"),
        line(0, 80, 70, "C|7|queue|3"),
        line(0, 90, 70, "I|7|now"),
        line(0, 100, 70, "N|7|events|tap"),
        line(0, 110, 70, "G|7|frames|frame 1|9"),
        line(0, 120, 70, "H|7|frames|9"),
        line(0, 122, 70, "C|7|queue|4|category"),
        line(0, 125, 70, "C|7|queue|many"),
        line(0, 130, 70, "hello"),
        line(0, 140, 70, "trace_event_clock_sync: parent_ts=1"),
    ];
    let expected = [
        "Thread 70 draw|frame 10..40 0",
        "Thread 70 inner 20..30 1",
        "Thread 70 now 90 0",
        "events tap 100 0",
        "frames frame 1 110..120 0",
        "load load 50..60 0",
        "load load 55..70 0",
    ];
    assert_eq!(slices(&packets), expected.map(|slice| format!("Process 7/{slice}")));
    let read = read(&packets);
    assert_eq!(
        (read.counters[0].name.as_str(), &read.counters[0].series[0].1),
        ("queue", &vec![(80, 3.0), (122, 4.0)])
    );
    assert_eq!(warned(&read, "not_drawn"), 2);
}

#[test]
fn an_operation_that_runs_begins_no_second_time() {
    let line = |cpu: u64, ts: u64, tid: u64, text: &str| bundle(cpu, &[(ts, tid, print(text))]);
    let packets = [
        // CPU 1 comes first in the file, though its begin is the second one.
        line(1, 1010, 11, "S|10|job|0"),
        line(0, 1000, 10, "S|10|job|0"),
        line(0, 1030, 12, "F|10|job|0"),
        line(0, 1040, 12, "S|10|job|0"),
        line(0, 1050, 12, "F|10|job|0"),
        line(0, 1100, 12, "G|10|lane|step|7"),
        line(0, 1110, 12, "G|10|lane|other|7"),
        line(0, 1120, 12, "H|10|lane|7"),
    ];
    let expected = ["job job 1000..1030 0", "job job 1040..1050 0", "lane step 1100..1120 0"];
    assert_eq!(slices(&packets), expected.map(|slice| format!("Process 10/{slice}")));
    assert_eq!(warned(&read(&packets), "not_drawn"), 2);
}

#[test]
fn an_unlisted_thread_gets_its_process_from_printed_lines() {
    // The end comes before the begin in the file and does not contain the process.
    let packets = [
        bundle(1, &[(20, 301, print("E"))]),
        bundle(0, &[(10, 301, print("B|300|at")), (30, 301, switch(301, 1, 0, ""))]),
    ];
    assert_eq!(slices(&packets)[0], "Process 300/Thread 301 at 10..20 0");
}

#[test]
fn frequencies_and_memory_are_counters() {
    let frequency = |state: u64| message().message(11, &message().number(1, state).number(2, 5));
    let idle = |state: u64| message().message(13, &message().number(1, state).number(2, 5));
    let memory = message().message(1, &message().number(1, 7).number(3, 10).signed(10, -900));
    let oom_score = |score: u64| message().message(326, &message().text(1, "app").number(2, score).number(3, 7));
    let packets = [
        bundle(0, &[(10, 0, frequency(1000)), (20, 0, idle(2)), (30, 0, idle(u64::from(u32::MAX)))]),
        at(40).message(9, &memory),
        bundle(1, &[(50, 7, oom_score(900)), (60, 7, oom_score(0))]),
    ];
    let told: Vec<_> = read(&packets)
        .counters
        .into_iter()
        .map(|counter| (counter.pid, counter.name, counter.series[0].1.clone()))
        .collect();
    let expected = [
        ("cpus", "CPU 5 frequency", vec![(10, 1000.0)]),
        ("cpus", "CPU 5 idle state", vec![(20, 2.0), (30, -1.0)]),
        ("7", "mem.rss", vec![(40, 10_240.0)]),
        ("7", "oom_score_adj", vec![(40, -900.0), (50, 900.0), (60, 0.0)]),
    ];
    assert_eq!(told, expected.map(|(pid, name, samples)| (pid.to_owned(), name.to_owned(), samples)));
}

#[test]
fn bundles_may_use_another_clock() {
    let bundle = |shift: Option<(u64, u64)>, ts: u64| {
        let start = message().number(1, 0).number(5, 2);
        let start = shift.map_or(start.clone(), |(own, boot)| start.number(6, own).number(7, boot));
        message().message(
            1,
            &start.message(2, &Message([message().number(1, ts).number(2, 70).0, print("I|7|a").0].concat())),
        )
    };
    let packets = [bundle(Some((1000, 5000)), 1100), bundle(None, 1200)];
    assert_eq!(slices(&packets), ["Process 7/Thread 70 a 5100 0", "Process 7/Thread 70 a 5200 0"]);
}

#[test]
fn the_states_of_a_thread_are_a_track_below_it() {
    let packets = [
        process(1, 7, "app"),
        thread(2, 7, 8, "worker"),
        event(100, BEGIN, 2, "job"),
        event(400, END, 2, ""),
        bundle(0, &[(100, 9, switch(9, 1, 8, "worker")), (400, 8, switch(8, 1, 9, "other"))]),
    ];
    let read = flowline::import::read(trace(&packets), &flowline::import::Progress::default()).expect("a trace");
    let profile = &read.profile;
    let states = profile.threads_with_ids().find(|(_, thread)| thread.tid == "8 state").expect("states of the thread");
    let parent = states.1.parent.map(|id| (profile.thread(id).name.as_str(), profile.thread(id).nested));
    assert_eq!((parent, profile.is_thread(states.0)), (Some(("worker", 1)), false));
    assert_eq!(profile.long_name(states.0), "worker: state");
    // The other thread has only states, which represent it. The CPU is not a thread.
    assert_eq!(profile.thread_count(), 2);
}
