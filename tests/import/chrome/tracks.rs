//! Order of processes and threads, and recordings with distant clusters.

use flowline::import::{Progress, read};
use flowline::profile::{LocalMarker, Ns, Profile, ThreadId, TimeRange, TrackKind, WarningKind};

fn profile(events: &[String]) -> Profile {
    let text = format!("[{}]", events.join(","));
    read(text.into_bytes(), &Progress::default()).expect("a trace").profile
}

/// A slice, with times in microseconds.
fn slice(pid: u32, tid: u32, ts: i64, dur: i64) -> String {
    format!(r#"{{"ph":"X","name":"x","pid":{pid},"tid":{tid},"ts":{ts},"dur":{dur}}}"#)
}

/// A metadata event; `value` is JSON.
fn metadata(kind: &str, pid: u32, tid: u32, member: &str, value: &str) -> String {
    format!(r#"{{"ph":"M","name":"{kind}","pid":{pid},"tid":{tid},"args":{{"{member}":{value}}}}}"#)
}

fn thread(pid: u32, tid: u32, name: &str) -> [String; 2] {
    [slice(pid, tid, 0, 1), metadata("thread_name", pid, tid, "name", &format!("\"{name}\""))]
}

fn names(profile: &Profile) -> Vec<String> {
    profile.threads.iter().map(|thread| thread.name.to_string()).collect()
}

#[test]
fn threads_are_in_natural_order_with_the_main_thread_first() {
    let threads = [(12, "Worker-10"), (13, "Worker-2"), (14, "CrRendererMain"), (15, "Audio"), (16, "worker-1")];
    let events: Vec<String> = threads.iter().flat_map(|(tid, name)| thread(1, *tid, name)).collect();
    let found = profile(&events);
    assert_eq!(names(&found), ["CrRendererMain", "Audio", "worker-1", "Worker-2", "Worker-10"]);
    assert!(found.threads[0].is_main);
    let unnamed = [slice(1, 20, 0, 1), slice(1, 9, 0, 1), slice(1, 1, 0, 1), slice(1, 100, 0, 1)];
    assert_eq!(names(&profile(&unnamed)), ["Thread 1", "Thread 9", "Thread 20", "Thread 100"]);
}

#[test]
fn a_sort_index_takes_precedence_over_names_and_the_main_thread() {
    let mut events: Vec<String> =
        [(1, "main"), (2, "b"), (3, "a")].iter().flat_map(|(tid, name)| thread(1, *tid, name)).collect();
    assert_eq!(names(&profile(&events)), ["main", "a", "b"]);
    events.push(metadata("thread_sort_index", 1, 1, "sort_index", "5"));
    events.push(metadata("thread_sort_index", 1, 2, "sort_index", "-1"));
    assert_eq!(names(&profile(&events)), ["b", "a", "main"]);
}

#[test]
fn processes_are_ordered_by_sort_index_browser_name_and_number() {
    let name = |pid: u32, name: &str| metadata("process_name", pid, pid, "name", &format!("\"{name}\""));
    let mut events: Vec<String> = [7, 30, 4, 100, 20].iter().map(|pid| slice(*pid, *pid, 0, 1)).collect();
    events.extend([
        name(7, "Renderer"),
        name(30, "Browser"),
        name(4, "GPU"),
        name(100, "Renderer"),
        name(20, "Renderer"),
    ]);
    let pids =
        |events: &[String]| profile(events).processes.iter().map(|process| process.pid.clone()).collect::<Vec<_>>();
    assert_eq!(pids(&events), ["30", "4", "7", "20", "100"]);
    events.push(metadata("process_sort_index", 100, 100, "sort_index", "-3"));
    assert_eq!(pids(&events), ["100", "30", "4", "7", "20"]);
}

#[test]
fn the_main_cluster_is_shown_first_and_sets_the_time_origin() {
    // Five seconds on one clock and three events on another, 13 days away.
    let day = 86_400_000_000;
    let mut events: Vec<String> = (0..100).map(|at| slice(1, 1, 13 * day + at * 50_000, 40_000)).collect();
    events.extend((0..3).map(|at| slice(1, 2, at, 1)));
    let found = profile(&events);
    let cluster = found.main_cluster().expect("two clusters");
    assert_eq!(cluster.range, TimeRange::new(Ns(13 * day * 1000), Ns((13 * day + 99 * 50_000 + 40_000) * 1000)));
    assert_eq!(cluster.outside, 3);
    assert_eq!(found.clock().show(Ns((13 * day + 1) * 1000)), Ns(1000));
    let view = found.first_view();
    assert!(view.start <= cluster.range.start && cluster.range.end <= view.end && view.len() < 6_000_000_000);
    assert_eq!(found.warnings.count(WarningKind::SeveralClocks), 3);
}

#[test]
fn asynchronous_slices_keep_the_threads_of_their_events() {
    let event = |ph: &str, tid: u32, ts: u32| {
        format!(r#"{{"ph":"{ph}","pid":1,"tid":{tid},"ts":{ts},"cat":"net","name":"load","id":"0x1"}}"#)
    };
    let mut events: Vec<String> = thread(1, 1, "Main").into_iter().chain(thread(1, 2, "Socket")).collect();
    events.extend([event("b", 1, 0), event("n", 2, 3), event("e", 2, 9), event("b", 3, 20)]);
    events.extend([event("S", 2, 30), event("T", 1, 31), event("F", 1, 35)]);
    let found = profile(&events);
    let track = found.threads.iter().find(|thread| thread.kind == TrackKind::Async).expect("a track");
    let name = |thread: Option<ThreadId>| thread.map_or("-", |thread| found.threads[thread.index()].name.as_str());
    let of = |at: usize| track.event_threads_of(LocalMarker::new(at)).map(name);
    assert_eq!(
        (0..track.markers.len()).map(of).collect::<Vec<_>>(),
        // The thread of the begin without an end has no events of its own.
        [["Main", "Socket"], ["Socket", "-"], ["-", "-"], ["Socket", "Main"], ["Main", "-"]]
    );
    assert!(found.threads[0].event_threads.is_none());
}

#[test]
fn a_pause_is_not_another_clock() {
    // A burst of short slices, a long pause, and a few slices after it: seconds, minutes and an hour.
    for pause in [60_000_000, 20 * 60_000_000, 3_600_000_000] {
        let mut events: Vec<String> = (0..40).map(|at| slice(1, 1, at * 5000, 4500)).collect();
        events.extend((0..3).map(|at| slice(1, 1, pause + at * 500_000, 400_000)));
        let found = profile(&events);
        assert_eq!((found.main_cluster(), found.first_view()), (None, found.meta.range), "{pause}");
        assert_eq!(found.warnings.count(WarningKind::SeveralClocks), 0);
    }
    // Times since boot and times since 1970.
    let mut events: Vec<String> = (0..40).map(|at| slice(1, 1, 1_790_000_000_000_000 + at * 5000, 4500)).collect();
    events.push(slice(1, 1, 1_000_000, 5));
    assert_eq!(profile(&events).main_cluster().map(|cluster| cluster.outside), Some(1));
}

#[test]
fn a_covered_time_is_not_a_gap() {
    // Slices that all start within microseconds and last for seconds.
    let together: Vec<String> = (0..100).map(|at| slice(1, at, i64::from(at), 5_000_000)).collect();
    let found = profile(&together);
    assert_eq!((found.main_cluster(), found.first_view()), (None, found.meta.range));
    assert_eq!(found.time_zero(), Ns(0));
    // A burst in a recording covered by one long slice.
    let mut covered: Vec<String> = (0..100).map(|at| slice(1, 1, at, 1)).collect();
    covered.push(slice(2, 2, 0, 50_000_000_000));
    assert_eq!(profile(&covered).main_cluster(), None);
    // Two clusters, neither of which contains most of the markers.
    let mut halves: Vec<String> = (0..50).map(|at| slice(1, 1, at, 1)).collect();
    halves.extend((0..50).map(|at| slice(1, 1, 1_000_000_000_000 + at, 1)));
    assert_eq!(profile(&halves).main_cluster(), None);
    assert_eq!(profile(&[slice(1, 1, 5, 0)]).main_cluster(), None);
}
