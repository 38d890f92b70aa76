//! Milestones and the lanes of the overview, compared with plain loops over markers.

use std::collections::BTreeSet;
use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::harm::LONG_TASK;
use flowline::insights::overview::{BINS, OverviewLanes};
use flowline::insights::page_load::{Milestone, MilestoneKind, Milestones};
use flowline::profile::{LocalMarker, Ns};
use serde_json::{Value, json};

use crate::recording::read_bytes;

fn event(name: &str, pid: u32, us: i64, args: Value) -> Value {
    json!({"name": name, "ph": "R", "cat": "loading", "pid": pid, "tid": pid, "ts": us, "args": args})
}

fn index(events: Vec<Value>) -> Index {
    let text = json!({"traceEvents": events}).to_string().into_bytes();
    Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
}

fn started() -> Value {
    let frames = json!([
        {"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true, "isInPrimaryMainFrame": true},
        {"frame": "INNER", "url": "http://b.test/", "parent": "MAIN", "processId": 7, "isOutermostMainFrame": false,
            "isInPrimaryMainFrame": false},
    ]);
    event("TracingStartedInBrowser", 1, 0, json!({"data": {"frames": frames}}))
}

fn navigation(frame: &str, id: &str, us: i64) -> Value {
    let url = format!("http://{frame}.test/");
    event("navigationStart", 7, us, json!({"frame": frame, "data": {"navigationId": id, "documentLoaderURL": url}}))
}

fn paint(name: &str, id: Option<&str>, candidate: i64, us: i64) -> Value {
    let data = json!({"navigationId": id, "candidateIndex": candidate});
    event(name, 7, us, json!({"frame": "MAIN", "data": data}))
}

fn document(name: &str, frame: &str, pid: u32, us: i64) -> Value {
    event(name, pid, us, json!({"data": {"frame": frame}}))
}

fn found(index: &Index, kind: MilestoneKind, is_main: bool) -> Vec<&Milestone> {
    Milestones::of(index).all().iter().filter(|own| own.kind == kind && own.is_main == is_main).collect()
}

#[test]
fn milestones_belong_to_the_navigation_of_their_frame() {
    let (fcp, lcp) = ("firstContentfulPaint", "largestContentfulPaint::Candidate");
    let index = index(vec![
        started(),
        navigation("MAIN", "one", 1_000),
        navigation("INNER", "inner", 1_500),
        paint(fcp, Some("one"), 0, 3_000),
        paint(lcp, Some("one"), 2, 9_000),
        paint(lcp, Some("one"), 1, 3_000),
        paint(lcp, Some("one"), 0, 9_500),
        document("MarkLoad", "INNER", 7, 4_000),
        document("MarkLoad", "MAIN", 7, 5_000),
        document("MarkLoad", "MAIN", 7, 6_000),
        document("MarkLoad", "MAIN", 8, 7_000),
        document("MarkLoad", "OTHER", 7, 7_500),
        navigation("MAIN", "two", 20_000),
        document("MarkLoad", "MAIN", 7, 25_000),
    ]);
    let since = |kind, is_main| -> Vec<Option<i64>> {
        found(&index, kind, is_main).iter().map(|own| own.since.map(|since| since.0)).collect()
    };
    assert_eq!(
        since(MilestoneKind::Load, true),
        [Some(5_000_000), Some(5_000_000)],
        "the last event of each navigation"
    );
    assert_eq!(since(MilestoneKind::Load, false), [Some(2_500_000)]);
    let largest = found(&index, MilestoneKind::LargestContentfulPaint, true);
    assert_eq!(largest[0].since, Some(Ns(8_000_000)), "the candidate with the greatest index");
    assert_eq!(found(&index, MilestoneKind::Navigation, true).len(), 2);
    let second = largest.iter().find(|own| own.navigation == Some(1)).expect("a row for the second navigation");
    assert!(second.time.is_none() && second.unknown.is_some(), "what is not recorded is unknown: {second:?}");
    // Frames inside the page have no flag.
    let flags = (0..Milestones::of(&index).flag_count()).filter_map(|at| Milestones::of(&index).flag(at));
    assert!(flags.clone().all(|(time, own)| own.is_main && own.time == Some(time)));
    assert!(flags.map(|(time, _)| time).is_sorted());
}

/// A navigation that states that its frame is the outermost one, in a process of its own.
fn outermost(frame: &str, pid: u32, url: &str, us: i64) -> Value {
    let data = json!({"navigationId": frame, "documentLoaderURL": url, "isOutermostMainFrame": true});
    event("navigationStart", pid, us, json!({"frame": frame, "data": data}))
}

#[test]
fn a_recording_of_the_start_shows_the_page_of_the_web_with_most_work() {
    let committed = |frame: &str, pid: u32| event("CommitLoad", pid, 5_000, json!({"data": {"frame": frame}}));
    let work = |pid: u32, long: i64| json!({"name": "RunTask", "ph": "X", "cat": "toplevel", "pid": pid, "tid": pid, "ts": 6_000, "dur": long, "args": {}});
    let painted = |frame: &str, pid: u32, us: i64| {
        event("firstContentfulPaint", pid, us, json!({"frame": frame, "data": {"navigationId": frame}}))
    };
    let events = |idle: i64, busy: i64| {
        vec![
            outermost("BROWSER", 3, "chrome://omnibox-popup.top-chrome/", 1_000),
            outermost("IDLE", 5, "https://idle.test/", 2_000),
            outermost("BUSY", 7, "https://busy.test/", 3_000),
            outermost("KEPT", 8, "", 3_500),
            committed("BROWSER", 3),
            committed("IDLE", 5),
            committed("BUSY", 7),
            work(3, 900_000),
            work(5, idle),
            work(7, busy),
            painted("IDLE", 5, 12_000),
            painted("BUSY", 7, 23_000),
        ]
    };
    for (idle, busy, url, since) in
        [(10_000, 20_000, "https://busy.test/", 20_000_000), (30_000, 20_000, "https://idle.test/", 10_000_000)]
    {
        let index = index(events(idle, busy));
        let main = Milestones::of(&index).main_navigation(None).expect("a page");
        assert_eq!(main.url, url);
        let painted = found(&index, MilestoneKind::FirstContentfulPaint, true);
        assert_eq!(painted.iter().map(|own| own.since).collect::<Vec<_>>(), [Some(Ns(since))]);
    }
    let browser =
        index(vec![outermost("BROWSER", 3, "chrome://omnibox-popup.top-chrome/", 1_000), committed("BROWSER", 3)]);
    assert!(Milestones::of(&browser).main_navigation(None).is_none(), "pages of the browser are none");
}

#[test]
fn paints_without_a_navigation_id_are_unknown() {
    let index = index(vec![
        started(),
        navigation("MAIN", "one", 1_000),
        paint("firstContentfulPaint", None, 0, 3_000),
        document("MarkLoad", "MAIN", 7, 5_000),
    ]);
    let paints = found(&index, MilestoneKind::FirstContentfulPaint, true);
    assert_eq!(paints.len(), 1);
    assert_eq!(
        (paints[0].time, paints[0].unknown.as_deref()),
        (None, Some("firstContentfulPaint has no navigation id"))
    );
}

#[test]
fn recordings_without_pages_have_no_milestones() {
    let slice = json!({"name": "work", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 90_000, "args": {}});
    let index = index(vec![slice]);
    assert!(Milestones::of(&index).all().is_empty());
    let lanes = OverviewLanes::build(&index, index.extent(), &BTreeSet::new(), true);
    assert!(lanes.responsiveness.is_none() && lanes.network.is_none() && !lanes.cpu.is_empty());
}

#[test]
fn the_gpu_lane_adds_up_no_time_twice() {
    let slice = |cat: &str, tid: u32, us: i64, long: i64| json!({"name": format!("{cat} {us}"), "ph": "X", "cat": cat, "pid": 0, "tid": tid, "ts": us, "dur": long});
    let named =
        |tid: u32, name: &str| json!({"name": "thread_name", "ph": "M", "pid": 0, "tid": tid, "args": {"name": name}});
    let kernels = [(7, 1_000, 4_000), (20, 2_000, 1_000), (20, 4_500, 1_500), (7, 8_000, 500)];
    let mut events: Vec<Value> = kernels.iter().map(|(tid, us, long)| slice("kernel", *tid, *us, *long)).collect();
    events.push(slice("gpu_memcpy", 20, 9_000, 250));
    // An annotation of the program on the stream is no work, nor is that of the host.
    events.push(slice("gpu_user_annotation", 7, 0, 10_000));
    events.push(slice("cpu_op", 3, 0, 10_000));
    events.extend([named(7, "stream 7"), named(20, "stream 20"), named(3, "thread 3 (python)")]);
    let without_steps = index(events.clone());
    events.push(json!({"name": "ProfilerStep#1", "ph": "X", "cat": "user_annotation", "pid": 0, "tid": 3, "ts": 0, "dur": 10_000}));
    let index = index(events);
    let lanes = OverviewLanes::build(&index, index.extent(), &BTreeSet::new(), true);
    let gpu = lanes.gpu.expect("a GPU");
    // 1 to 6 ms, 8 to 8.5 ms, 9 to 9.25 ms.
    assert_eq!((gpu.busy, gpu.whole), (Ns(5_750_000), Ns(10_000_000)));
    assert!((gpu.share() - 0.575).abs() < 1e-9);
    let names: BTreeSet<&str> = lanes.cpu_threads.iter().map(|id| &*index.profile().thread(*id).name).collect();
    assert_eq!(names, BTreeSet::from(["stream 7", "stream 20"]));
    let plain = OverviewLanes::build(&without_steps, without_steps.extent(), &BTreeSet::new(), true);
    assert_eq!(plain.gpu.map(|gpu| gpu.busy), Some(Ns(5_750_000)), "with and without steps");
}

#[test]
fn the_lanes_agree_with_plain_loops() {
    let name = json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}});
    let slice = |name: &str, us: i64, long: i64| {
        json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": 7,
        "tid": 7, "ts": us, "dur": long, "args": {}})
    };
    let mut events = vec![name, started(), navigation("MAIN", "one", 1_000)];
    for number in 0..40_i64 {
        let start = 2_000 + number * 100_000;
        events.push(slice("RunTask", start, 3_000 + number * 2_000));
        events.push(slice("Layout", start + 1_000, 1_500));
    }
    let index = index(events);
    let lanes = OverviewLanes::build(&index, index.extent(), &BTreeSet::new(), true);
    let profile = index.profile();
    let (id, thread) =
        profile.threads_with_ids().find(|(_, thread)| thread.name == "CrRendererMain").expect("a thread");
    assert_eq!(lanes.cpu_threads, [id]);
    let markers = (0..thread.markers.len()).map(LocalMarker::new);
    let named = |name: &str| -> Vec<i64> {
        let own = markers.clone().filter(|marker| profile.marker_name(id, *marker) == name);
        own.map(|marker| thread.markers.range(marker).len()).collect()
    };
    let long = named("RunTask").into_iter().filter(|length| *length > LONG_TASK.0).count();
    assert!(long > 0);
    assert_eq!(lanes.responsiveness.expect("tasks").count(), long);
    // Children are inside their tasks, so the work of all kinds is the length of the tasks.
    let work: u64 = (0..BINS).flat_map(|bin| lanes.cpu.column(bin)).sum();
    let expected: i64 = named("RunTask").iter().sum();
    assert_eq!(i64::try_from(work).expect("a sum"), expected);
    let length = u64::try_from(index.extent().len()).expect("a length").div_ceil(BINS as u64);
    assert!(
        (0..BINS).all(|bin| lanes.cpu.column(bin).iter().sum::<u64>() <= length),
        "no column has more than its length"
    );
}
