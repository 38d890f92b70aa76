//! The part of a recording that is shown first, and the notice about it.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::vec2;
use flowline::index::Index;
use flowline::insights::flags::Flags;
use flowline::profile::{Ns, TimeRange};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::{Recording, instant, interval, read_bytes};

/// An event of the page's main thread; times are in milliseconds.
fn event(name: &str, ms: i64, args: Value) -> Value {
    json!({"name": name, "ph": "R", "cat": "loading", "pid": 7, "tid": 7, "ts": ms * 1000, "args": args})
}

fn slice(name: &str, ms: i64, long: i64) -> Value {
    json!({"name": name, "ph": "X", "cat": "x", "pid": 7, "tid": 7, "ts": ms * 1000, "dur": long * 1000, "args": {}})
}

/// A page load from 1,000 to 3,000 ms in ten seconds.
fn page() -> Vec<u8> {
    let frames = json!([{"frame": "F1", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let paint = json!({"frame": "F1", "data": {"navigationId": "N1", "candidateIndex": 1}});
    let navigation = json!({"frame": "F1", "data": {"navigationId": "N1", "documentLoaderURL": "http://a.test/"}});
    let events = json!([
        event("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}})),
        event("navigationStart", 1000, navigation),
        event("firstContentfulPaint", 1500, paint.clone()),
        event("MarkLoad", 2000, json!({"data": {"frame": "F1"}})),
        event("largestContentfulPaint::Candidate", 3000, paint),
        slice("RunTask", 9000, 1000),
    ]);
    json!({"traceEvents": events}).to_string().into_bytes()
}

fn index_of(text: Vec<u8>) -> Arc<Index> {
    let profile = Arc::new(read_bytes(text).expect("a trace"));
    let arrangement = profile.meta.arrangement();
    Arc::new(Index::build(profile, arrangement))
}

fn window(text: Vec<u8>, before: impl FnOnce(&mut flowline::session::Session)) -> Window {
    let mut opened = session(index_of(text), Path::new(""));
    before(&mut opened);
    let mut window = Window::showing(opened, KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.wait("the part", |window| !window.session().is_busy());
    window.settle();
    window
}

/// The visible range in milliseconds since the start.
fn shown(window: &Window) -> [i64; 2] {
    let (visible, start) = (window.view().axis.visible(), window.session().index.extent().start);
    // The column of the last instants widens the range.
    [visible.start, visible.end].map(|time| ((time - start).0 + 5_000_000).div_euclid(10_000_000) * 10)
}

#[test]
fn a_trace_of_a_page_opens_on_its_load_and_one_click_shows_everything() {
    let mut window = window(page(), |_| {});
    assert_eq!(shown(&window), [1000, 3200], "to the latest of load and LCP, and a tenth more");
    assert!(window.says("Showing the page load, 2.200 s of 10.000 s."), "{:#?}", window.texts());
    window.click(Role::Button, "Show everything");
    window.settle();
    assert_eq!(shown(&window)[0], 0);
    assert!(shown(&window)[1] >= 10_000, "{:?}", shown(&window));
    assert!(!window.says("Showing the page load"), "{:#?}", window.texts());
}

#[test]
fn moving_the_view_or_dismissing_the_notice_ends_it() {
    let mut window = window(page(), |_| {});
    window.click(Role::Button, "Dismiss");
    window.settle();
    assert!(!window.says("Showing the page load") && shown(&window) == [1000, 3200]);
    let mut other = self::window(page(), |_| {});
    other.key(egui::Key::D);
    other.settle();
    assert!(!other.says("Showing the page load"), "{:#?}", other.texts());
}

#[test]
fn a_view_that_was_moved_or_restored_stays() {
    let whole = window(page(), |session| session.apply(Command::ZoomToAll));
    assert_eq!(shown(&whole)[0], 0);
    let range = TimeRange::new(Ns(5_000_000_000), Ns(6_000_000_000));
    let moved = window(page(), |session| {
        let start = session.index.extent().start;
        session.apply(Command::Show(range.shifted(start)));
    });
    assert_eq!(shown(&moved), [5000, 6000]);
    // A saved view that shows everything is not narrowed, either.
    let mut first = window(page(), |_| {});
    first.apply(Command::ZoomToAll);
    first.settle();
    let saved = first.shell().saved_view().expect("a view");
    let mut restored = window(page(), |_| {});
    restored.shell().show_view(&saved);
    restored.settle();
    assert_eq!(shown(&restored), shown(&first));
    assert!(!restored.says("Showing the page load"));
}

#[test]
fn a_training_loop_opens_on_its_second_step() {
    let steps = (0..4).map(|at| slice(&format!("ProfilerStep#{}", at + 3), at * 1000, 900));
    let text = Value::Array(steps.collect()).to_string().into_bytes();
    let mut window = window(text, |_| {});
    assert_eq!(shown(&window), [1000, 1900]);
    assert!(window.says("Showing ProfilerStep#4, 900.00 ms of 3.900 s."), "{:#?}", window.texts());
    // Each step has a flag with its length.
    window.wait("the flags", |window| Flags::if_built(&window.session().index).is_some());
    window.settle();
    let flags = window.session().scene_input().placed_flags().to_vec();
    let texts: Vec<&str> = flags.iter().flat_map(|flag| &flag.milestones).map(|own| own.text.as_str()).collect();
    assert_eq!(texts, ["ProfilerStep#4 900 ms"]);
}

#[test]
fn other_recordings_open_whole_and_samples_open_with_their_call_tree() {
    let text = Value::Array((0..4).map(|at| slice("work", at * 1000, 900)).collect()).to_string().into_bytes();
    let trace = window(text, |_| {});
    assert_eq!((shown(&trace)[0], trace.table()), (0, None));
    let samples = json!({"nodes": [
        {"id": 1, "callFrame": {"functionName": "(root)", "scriptId": "0", "url": "", "lineNumber": -1, "columnNumber": -1},
            "children": [2]},
        {"id": 2, "callFrame": {"functionName": "work", "scriptId": "1", "url": "a.js", "lineNumber": 1, "columnNumber": 1}}
    ], "startTime": 0, "endTime": 4000, "samples": [2, 2, 2, 2], "timeDeltas": [0, 1000, 1000, 1000]});
    let profile = window(samples.to_string().into_bytes(), |_| {});
    assert_eq!(profile.table(), Some(TableKind::CallTree));
}

#[test]
fn the_ruler_counts_the_recorded_range_like_the_notice() {
    // Markers may be older than the recording.
    let mut raw = Recording::of(vec![instant("old", 1_000.0), interval("work", 21_000.0, 49_000.0)]).raw();
    raw["meta"]["profilingStartTime"] = json!(20_000.0);
    raw["meta"]["profilingEndTime"] = json!(50_000.0);
    let mut window = window(raw.to_string().into_bytes(), |_| {});
    window.apply(Command::ZoomToAll);
    window.settle();
    assert!(window.says("30.000 s of 30.000 s"), "{:#?}", window.texts());
    // The old marker can be in view; then it counts.
    let extent = window.session().index.extent();
    window.apply(Command::Show(extent));
    window.settle();
    let whole = flowline::format::format_duration_ns(extent.len());
    assert!(extent.len() > 40_000_000_000 && window.says(&format!("{whole} of {whole}")), "{:#?}", window.texts());
}
