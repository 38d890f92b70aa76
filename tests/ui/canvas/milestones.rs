//! The lane of milestones and notes, and the lanes of the overview.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Vec2, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::page_load::Milestones;
use flowline::profile::Ns;
use flowline::profile::notes::{Note, NoteKind};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::{Value, json};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

pub(crate) const FRAME: &str = "F1";

/// An event of the page's main thread; times are in milliseconds.
pub(crate) fn event(name: &str, ms: i64, args: Value) -> Value {
    json!({"name": name, "ph": "R", "cat": "loading", "pid": 7, "tid": 7, "ts": ms * 1000, "args": args})
}

fn task(ms: i64, long: i64) -> Value {
    json!({"name": "RunTask", "ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": 7, "ts": ms * 1000, "dur": long * 1000,
        "args": {}})
}

/// A page load from 100 to 1,486 ms, with one long task, and a key that settles its largest paint.
fn page() -> Vec<u8> {
    page_with(&[input()])
}

/// An input after the largest paint.
pub(crate) fn input() -> Value {
    event("EventDispatch", 1600, json!({"data": {"type": "keydown"}}))
}

/// The page load with further events, but without that key.
fn page_with(more: &[Value]) -> Vec<u8> {
    page_at("http://a.test/", more)
}

/// The page load at an address.
fn page_at(url: &str, more: &[Value]) -> Vec<u8> {
    let frames = json!([{"frame": FRAME, "url": url, "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let paint = json!({"frame": FRAME, "data": {"navigationId": "N1", "candidateIndex": 1}});
    let document = json!({"data": {"frame": FRAME}});
    let navigation = json!({"frame": FRAME, "data": {"navigationId": "N1", "documentLoaderURL": url}});
    let name = json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}});
    let mut events = vec![
        name,
        event("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}})),
        event("navigationStart", 100, navigation),
        task(150, 40),
        task(300, 180),
        event("firstContentfulPaint", 846, paint.clone()),
        event("MarkDOMContent", 850, document.clone()),
        event("largestContentfulPaint::Candidate", 1486, paint),
        event("MarkLoad", 1490, document),
        task(2000, 10),
    ];
    events.extend_from_slice(more);
    json!({"traceEvents": events}).to_string().into_bytes()
}

/// The same page, which loads later and slower: navigation at 350 ms, FCP after 846 ms, LCP after 2,050 ms.
pub(crate) fn slow_page() -> Arc<Index> {
    let mut trace: Value = serde_json::from_slice(&page()).expect("a trace");
    let times = [
        ("navigationStart", 350),
        ("firstContentfulPaint", 1196),
        ("largestContentfulPaint::Candidate", 2400),
        ("MarkLoad", 2410),
        ("EventDispatch", 2500),
    ];
    let events = trace["traceEvents"].as_array_mut().expect("a list");
    for event in events {
        if let Some((_, ms)) = times.iter().find(|(name, _)| event["name"] == *name) {
            event["ts"] = json!(ms * 1000);
        }
    }
    Arc::new(Index::build(Arc::new(read_bytes(trace.to_string().into_bytes()).expect("a trace")), Arrangement::Stack))
}

/// A window with the page load.
pub(crate) fn window(size: Vec2) -> Window {
    window_of(page(), size)
}

/// A window with the page load and further events, but without the key that settles its largest paint.
pub(crate) fn window_with(more: &[Value]) -> Window {
    window_of(page_with(more), vec2(1600.0, 1000.0))
}

/// A window with the page load at an address.
pub(crate) fn window_at(url: &str) -> Window {
    window_of(page_at(url, &[input()]), vec2(1600.0, 1000.0))
}

fn window_of(bytes: Vec<u8>, size: Vec2) -> Window {
    let index = Arc::new(Index::build(Arc::new(read_bytes(bytes).expect("a trace")), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, size, 1.0);
    window.settle();
    window.wait("the lanes", |window| !window.session().is_busy() && window.session().scope().lanes().is_some());
    window.settle();
    window
}

#[test]
fn flags_state_the_time_since_the_navigation_and_select_their_markers() {
    let mut window = window(vec2(1600.0, 1000.0));
    for name in ["LCP 1,386 ms", "FCP 746 ms"] {
        let flag = window.get(Role::Button, name);
        window.click_at(flag.rect.left_center() + vec2(1.0, 0.0));
        let marker = window.selected();
        let start = window.view().times_of(marker).expect("a marker").start;
        let region = window.session().canvas.regions;
        let flags = window.session().scene_input().placed_flags().to_vec();
        let placed = flags.iter().find(|placed| placed.milestones.iter().any(|own| own.text == name)).expect("a flag");
        let x = f64::from(region.chart.x) + window.view().axis.pixel(start).round();
        assert!((f64::from(placed.x) - x).abs() <= 1.0, "the pole of {name} is at {} instead of {x}", placed.x);
    }
}

#[test]
fn flags_never_overlap_and_the_more_important_one_stays() {
    let mut window = window(vec2(1600.0, 1000.0));
    for _ in 0..12 {
        let flags = window.session().scene_input().placed_flags().to_vec();
        let shown: Vec<_> = flags.iter().filter(|flag| flag.has_text).collect();
        for (at, one) in shown.iter().enumerate() {
            assert!(shown[..at].iter().all(|other| one.rect.intersect(other.rect).width <= 0.0), "{shown:?}");
        }
        let rank = |flag: &flowline::scene::PlacedFlag| flag.kind.rank().unwrap_or(u8::MAX);
        let best = flags.iter().map(rank).min();
        assert_eq!(best, shown.iter().map(|flag| rank(flag)).min(), "{flags:?}");
        assert_eq!(flags.iter().map(|flag| flag.milestones.len() + flag.others).sum::<usize>(), 5);
        window.key(egui::Key::S);
    }
}

#[test]
fn the_lane_can_be_hidden_and_takes_a_second_line_for_notes_that_collide() {
    let mut window = window(vec2(1600.0, 1000.0));
    let height = |window: &Window| window.session().canvas.regions.lane.height;
    assert_eq!(height(&window), 20.0);
    assert!(window.has(Role::Label, "Milestones and notes"));
    let start = window.session().index.extent().start;
    let note = |ms: i64, text: &str| Note { kind: NoteKind::Bookmark(start + Ns(ms * 1_000_000)), text: text.into() };
    window.shell().session_mut().expect("open").set_notes(vec![note(1800, "apart")]);
    window.settle();
    assert_eq!(height(&window), 20.0);
    window.shell().session_mut().expect("open").set_notes(vec![note(1490, "over a flag"), note(1800, "apart")]);
    window.settle();
    assert_eq!(height(&window), 40.0);
    let lane = window.session().canvas.regions.lane;
    for note in window.session().scene_input().placed_notes() {
        assert_eq!(note.rect.intersect(lane), note.rect, "notes are in the lane, not in rows");
    }
    window.shell().state.hidden.milestones = true;
    window.settle();
    assert_eq!(height(&window), 0.0);
    assert!(window.session().scene_input().placed_flags().is_empty() && !window.has(Role::Button, "LCP 1,386 ms"));
}

#[test]
fn lanes_of_the_overview_have_names_and_small_windows_have_none() {
    let wide = window(vec2(1600.0, 1000.0));
    assert!(
        wide.has(Role::Label, "1 long task") && wide.nodes().iter().any(|node| node.text.starts_with("CPU time of"))
    );
    assert_eq!(wide.session().canvas.regions.overview.height, 64.0);
    assert!(wide.says(" of "), "the ruler's cell states the visible range");
    let small = window(vec2(780.0, 600.0));
    assert_eq!(small.session().canvas.regions.overview.height, 0.0);
}

#[test]
fn the_navigation_can_become_the_time_origin() {
    let mut window = window(vec2(1600.0, 1000.0));
    let milestones = Milestones::of(&window.session().index).main_navigation(None).expect("a navigation").clone();
    window.apply(Command::ZeroAt(milestones.marker));
    window.settle();
    let clock = window.view().clock();
    assert_eq!(clock.show(milestones.time.expect("a time")), Ns(0));
}

#[test]
fn no_pole_crosses_the_text_of_another_flag() {
    let mut window = window(vec2(1600.0, 1000.0));
    let mut covered = 0;
    for _ in 0..16 {
        let flags = window.session().scene_input().placed_flags().to_vec();
        for flag in flags.iter().filter(|flag| flag.has_text) {
            for other in flags.iter().filter(|other| other.x != flag.x) {
                let crossing = other.pole.intersect(flag.rect);
                assert!(crossing.width <= 0.0 || crossing.height <= 0.0, "{other:?} crosses {flag:?}");
                covered += usize::from(other.x > flag.x && other.x < flag.rect.right());
            }
        }
        window.key(egui::Key::S);
    }
    assert!(covered > 0, "some flags have been in the way");
}

#[test]
fn the_tooltip_of_a_flag_states_time_rating_and_event() {
    let mut window = window(vec2(1600.0, 1000.0));
    let flag = window.get(Role::Button, "LCP 1,386 ms").rect;
    window.point_at(flag.left_center() + vec2(1.0, 0.0));
    let lines = [
        "Largest contentful paint 1,386 ms after the navigation, good",
        "largestContentfulPaint::Candidate, http://a.test/",
        "Click selects it, then K shows its critical path",
    ];
    assert!(lines.iter().all(|line| window.says(line)), "{:#?}", window.texts());
    // It goes away with the pointer, and is not above the palette.
    window.point_at(flag.left_center() + vec2(1.0, 300.0));
    assert!(!window.says(lines[0]), "{:#?}", window.texts());
    window.point_at(flag.left_center() + vec2(1.0, 0.0));
    window.chord(egui::Modifiers { ctrl: true, command: true, ..egui::Modifiers::NONE }, egui::Key::P);
    assert!(!window.says(lines[0]), "{:#?}", window.texts());
    window.key(egui::Key::Escape);
    window.click_at(flag.left_center() + vec2(1.0, 0.0));
    let selected = window.selected();
    window.key(egui::Key::K);
    assert_eq!(window.view().path.map(|path| path.marker), Some(selected));
}

#[test]
fn the_details_of_the_recording_list_the_milestones_and_offer_the_navigation_as_zero() {
    let mut window = window(vec2(1600.0, 1000.0));
    for (name, time) in [("FCP 746 ms, good", 846), ("LCP 1,386 ms, good", 1486), ("Load 1,390 ms", 1490)] {
        window.click(Role::Button, name);
        let start = window.view().times_of(window.selected()).expect("a marker").start;
        assert_eq!(start.0 % 10_000_000_000, time * 1_000_000, "{name}");
        window.apply(Command::Select(None));
    }
    let milestone = Milestones::of(&window.session().index).main_navigation(None).expect("a navigation").clone();
    window.click(Role::Button, "Set time origin to the main navigation");
    assert_eq!(window.view().zero, milestone.marker);
    window.click(Role::Button, "Reset time origin");
    assert_eq!(window.view().zero, None);
    window.chord(egui::Modifiers::ALT, egui::Key::Z);
    assert_eq!(window.view().clock().show(milestone.time.expect("a time")), Ns(0), "by its key");
    window.chord(egui::Modifiers::ALT, egui::Key::Z);
    assert_eq!(window.view().zero, None);
    window.press("View");
    window.click(Role::CheckBox, "Zero time at the main navigation");
    assert_eq!(window.view().zero, milestone.marker, "in the menu View");
}

#[test]
fn milestones_of_soft_navigations_have_a_star() {
    let context = json!({"performanceTimelineNavigationId": "S1", "URL": "http://a.test/two",
        "firstContentfulPaint": 1_900_000});
    let soft = event("SoftNavigationStart", 1700, json!({"frame": FRAME, "context": context}));
    let mut window = window_of(page_with(&[input(), soft]), vec2(1600.0, 1000.0));
    // The first view is the load before.
    window.key(egui::Key::Num0);
    assert!(window.has(Role::Button, "FCP* 200 ms") && window.has(Role::Button, "FCP 746 ms"), "{:#?}", window.texts());
}
